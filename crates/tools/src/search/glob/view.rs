//! Files that were found, for a person.

use toolpost_core::{Block, View};

use super::Output;

/// The page as a list.
pub(super) fn of(output: &Output) -> View {
    if output.page.total == 0 {
        return View::note(format!("No files match {}.", output.pattern));
    }
    View::of(Block::List {
        items: output.paths.clone(),
        more: output.page.total.saturating_sub(output.page.count()),
    })
}
