//! A notebook for a person: what comes and goes.

use toolpost_core::{Block, ToolError, View};

use super::Output;
use super::prepare::Prepared;

/// What would change; for what cannot be made, why.
pub(super) fn before(prepared: &Result<Prepared, ToolError>) -> View {
    match prepared {
        Ok(prepared) => after(&prepared.output),
        Err(err) => View::note(err.fact.clone()),
    }
}

/// What has changed.
pub(super) fn after(output: &Output) -> View {
    View::of(Block::Diff(output.diff.clone()))
}
