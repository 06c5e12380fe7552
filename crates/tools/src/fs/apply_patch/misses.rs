//! Why a patch cannot be applied, with what helps to go on.

use std::ops::Range;

use toolpost_core::{Code, Look, ToolError};
use toolpost_host::ApplyError;

use super::locate::Lost;
use super::patch::Chunk;
use super::splicing::Pages;
use crate::fault;
use crate::files::nearest;

/// How many lines are quoted.
const QUOTE_LINES: usize = 20;

/// A chunk that has no place.
pub(super) struct Miss<'a> {
    /// The file as the patch names it.
    pub(super) given: &'a str,
    /// Which chunk of the file's it is, from 1.
    pub(super) number: usize,
    /// How many there are.
    pub(super) of: usize,
    /// The chunk.
    pub(super) chunk: &'a Chunk,
    /// Behind how many lines it was looked for.
    pub(super) from: usize,
}

impl Miss<'_> {
    /// Words it, and quotes what was looked for and what comes nearest.
    pub(super) fn told(&self, lost: &Lost, pages: &Pages<'_>) -> ToolError {
        let given = self.given;
        let which = if self.of == 1 {
            "The chunk".to_owned()
        } else {
            format!("Chunk {} of {}", self.number, self.of)
        };
        let behind = match self.from {
            0 => String::new(),
            line => format!(" behind line {line}, where the chunk before ends"),
        };
        let wanted = self.wanted();
        let index = u64::try_from(self.number - 1).unwrap_or(0);
        let error = match lost {
            Lost::Anchor(anchor) => {
                let fact = format!(
                    "{which} for `{given}` has no place: `@@ {anchor}` names a line that is not there{behind}."
                );
                ToolError::new(Code::NoMatch, fact).quote(near(pages, anchor))
            }
            Lost::Lines => {
                let fact = format!(
                    "{which} for `{given}` has no place: its old lines are not there{behind}."
                );
                let quote = format!("Looked for:\n{wanted}\n{}", near(pages, &wanted));
                ToolError::new(Code::NoMatch, fact).quote(quote.trim_end())
            }
            Lost::NotAtEnd => {
                let fact = format!(
                    "{which} for `{given}` has no place: its old lines are there, but not at the end of the file."
                );
                ToolError::new(Code::NoMatch, fact).quote(format!("Looked for:\n{wanted}"))
            }
            Lost::Several(places) => {
                let lines: Vec<String> = places
                    .iter()
                    .take(QUOTE_LINES)
                    .map(|at| (at + 1).to_string())
                    .collect();
                let fact = format!(
                    "{which} for `{given}` has {} places: lines {}.",
                    places.len(),
                    lines.join(", ")
                );
                let count = u64::try_from(places.len()).unwrap_or(u64::MAX);
                return ToolError::new(Code::Ambiguous, fact)
                    .hint("Add lines around the change, or an anchor `@@ <line above it>`. Nothing was changed.")
                    .with("matches", count)
                    .with("index", index);
            }
        };
        error
            .hint("Send the whole patch again with the lines as they stand in the file. Nothing was changed.")
            .with("index", index)
    }

    /// The old lines as text.
    fn wanted(&self) -> String {
        let old = self.chunk.old();
        let lines: Vec<&str> = old
            .iter()
            .take(QUOTE_LINES)
            .map(|line| line.text.as_str())
            .collect();
        lines.join("\n")
    }
}

fn near(pages: &Pages<'_>, wanted: &str) -> String {
    nearest::quote(pages.text, wanted)
        .map(|quoted| format!("The nearest text in the file, with line numbers:\n{quoted}"))
        .unwrap_or_default()
}

/// A chunk was found, but not so that it could be applied unseen.
pub(super) fn unseen(error: ToolError, pages: &Pages<'_>, lines: &Range<usize>) -> ToolError {
    let shown = pages
        .lines
        .iter()
        .enumerate()
        .take(lines.end)
        .skip(lines.start)
        .take(QUOTE_LINES);
    let quoted: Vec<String> = shown
        .map(|(at, line)| format!("{}\t{}", at + 1, line.text))
        .collect();
    let fact = format!(
        "{} and the patch fits it only when white space and typographic characters are ignored.",
        error.fact.trim_end_matches('.')
    );
    ToolError { fact, ..error }.quote(quoted.join("\n")).hint(
        "Send the whole patch again with the lines as they stand there, or read the file first.",
    )
}

/// Two operations on one file.
pub(super) fn twice(given: &str) -> ToolError {
    let fact = format!("Two operations of the patch are about `{given}`.");
    ToolError::new(Code::Parse, fact).hint("Put all changes of a file into one `*** Update File`.")
}

/// Something is where a file was to come.
pub(super) fn exists(given: &str) -> ToolError {
    let fact = format!("`{given}` exists already.");
    ToolError::new(Code::Exists, fact)
        .hint("Change it with `*** Update File`, or delete it in the same patch before. Nothing was changed.")
}

/// A file was to move onto a link to itself.
pub(super) fn moves_onto_itself(given: &str, to: &str) -> ToolError {
    let fact = format!("`{to}` is another name of `{given}`, so it cannot move there.");
    ToolError::new(Code::Exists, fact).hint("Leave out `*** Move to`.")
}

/// The patch is sound and does nothing.
pub(super) fn no_change() -> ToolError {
    ToolError::new(Code::NoChange, "The patch would change nothing.")
}

/// Writing failed.
pub(super) fn not_applied(err: &ApplyError, look: &Look) -> ToolError {
    let shown = look.show(&err.error.path);
    let error = fault::told(&err.error, &shown, "written");
    if err.rolled_back {
        return error;
    }
    let fact = format!(
        "{} Some files could not be put back as they were.",
        error.fact
    );
    ToolError { fact, ..error }.hint("Look at the files of the patch before you go on.")
}
