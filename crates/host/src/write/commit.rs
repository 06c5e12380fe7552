//! Making a change that is ready, and taking it back.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, rename, renameat_with};
use rustix::io::Errno;
use tempfile::{NamedTempFile, TempPath};

use super::stage::{Act, Staged, beside, check_size};
use super::{Created, Written, expect, place};
use crate::error::At;
use crate::{ContentHash, HostError};

const MOUNTED: &str = "written in place: it is mounted by itself";

/// Whether what was there has to be kept for taking the change back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Old,
    Nothing,
}

/// A change that was made.
pub(super) struct Done {
    target: PathBuf,
    back: Back,
    written: Option<Written>,
}

/// How a change is taken back.
enum Back {
    /// The old file is here; it goes when this is dropped.
    Exchange(TempPath),
    /// The old file is here, and nothing is in its place.
    Return(TempPath),
    /// There was nothing.
    Remove,
    /// This was its content.
    Rewrite(Vec<u8>),
    /// It cannot be, and need not be.
    Not,
}

impl Done {
    /// Takes the change back.
    pub(super) fn take_back(self) -> Result<(), HostError> {
        let target = self.target.as_path();
        match self.back {
            Back::Exchange(old) => exchange(&old, target).at(target),
            Back::Return(old) => rename(&*old, target).at(target),
            Back::Remove => std::fs::remove_file(target).at(target),
            Back::Rewrite(old) => place::rewrite(target, &old, None),
            Back::Not => Ok(()),
        }
    }

    /// What was written; `None` for a removal.
    pub(super) fn written(self) -> Option<Written> {
        self.written
    }
}

/// Makes a change.
pub(super) fn commit(staged: Staged<'_>, keep: Keep) -> Result<Done, HostError> {
    let Staged {
        target, bytes, act, ..
    } = staged;
    let (back, written) = match act {
        Act::Remove => (take_away(&target, keep)?, None),
        Act::Create(temp) => {
            create(&target, temp)?;
            (Back::Remove, Some((Created::New, None)))
        }
        Act::Swap(temp) => {
            let (back, note) = swap(&target, temp, bytes, keep)?;
            (back, Some((Created::Replaced, note)))
        }
        Act::InPlace(note) => {
            let back = in_place(&target, bytes)?;
            (back, Some((Created::Replaced, Some(note))))
        }
    };
    let written = written.map(|(created, note)| Written {
        hash: ContentHash::of(bytes),
        created,
        note,
    });
    Ok(Done {
        target,
        back,
        written,
    })
}

/// Puts a new file where nothing is. What appeared meanwhile is not written over.
fn create(target: &Path, temp: NamedTempFile) -> Result<(), HostError> {
    match temp.persist_noclobber(target) {
        Ok(_) => Ok(()),
        Err(err) if err.error.kind() == ErrorKind::AlreadyExists => Err(expect::exists(target)),
        Err(err) => Err(HostError::from_io(target, &err.error)),
    }
}

/// Puts a new file in the place of an old one.
fn swap(
    target: &Path,
    temp: NamedTempFile,
    bytes: &[u8],
    keep: Keep,
) -> Result<(Back, Option<&'static str>), HostError> {
    let temp = temp.into_temp_path();
    let swapped = match keep {
        Keep::Nothing => rename(&*temp, target),
        Keep::Old => exchange(&temp, target),
    };
    match swapped {
        Ok(()) if keep == Keep::Old => Ok((Back::Exchange(temp), None)),
        Ok(()) => Ok((Back::Not, None)),
        Err(Errno::BUSY) => Ok((in_place(target, bytes)?, Some(MOUNTED))),
        // The file went away since it was compared, and nobody expected anything of it.
        Err(Errno::NOENT) if keep == Keep::Old => {
            rename(&*temp, target).at(target)?;
            Ok((Back::Remove, None))
        }
        Err(err) => Err(err).at(target),
    }
}

fn in_place(target: &Path, bytes: &[u8]) -> Result<Back, HostError> {
    check_size(target, bytes)?;
    let old = std::fs::read(target).ok();
    place::rewrite(target, bytes, old.as_deref())?;
    Ok(old.map_or(Back::Not, Back::Rewrite))
}

fn take_away(target: &Path, keep: Keep) -> Result<Back, HostError> {
    if keep == Keep::Nothing {
        std::fs::remove_file(target).at(target)?;
        return Ok(Back::Not);
    }
    let folder = target.parent().unwrap_or(Path::new("/"));
    let aside = beside(folder, 0o600).at(target)?.into_temp_path();
    rename(target, &*aside).at(target)?;
    Ok(Back::Return(aside))
}

/// Lets two files change places. Where the system cannot do it at once, in three steps.
fn exchange(one: &Path, other: &Path) -> rustix::io::Result<()> {
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
        result => return result,
    }
    let mut aside = one.as_os_str().to_owned();
    aside.push("~");
    let aside = Path::new(&aside);
    rename(other, aside)?;
    if let Err(err) = rename(one, other) {
        rename(aside, other)?;
        return Err(err);
    }
    rename(aside, one)
}

/// Makes the renames lasting. A folder that cannot be synced is left to the system: the change is made.
pub(super) fn settle(mut folders: Vec<PathBuf>) {
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        if let Ok(folder) = std::fs::File::open(folder) {
            let _ = folder.sync_all();
        }
    }
}
