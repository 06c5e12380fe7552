//! Writing and removing files, one or many.

use std::path::{Path, PathBuf};

use crate::{ContentHash, Fault, HostError, Permit};

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
        /// The permissions of a new file, for example those of the file it comes from. A file that is there keeps its own.
        mode: Option<u32>,
    },
    /// Removes a file.
    Remove {
        /// The file.
        path: PathBuf,
        /// What has to be there now.
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

/// Gives a file a content.
pub fn write(
    permit: &Permit,
    path: &Path,
    bytes: &[u8],
    expect: Expect,
) -> Result<Written, HostError> {
    let _ = (permit, bytes, expect);
    Err(HostError::new(Fault::Unsupported, path, "not built"))
}

/// Removes a file or a link, never a folder.
pub fn remove(permit: &Permit, path: &Path, expect: Expect) -> Result<(), HostError> {
    let _ = (permit, expect);
    Err(HostError::new(Fault::Unsupported, path, "not built"))
}

/// Makes all changes or none.
pub fn apply(permit: &Permit, changes: &[Change]) -> Result<Vec<Written>, ApplyError> {
    let _ = (permit, changes);
    Ok(Vec::new())
}
