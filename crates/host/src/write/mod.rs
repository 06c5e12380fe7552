//! Writing and removing files, one or many.
//!
//! A file is replaced by a new one that is made beside it, carries its mode, owner and attributes, and is renamed into
//! its place under a lock, after a last compare. Where that cannot be, it is written in place, and that is said.
//! Changes that belong together are all made or none, also when the process is killed between two of them, if a folder
//! for the record of them is named.
//!
//! All twelve mode bits of a file stay, set-user and set-group too, as far as this process may give them: whose file it
//! is decided on them, and a change of content is no reason to undo that.

mod commit;
mod expect;
mod ground;
mod lock;
mod make;
mod parents;
mod place;
mod record;
mod recover;
mod stage;
mod standing;
#[cfg(test)]
mod tests;
mod transactions;

use std::path::{Path, PathBuf};

use crate::{ContentHash, HostError, Permit};

pub use recover::{Recovered, Rolled};
pub use transactions::Transactions;

/// How the names of files begin and end that are made beside others.
const TEMP_PREFIX: &str = ".toolpost-";
const TEMP_SUFFIX: &str = ".tmp";

/// What has to be there right before a file is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Nothing.
    Absent,
    /// This content.
    Content(ContentHash),
    /// It does not matter.
    Anything,
}

/// Whether a file is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// It was not there before.
    New,
    /// It had another content, or the same.
    Replaced,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The hash of what it now holds.
    pub hash: ContentHash,
    /// Whether it is new.
    pub created: Created,
    /// What a person should know about how it was written.
    pub note: Option<&'static str>,
}

/// A change of one file, as a part of several that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Gives a file a content.
    Write {
        /// The file.
        path: PathBuf,
        /// All it is to hold.
        bytes: Vec<u8>,
        /// What has to be there now.
        expect: Expect,
        /// The permissions of a new file, for example those of the file it comes from. A file that is there keeps its
        /// own.
        mode: Option<u32>,
    },
    /// Removes a file or a link.
    Remove {
        /// The entry. A link that is named goes itself, never what it leads to; [`crate::resolve_entry`] names it.
        path: PathBuf,
        /// What has to be there now; of a link, the content that it leads to.
        expect: Expect,
    },
}

/// Why changes that belong together were not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct ApplyError {
    /// Which change failed, from 0.
    pub at: usize,
    /// Why.
    pub error: HostError,
    /// Whether everything is as it was before. It is not only when putting something back failed as well.
    pub rolled_back: bool,
}

/// Gives a file a content; folders above it are made, links are followed. All of it is there afterwards, or nothing
/// has changed. No record is kept: [`Transactions::write`] keeps one.
pub fn write(
    permit: &Permit,
    path: &Path,
    bytes: &[u8],
    expect: Expect,
) -> Result<Written, HostError> {
    Transactions::unrecorded().write(permit, path, bytes, expect)
}

/// Removes a file or a link, never a folder and never what a link leads to.
pub fn remove(permit: &Permit, path: &Path, expect: Expect) -> Result<(), HostError> {
    Transactions::unrecorded().remove(permit, path, expect)
}

/// Makes all changes or none, as long as this process lives. What was written is told in the order of the writes. No
/// record is kept: [`Transactions::apply`] keeps one, and is safe from a kill.
pub fn apply(permit: &Permit, changes: &[Change]) -> Result<Vec<Written>, ApplyError> {
    Transactions::unrecorded().apply(permit, changes)
}

/// A change whose content belongs to somebody else.
#[derive(Clone, Copy)]
enum Wish<'a> {
    Write {
        path: &'a Path,
        bytes: &'a [u8],
        expect: Expect,
        mode: Option<u32>,
    },
    Remove {
        path: &'a Path,
        expect: Expect,
    },
}

impl<'a> Wish<'a> {
    fn of(change: &'a Change) -> Self {
        match change {
            Change::Write {
                path,
                bytes,
                expect,
                mode,
            } => Self::Write {
                path,
                bytes,
                expect: *expect,
                mode: *mode,
            },
            Change::Remove { path, expect } => Self::Remove {
                path,
                expect: *expect,
            },
        }
    }
}
