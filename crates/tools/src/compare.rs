//! What became of a file, for people and programs that look at changes after the fact.

use toolpost_core::{Block, FileDiff, View};
use toolpost_host::{Nul, Text};

use crate::files::diff::{self, End};

/// Compares two contents of a file; `None` is a file that is not there. A content that is no text is named, not shown.
#[must_use]
pub fn compare(shown: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> View {
    let decode = |bytes: &[u8]| Text::decode_with(bytes, Nul::Refused).ok();
    let (old, new) = (before.map(decode), after.map(decode));
    if old.iter().chain(&new).any(Option::is_none) {
        return View::note(format!("{shown}: no text; its bytes differ."));
    }
    let (old, new) = (old.flatten(), new.flatten());
    let (old, new) = (
        old.as_ref().map(Text::as_str),
        new.as_ref().map(Text::as_str),
    );
    View::of(Block::Diff(between(shown, old, new)))
}

fn between(shown: &str, before: Option<&str>, after: Option<&str>) -> FileDiff {
    let end = |text| End { shown, text };
    diff::between(before.map(end), after.map(end))
}
