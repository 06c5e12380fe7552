//! Changes: which files a call changed, and what they were before, so that it can be undone.
//!
//! Undoing a change is a change too, with images of its own; so an undo can be undone.

mod query;
mod record;

use std::fmt;
use std::path::PathBuf;

use jiff::Timestamp;
use toolpost_host::ContentHash;

pub use query::ChangeFilter;

use crate::Image;

/// A change's number. Later changes have higher ones, and none is given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChangeId(pub i64);

impl fmt::Display for ChangeId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// What a call changed, to be recorded.
#[derive(Debug, Clone)]
pub struct NewChange<'a> {
    /// The call's id, unique within its batch.
    pub call: &'a str,
    /// The session, when it has a name.
    pub session: Option<&'a str>,
    /// The batch's id, unique for ever.
    pub batch: &'a str,
    /// When it happened; kept to the microsecond.
    pub at: Timestamp,
    /// What a person reads, for example the plan's title. It has passed the caller's gate.
    pub title: &'a str,
    /// The files, each path once, in the order in which they were changed.
    pub files: &'a [FileChange],
    /// The change that this one undoes.
    pub undoes: Option<ChangeId>,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Where the file is now, or was when it was removed; any bytes.
    pub path: PathBuf,
    /// What was there before, at `moved_from` where the file was moved; `None` when nothing was.
    pub before: Option<Image>,
    /// What is there now; `None` when nothing is.
    pub after: Option<ContentHash>,
    /// The permission bits before.
    pub mode_before: Option<u32>,
    /// The permission bits now.
    pub mode_after: Option<u32>,
    /// Where the file was before, when it was moved.
    pub moved_from: Option<PathBuf>,
}

/// A change as it stands in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Its number.
    pub id: ChangeId,
    /// The call's id.
    pub call: String,
    /// The session's name.
    pub session: Option<String>,
    /// The batch's id.
    pub batch: String,
    /// When it happened.
    pub at: Timestamp,
    /// What a person reads.
    pub title: String,
    /// The files, in the order in which they were changed.
    pub files: Vec<FileChange>,
    /// The change that this one undoes.
    pub undoes: Option<ChangeId>,
    /// The change that last undid this one.
    pub undone_by: Option<ChangeId>,
    /// Whether it holds, after all undoing and undoing of that.
    pub standing: Standing,
}

/// Whether a change holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It holds: it was never undone, or what undid it was undone itself.
    Holds,
    /// It is undone.
    Undone,
}

#[cfg(test)]
mod tests;
