//! Searching files with ripgrep's libraries. One set of rules holds for all searches.

mod glob;
mod grep;
mod hits;
mod near;
mod pattern;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

use crate::HostError;

pub use glob::{FoundPath, glob, glob_root};
pub use grep::{FileHits, GrepOutcome, GrepQuery, HitKind, HitLine, grep};
pub use near::near_names;
pub use pattern::{Case, Multiline, Pattern, Reading};
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

/// What is done with entries that a `.gitignore`, `.ignore` or `.rgignore` file names, in a repository or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ignored {
    /// They are passed by.
    #[default]
    Skip,
    /// They are entries like all others.
    Show,
}

/// Which entries a search looks at. What a caller names as the root is always looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    /// Hidden entries.
    pub hidden: Hidden,
    /// Ignored entries.
    pub ignored: Ignored,
    /// Globs that a file has to match one of; one that begins with `!` excludes, folders with all that is in them too.
    /// One without a slash counts at any depth, else it counts from the root. They show nothing that is hidden or
    /// ignored.
    pub globs: Vec<String>,
    /// Names of file types as ripgrep knows them, for example `rust`. A file has to be of one of them.
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
        /// Where in the pattern, in bytes, if that is known.
        offset: Option<usize>,
    },
    /// The machine said no.
    #[error(transparent)]
    Host(#[from] HostError),
}

impl SearchError {
    fn pattern(message: impl Into<String>) -> Self {
        Self::Pattern {
            message: message.into(),
            offset: None,
        }
    }
}
