//! Searching files with ripgrep's libraries. One set of rules holds for all three searches.

mod glob;
mod grep;
mod near;
mod tree;

use crate::HostError;

pub use glob::{FoundPath, glob};
pub use grep::{
    Case, FileHits, GrepOutcome, GrepQuery, HitKind, HitLine, Multiline, Pattern, Reading, grep,
};
pub use near::near_names;
pub use tree::{TreeEntry, tree};

/// What is done with entries whose name begins with a dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hidden {
    /// They are passed by.
    #[default]
    Skip,
    /// They are entries like all others.
    Show,
}

/// What is done with entries that a `.gitignore`, `.ignore` or `.rgignore` file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ignored {
    /// They are passed by.
    #[default]
    Skip,
    /// They are entries like all others.
    Show,
}

/// Which entries a search looks at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    /// Hidden entries.
    pub hidden: Hidden,
    /// Ignored entries.
    pub ignored: Ignored,
    /// Globs that a file has to match one of; one that begins with `!` excludes.
    pub globs: Vec<String>,
    /// Names of file types as ripgrep knows them, for example `rust`.
    pub types: Vec<String>,
    /// How many levels below the root; the root's own entries are level 1.
    pub depth: Option<usize>,
}

/// Why a search could not be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The pattern, a glob or a type is not understood.
    #[error("{message}")]
    Pattern {
        /// What is wrong.
        message: String,
        /// Where in the pattern, in bytes.
        offset: Option<usize>,
    },
    /// The machine said no.
    #[error(transparent)]
    Host(#[from] HostError),
}
