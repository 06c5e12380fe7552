//! A folder for a person.

use toolpost_core::{Block, View};

use super::Output;

/// The page as a list.
pub(super) fn of(output: &Output) -> View {
    if output.page.total == 0 {
        return View::note(format!("{} is empty.", output.shown));
    }
    View::of(Block::List {
        items: output.text().lines().map(str::to_owned).collect(),
        more: output.page.total.saturating_sub(output.page.count()),
    })
}
