//! A page of lines for a person.

use toolpost_core::{Block, View};

use super::Output;

/// The lines with their numbers.
pub(super) fn of(output: &Output) -> View {
    if output.page.total_lines == 0 {
        return View::note(format!("{} is empty.", output.shown));
    }
    View::of(Block::Code {
        path: output.shown.clone(),
        first_line: output.page.first + 1,
        lines: output
            .page
            .lines
            .iter()
            .map(|line| line.text.clone())
            .collect(),
    })
}
