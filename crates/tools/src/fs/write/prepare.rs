//! Planning a write: what is there now, and whether it may be replaced.

use std::path::{Path, PathBuf};

use toolpost_core::{Code, Cx, Look, PriorRead, ToolError};
use toolpost_host::{Content, ContentHash, Expect, Fault, HostError, Nul, Text, describe_binary};

use super::{Became, Input, Output};
use crate::files::{diff, lines, place, sight};
use crate::{blocking, fault};

/// A write that can be made.
pub(super) struct Prepared {
    path: PathBuf,
    bytes: Vec<u8>,
    expect: Expect,
    pub(super) output: Output,
}

impl Prepared {
    /// Finds out what the call would do to the file as it now is.
    pub(super) fn find(path: &Path, input: &Input, look: &Look) -> Result<Self, ToolError> {
        match toolpost_host::read_whole(path, place::WHOLE_LIMIT_BYTES) {
            Ok(content) => overwriting(path, input, &content, look),
            Err(err) if err.fault == Fault::NotFound => Ok(creating(path, input, look)),
            Err(err) => Err(place::fault(&err, look, path, "written")),
        }
    }

    /// Writes the new bytes if the file still holds what it held.
    pub(super) fn write(&self, cx: &Cx) -> Result<Output, HostError> {
        if self.output.became == Became::Unchanged {
            return Ok(self.output.clone());
        }
        let written = blocking::here(|| {
            toolpost_host::write(&cx.permit, &self.path, &self.bytes, self.expect)
        })?;
        Ok(Output {
            hash: written.hash,
            note: written.note,
            ..self.output.clone()
        })
    }
}

fn creating(path: &Path, input: &Input, look: &Look) -> Prepared {
    let bytes = input.content.clone().into_bytes();
    let output = output(path, input, &bytes, look);
    Prepared {
        path: path.to_path_buf(),
        bytes,
        expect: Expect::Absent,
        output,
    }
}

fn overwriting(
    path: &Path,
    input: &Input,
    content: &Content,
    look: &Look,
) -> Result<Prepared, ToolError> {
    let shown = look.show(path);
    let before = Text::decode_with(&content.bytes, Nul::Accepted);
    let bytes = match &before {
        Ok(text) if !content.bytes.is_empty() => text
            .encode_like(&input.content)
            .map_err(|err| fault::told(&err, &shown, "written"))?,
        _ => input.content.clone().into_bytes(),
    };
    let mut output = output(path, input, &bytes, look);
    if bytes == content.bytes {
        output.became = Became::Unchanged;
    } else {
        permitted(path, content, before.as_ref().ok(), look)?;
        output.became = Became::Overwritten;
        let text = before.as_ref().map_or("", Text::as_str);
        output.breaks = other_breaks(text, &input.content);
    }
    let end = |text| diff::End {
        shown: &shown,
        text,
    };
    let text = before.as_ref().map_or("", Text::as_str);
    output.diff = diff::between(Some(end(text)), Some(end(&input.content)));
    Ok(Prepared {
        path: path.to_path_buf(),
        bytes,
        expect: Expect::Content(content.hash),
        output,
    })
}

/// What the line breaks of a text were, where all those of the new one are line feeds and they were not.
fn other_breaks(before: &str, after: &str) -> Option<&'static str> {
    if after.contains('\r') || !after.contains('\n') {
        return None;
    }
    let all = lines::of(before);
    let has = |ending: &str| all.iter().any(|line| line.ending == ending);
    match (has("\r\n"), has("\r"), has("\n")) {
        (true, false, false) => Some("CRLF"),
        (false, true, false) => Some("CR"),
        (true, _, _) => Some("mixed"),
        (false, _, _) => None,
    }
}

/// Whether the session knows what it would destroy.
fn permitted(
    path: &Path,
    content: &Content,
    text: Option<&Text>,
    look: &Look,
) -> Result<(), ToolError> {
    if look.settings.prior_read == PriorRead::Off || content.bytes.is_empty() {
        return Ok(());
    }
    let shown = look.show(path);
    let total = text.map_or(u64::MAX, |text| {
        u64::try_from(lines::of(text.as_str()).len()).unwrap_or(u64::MAX)
    });
    let missing = sight::missing_of_all(look, (path, &shown), &content.hash, total);
    let Some(error) = missing else {
        return Ok(());
    };
    if Text::decode(&content.bytes).is_ok() {
        return Err(error);
    }
    let what = describe_binary(&content.bytes).unwrap_or("binary file");
    let fact =
        format!("`{shown}` is there already and no text ({what}), so it is not overwritten.");
    Err(ToolError::new(Code::Binary, fact)
        .hint("Write to another path, or remove the file first with `shell.run`."))
}

fn output(path: &Path, input: &Input, bytes: &[u8], look: &Look) -> Output {
    let shown = look.show(path);
    let after = diff::End {
        shown: &shown,
        text: &input.content,
    };
    Output {
        given: input.path.clone(),
        path: path.to_path_buf(),
        became: Became::Created,
        chars: u64::try_from(input.content.chars().count()).unwrap_or(u64::MAX),
        bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        diff: diff::between(None, Some(after)),
        hash: ContentHash::of(bytes),
        breaks: None,
        note: None,
        shown,
    }
}
