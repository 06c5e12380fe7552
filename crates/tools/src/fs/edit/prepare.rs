//! Planning an edit: reading, finding, making the new bytes.

use std::path::{Path, PathBuf};

use toolpost_core::{Cx, Look, PriorRead, ToolError};
use toolpost_host::{Content, ContentHash, Expect, Fault, HostError, Nul, Splice, Text};

use super::matching::{self, Found, How};
use super::snippet::Snippet;
use super::splicing::{self, Change};
use super::{EmptyOld, Input, Output, Ready, misses};
use crate::files::{diff, lines, place, sight};
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
    let content = match toolpost_host::read_whole(path, place::WHOLE_LIMIT_BYTES) {
        Err(err) if err.fault == Fault::NotFound && input.old.is_empty() => {
            return Ok(creation(path, input, look));
        }
        read => read.map_err(|err| place::fault(&err, look, path, "edited"))?,
    };
    let file = File {
        shown: look.show(path),
        text: Text::decode_with(&content.bytes, Nul::Accepted)
            .map_err(|err| fault::told(&err, &look.show(path), "edited"))?,
        content,
    };
    if input.old.is_empty() {
        return Err(misses::exists(&file.shown));
    }
    let seen = sight::of(look, path, &file.content.hash);
    if look.settings.prior_read == PriorRead::Strict
        && let Some(err) = sight::missing(seen, &file.shown)
    {
        return Err(err);
    }
    let found = locate(&file, input)?;
    let evident = found.how == How::Exact && (found.spans.len() == 1 || input.expected.is_some());
    if !evident
        && look.settings.prior_read != PriorRead::Off
        && let Some(err) = sight::missing(seen, &file.shown)
    {
        return Err(misses::unseen(err, &file, &found));
    }
    edited(path, &file, input, &found)
}

/// A file that is to be edited.
pub(super) struct File {
    pub(super) shown: String,
    pub(super) content: Content,
    pub(super) text: Text,
}

/// Finds the places, as many as the call asks for.
fn locate(file: &File, input: &Input) -> Result<Found, ToolError> {
    let text = file.text.as_str();
    let Some(found) = matching::find(text, &input.old) else {
        return Err(misses::no_match(file, input));
    };
    let count = u64::try_from(found.spans.len()).unwrap_or(u64::MAX);
    if let Some(expected) = input.expected
        && expected != count
    {
        return Err(misses::other_count(file, &found, expected));
    }
    let many = count > 1 || found.overlaps;
    let all = input.replace_all || input.expected.is_some();
    // What forgives more than line breaks has to be unique, whatever was asked for.
    if many && (!all || found.how > How::LineBreaks) {
        return Err(misses::ambiguous(file, &found));
    }
    Ok(found)
}

fn edited(path: &Path, file: &File, input: &Input, found: &Found) -> Result<Prepared, ToolError> {
    let before = file.text.as_str();
    let change = Change {
        old: &input.old,
        new: &input.new,
        how: found.how,
    };
    let splices: Vec<Splice> = found
        .spans
        .iter()
        .map(|span| Splice {
            range: span.clone(),
            with: splicing::replacement(before, span, &change),
        })
        .collect();
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
        forgiven: found.how.forgiven(),
        diff: diff::between(Some(end(before)), Some(end(&after))),
        snippet: Snippet::around(&after, start..start + length),
        hash: ContentHash::of(&bytes),
        note: None,
    };
    Ok(Prepared {
        path: path.to_path_buf(),
        bytes,
        expect: Expect::Content(file.content.hash),
        output,
    })
}

/// The text with its places replaced.
fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for splice in splices {
        out.push_str(text.get(done..splice.range.start).unwrap_or_default());
        out.push_str(&splice.with);
        done = splice.range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
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
        forgiven: None,
        diff: diff::between(None, Some(after)),
        snippet: Snippet::around(&input.new, 0..input.new.len()),
        hash: ContentHash::of(&bytes),
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
