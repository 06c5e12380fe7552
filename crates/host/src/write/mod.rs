//! Writing and removing files, one or many.
//!
//! A file is replaced by a new one that is made beside it, carries its mode, owner and attributes, and is renamed into
//! its place under a lock, after a last compare. Where that cannot be, it is written in place, and that is said.

mod commit;
mod expect;
mod lock;
mod parents;
mod place;
mod stage;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::{ContentHash, HostError, Permit};

use commit::{Done, Keep};
use lock::FolderLocks;
use parents::Parents;
use stage::Staged;

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

/// Gives a file a content; folders above it are made, links are followed. All of it is there afterwards, or nothing
/// has changed.
pub fn write(
    permit: &Permit,
    path: &Path,
    bytes: &[u8],
    expect: Expect,
) -> Result<Written, HostError> {
    let wish = Wish::Write {
        path,
        bytes,
        expect,
        mode: None,
    };
    let written = make_all(permit, &[wish]).map_err(|err| err.error)?;
    let nothing = Written {
        hash: ContentHash::of(bytes),
        created: Created::Replaced,
        note: None,
    };
    Ok(written.into_iter().next().unwrap_or(nothing))
}

/// Removes a file or a link, never a folder.
pub fn remove(permit: &Permit, path: &Path, expect: Expect) -> Result<(), HostError> {
    let wish = Wish::Remove { path, expect };
    make_all(permit, &[wish]).map(drop).map_err(|err| err.error)
}

/// Makes all changes or none. What was written is told in the order of the writes.
///
/// Everything is made ready and compared first; only then files are renamed. When that fails midway, the old files are
/// put back. Two changes may not name one file.
pub fn apply(permit: &Permit, changes: &[Change]) -> Result<Vec<Written>, ApplyError> {
    let wishes: Vec<Wish<'_>> = changes.iter().map(Wish::of).collect();
    make_all(permit, &wishes)
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

fn make_all(_permit: &Permit, wishes: &[Wish<'_>]) -> Result<Vec<Written>, ApplyError> {
    let mut parents = Parents::default();
    let made = make_with(&mut parents, wishes);
    if let Err(err) = &made
        && err.rolled_back
    {
        parents.take_back();
    }
    made
}

fn make_with(parents: &mut Parents, wishes: &[Wish<'_>]) -> Result<Vec<Written>, ApplyError> {
    let mut staged: Vec<Staged<'_>> = Vec::with_capacity(wishes.len());
    for (at, wish) in wishes.iter().enumerate() {
        let next = stage::stage(*wish, parents).map_err(untouched(at))?;
        if staged.iter().any(|other| other.target == next.target) {
            return Err(untouched(at)(stage::twice(&next.target)));
        }
        staged.push(next);
    }
    let _locks = FolderLocks::take(staged.iter().map(|one| one.folder()))
        .map_err(|err| untouched(0)(err))?;
    for (at, one) in staged.iter().enumerate() {
        expect::check(one).map_err(untouched(at))?;
    }
    let folders: Vec<PathBuf> = staged
        .iter()
        .map(|one| one.folder().to_path_buf())
        .collect();
    let written = commit_all(staged)?;
    commit::settle(folders);
    Ok(written)
}

/// Renames one after the other, and puts all back when one fails.
fn commit_all(staged: Vec<Staged<'_>>) -> Result<Vec<Written>, ApplyError> {
    let last = staged.len().saturating_sub(1);
    let mut done: Vec<Done> = Vec::with_capacity(staged.len());
    for (at, one) in staged.into_iter().enumerate() {
        // Nothing can fail after the last one, so its old content need not be kept.
        let keep = if at == last { Keep::Nothing } else { Keep::Old };
        match commit::commit(one, keep) {
            Ok(next) => done.push(next),
            Err(error) => {
                let back = done.into_iter().rev().map(Done::take_back);
                let rolled_back = back.filter(Result::is_err).count() == 0;
                return Err(ApplyError {
                    at,
                    error,
                    rolled_back,
                });
            }
        }
    }
    Ok(done.into_iter().filter_map(Done::written).collect())
}

/// An error before anything was touched.
fn untouched(at: usize) -> impl Fn(HostError) -> ApplyError {
    move |error| ApplyError {
        at,
        error,
        rolled_back: true,
    }
}
