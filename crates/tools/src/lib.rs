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
mod compare;
mod dialects;
mod faces;
mod fault;
mod files;
mod looking;

use std::ffi::OsString;
use std::sync::Arc;

use toolpost_core::AnyTool;

pub use compare::compare;
pub use dialects::{DIALECTS, DialectAbout, dialect_named, dialect_of};

/// Declares the rooms of tools, each tool's folder as a module, and the catalogue: one line does all of it, so a tool
/// cannot be there and not be listed.
macro_rules! catalogue {
    ($environment:ident: $($(#[doc = $doc:literal])* $room:ident { $($folder:ident: $tool:expr,)* })*) => {
        $($(#[doc = $doc])* mod $room { $(pub(crate) mod $folder;)* })*

        /// The built-in tools in the order in which they are shown. Commands get their environment from the one given,
        /// by host's rule.
        #[must_use]
        pub fn catalogue($environment: Vec<(OsString, OsString)>) -> Vec<Arc<dyn AnyTool>> {
            vec![$($({
                use $room::$folder::*;
                Arc::new($tool)
            },)*)*]
        }
    };
}

catalogue! { environment:
    /// Tools on files.
    fs {
        read: Read,
        write: Write,
        edit: Edit,
        multi_edit: MultiEdit,
        apply_patch: ApplyPatch,
        notebook_edit: NotebookEdit,
    }
    /// Tools that look for files and for text in them.
    search {
        grep: Grep,
        glob: Glob,
        list: List,
    }
    /// Tools that run commands.
    shell {
        run: ShellRun::new(environment),
    }
}
