//! Making a change that is ready, and taking it back.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, RenameFlags, linkat, rename, renameat_with};
use rustix::io::Errno;
use tempfile::{NamedTempFile, TempPath};

use super::ground::{Ground, keep_image};
use super::record::aside;
use super::stage::{Act, Staged, check_size};
use super::{Created, Written, expect, place};
use crate::HostError;
use crate::error::At;

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
    /// This was its content; it is kept in a file as well, if there is one.
    Rewrite {
        old: Vec<u8>,
        _kept: Option<TempPath>,
    },
    /// It cannot be, and need not be.
    Not,
}

impl Done {
    /// Takes the change back.
    pub(super) fn take_back(self, ground: &Ground<'_>) -> Result<(), HostError> {
        ground.reached("taking back");
        let target = self.target.as_path();
        match self.back {
            Back::Exchange(old) => exchange(&old, target).at(target),
            Back::Return(old) => rename(&*old, target).at(target),
            Back::Remove => std::fs::remove_file(target).at(target),
            Back::Rewrite { old, .. } => place::rewrite(target, &old, None, ground),
            Back::Not => Ok(()),
        }
    }

    /// What was written; `None` for a removal.
    pub(super) fn written(self) -> Option<Written> {
        self.written
    }
}

/// Makes a change.
pub(super) fn commit(
    staged: Staged<'_>,
    keep: Keep,
    ground: &Ground<'_>,
) -> Result<Done, HostError> {
    let hash = staged.hash();
    let Staged {
        target, bytes, act, ..
    } = staged;
    ground.reached("changing a file");
    let (back, written) = match act {
        Act::Remove(aside) => (take_away(&target, aside, keep)?, None),
        Act::Create(temp) => {
            create(&target, temp, ground)?;
            (Back::Remove, Some((Created::New, None)))
        }
        Act::Swap(temp) => {
            let (back, note) = swap(&target, temp.into_temp_path(), bytes, (keep, ground))?;
            (back, Some((Created::Replaced, note)))
        }
        Act::InPlace(note) => {
            let back = in_place(&target, bytes, None, ground)?;
            (back, Some((Created::Replaced, Some(note))))
        }
    };
    let written = written.map(|(created, note)| Written {
        hash,
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
fn create(target: &Path, temp: NamedTempFile, ground: &Ground<'_>) -> Result<(), HostError> {
    let Err(err) = temp.persist_noclobber(target) else {
        return Ok(());
    };
    ground.goes_back();
    Err(match err.error.kind() {
        ErrorKind::AlreadyExists => expect::exists(target),
        _ => HostError::from_io(target, &err.error),
    })
}

/// Puts a new file in the place of an old one.
fn swap(
    target: &Path,
    temp: TempPath,
    bytes: &[u8],
    (keep, ground): (Keep, &Ground<'_>),
) -> Result<(Back, Option<&'static str>), HostError> {
    let swapped = match keep {
        Keep::Nothing => rename(&*temp, target),
        Keep::Old => exchange(&temp, target),
    };
    match swapped {
        Ok(()) if keep == Keep::Old => Ok((Back::Exchange(temp), None)),
        Ok(()) => Ok((Back::Not, None)),
        Err(Errno::BUSY) => Ok((in_place(target, bytes, Some(&temp), ground)?, Some(MOUNTED))),
        // The file went away since it was compared, and nobody expected anything of it.
        Err(Errno::NOENT) if keep == Keep::Old => {
            rename(&*temp, target).at(target)?;
            Ok((Back::Remove, None))
        }
        Err(err) => {
            ground.goes_back();
            Err(err).at(target)
        }
    }
}

/// Writes a file in place. When it was to be swapped, `temp` is the file that was made for it, and what was there is
/// kept beside that one first if a record is kept.
fn in_place(
    target: &Path,
    bytes: &[u8],
    temp: Option<&Path>,
    ground: &Ground<'_>,
) -> Result<Back, HostError> {
    check_size(target, bytes)?;
    let old = std::fs::read(target).ok();
    let mut kept = None;
    if let (Some(temp), Some(old), Some(_)) = (temp, &old, &ground.record) {
        let path = aside(temp);
        keep_image(&path, old).at(target)?;
        kept = TempPath::try_from_path(path).ok();
    }
    place::rewrite(target, bytes, old.as_deref(), ground)?;
    Ok(old.map_or(Back::Not, |old| Back::Rewrite { old, _kept: kept }))
}

fn take_away(target: &Path, aside: TempPath, keep: Keep) -> Result<Back, HostError> {
    if keep == Keep::Nothing {
        std::fs::remove_file(target).at(target)?;
        return Ok(Back::Not);
    }
    rename(target, &*aside).at(target)?;
    Ok(Back::Return(aside))
}

/// Lets a new file and the one whose place it takes change places.
pub(super) fn exchange(new: &Path, target: &Path) -> rustix::io::Result<()> {
    match renameat_with(CWD, new, CWD, target, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => exchange_in_steps(new, target),
        result => result,
    }
}

/// The same where the system cannot do it at once. The old file gets a second name first, so that something is always
/// in its place; only where no file can have two names it is away for a moment.
pub(super) fn exchange_in_steps(new: &Path, target: &Path) -> rustix::io::Result<()> {
    let old = aside(new);
    if linkat(CWD, target, CWD, &old, AtFlags::empty()).is_err() {
        rename(target, &old)?;
    }
    if let Err(err) = rename(new, target) {
        rename(&old, target)?;
        let _ = std::fs::remove_file(&old);
        return Err(err);
    }
    rename(&old, new)
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
