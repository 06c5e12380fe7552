//! The built-in tools, a folder each.
//!
//! A tool's folder holds everything about it: its input, plan and run (`mod.rs`), the work particular to it, the faces
//! that model families see, the card that a model reads, the view that a person sees, and the stories that promise
//! what it does. [`catalogue`] lists the tools, one line each; [`DIALECTS`] the model families.
//!
//! **Invariant:** a tool states its effects in `plan` and works in `run`; it never asks, cuts, redacts, logs or prints.
//! **Invariant:** nothing of a file's content leaves before the call was decided: what planning finds wrong with a
//! content is told by `run`.
//! **Invariant:** argument text is literal; tolerance finds a place and never supplies bytes.

mod blocking;
mod dialects;
mod faces;
mod fault;
mod fs;
mod search;
mod shell;

use std::ffi::OsString;
use std::sync::Arc;

use toolpost_core::AnyTool;

pub use dialects::{DIALECTS, DialectAbout, dialect_named, dialect_of};

/// The built-in tools in the order in which they are shown. Commands get their environment from the one given, by
/// host's rule.
#[must_use]
pub fn catalogue(environment: Vec<(OsString, OsString)>) -> Vec<Arc<dyn AnyTool>> {
    vec![
        Arc::new(fs::read::Read),
        Arc::new(fs::write::Write),
        Arc::new(fs::edit::Edit),
        Arc::new(fs::apply_patch::ApplyPatch),
        Arc::new(search::grep::Grep),
        Arc::new(search::glob::Glob),
        Arc::new(search::list::List),
        Arc::new(shell::run::ShellRun::new(environment)),
    ]
}
