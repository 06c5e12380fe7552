//! A patch for a person: what comes and goes, file by file.

use toolpost_core::{Block, ToolError, View};

use super::prepare::Prepared;
use super::{Output, Touched};

/// What would change; for a patch that does not fit, why.
pub(super) fn before(prepared: &Result<Prepared, ToolError>) -> View {
    match prepared {
        Ok(prepared) => cards(&prepared.files),
        Err(err) => View::note(err.fact.clone()),
    }
}

/// What has changed.
pub(super) fn after(output: &Output) -> View {
    cards(&output.files)
}

fn cards(files: &[Touched]) -> View {
    let card = |file: &Touched| {
        let named = file.diff.before.is_some() || file.diff.after.is_some();
        if named {
            Block::Diff(file.diff.clone())
        } else {
            Block::Note {
                text: format!("Moved to {}.", file.given),
            }
        }
    };
    View {
        blocks: files.iter().map(card).collect(),
    }
}
