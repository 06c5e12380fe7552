//! A write for a person: what comes and goes.

use toolpost_core::{Block, ToolError, View};

use super::prepare::Prepared;
use super::{Became, Output};

/// What would change; for a write that cannot be made, why.
pub(super) fn before(prepared: &Result<Prepared, ToolError>) -> View {
    match prepared {
        Ok(prepared) => after(&prepared.output),
        Err(err) => View::note(err.fact.clone()),
    }
}

/// What has changed.
pub(super) fn after(output: &Output) -> View {
    match output.became {
        Became::Unchanged => View::note(format!("{} holds exactly this already.", output.shown)),
        _ => View::of(Block::Diff(output.diff.clone())),
    }
}
