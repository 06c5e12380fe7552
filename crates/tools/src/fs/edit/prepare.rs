//! Planning an edit: reading, finding, making the new bytes.

use std::path::{Path, PathBuf};

use toolpost_core::{Code, Cx, Look, ToolError};
use toolpost_host::{ContentHash, Expect, Fault, HostError};

use super::{EmptyOld, Input, Output, Ready};
use crate::files::matching::{Found, How};
use crate::files::opened::Opened;
use crate::files::replacing::spliced;
use crate::files::sight::Glance;
use crate::files::snippet::Snippet;
use crate::files::{diff, lines, misses};
use crate::{blocking, fault};

/// An edit that can be made.
pub(super) struct Prepared {
    path: PathBuf,
    bytes: Vec<u8>,
    expect: Expect,
    pub(super) output: Output,
}

impl Ready {
    /// Finds out what the call would do to the file as it now is.
    pub(super) fn find(path: &Path, input: &Input, look: &Look) -> Self {
        Self {
            prepared: prepare(path, input, look),
        }
    }
}

impl Prepared {
    /// Writes the new bytes if the file still holds what it held.
    pub(super) fn write(&self, cx: &Cx) -> Result<Output, HostError> {
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

fn prepare(path: &Path, input: &Input, look: &Look) -> Result<Prepared, ToolError> {
    let read = Opened::bytes(path);
    if input.old.is_empty() && read.as_ref().is_err_and(|err| err.fault == Fault::NotFound) {
        return Ok(creation(path, input, look));
    }
    let file = Opened::of(read, path, look)?;
    if input.old.is_empty() {
        return Err(exists(&file.shown));
    }
    let sight = Glance::of(look, path, &file);
    sight.permits_at_all()?;
    let wish = input.wish();
    let text = file.text.as_str();
    let found = wish.locate(&file.shown, text)?;
    if !wish.is_evident(&found) {
        sight
            .permits()
            .map_err(|err| misses::unseen(err, text, &found))?;
    }
    edited(path, &file, input, &found, &sight)
}

/// A file that was to be created is there already.
fn exists(shown: &str) -> ToolError {
    let fact = format!("`{shown}` exists already, and the text to be replaced is empty.");
    ToolError::new(Code::Exists, fact)
        .hint("Give the text to be replaced, or overwrite the file as a whole.")
}

fn edited(
    path: &Path,
    file: &Opened,
    input: &Input,
    found: &Found,
    sight: &Glance,
) -> Result<Prepared, ToolError> {
    let before = file.text.as_str();
    let splices = input.wish().splices(&file.shown, before, found)?;
    let bytes = file
        .text
        .replace(&splices)
        .map_err(|err| fault::told(&err, &file.shown, "edited"))?;
    if bytes == file.content.bytes {
        return Err(misses::no_change(&file.shown));
    }
    let after = spliced(before, &splices);
    let first = splices.first();
    let start = first.map_or(0, |splice| splice.range.start);
    let length = first.map_or(0, |splice| splice.with.len());
    let end = |text| diff::End {
        shown: &file.shown,
        text,
    };
    let output = Output {
        given: input.path.clone(),
        shown: file.shown.clone(),
        path: path.to_path_buf(),
        replacements: u64::try_from(splices.len()).unwrap_or(u64::MAX),
        start_line: lines::number_at(before, start),
        how: found.how,
        diff: diff::between(Some(end(before)), Some(end(&after))),
        snippet: Snippet::around(&after, start..start + length),
        hash: ContentHash::of(&bytes),
        known: sight.once_changed(before, &after, &splices),
        note: None,
    };
    Ok(Prepared {
        path: path.to_path_buf(),
        bytes,
        expect: Expect::Content(file.content.hash),
        output,
    })
}

/// A new file, for families that make one by an edit.
fn creation(path: &Path, input: &Input, look: &Look) -> Prepared {
    debug_assert_eq!(input.empty_old, EmptyOld::Creates);
    let shown = look.show(path);
    let bytes = input.new.clone().into_bytes();
    let after = diff::End {
        shown: &shown,
        text: &input.new,
    };
    let output = Output {
        given: input.path.clone(),
        path: path.to_path_buf(),
        replacements: 0,
        start_line: 1,
        how: How::Exact,
        diff: diff::between(None, Some(after)),
        snippet: Snippet::around(&input.new, 0..input.new.len()),
        hash: ContentHash::of(&bytes),
        known: None,
        note: None,
        shown,
    };
    Prepared {
        path: path.to_path_buf(),
        bytes,
        expect: Expect::Absent,
        output,
    }
}
