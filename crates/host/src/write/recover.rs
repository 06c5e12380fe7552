//! Finishing or taking back what a killed process left behind.
//!
//! Where each file stands is seen by content alone, never remembered, so a recovery that is killed itself is simply
//! made again.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::commit::settle;
use super::ground::Ground;
use super::lock::{self, FolderLocks};
use super::record::{self, Left, Record, aside};
use super::standing::{At, Standing};
use crate::HostError;
use crate::error::At as _;

/// The lock that lets one process recover at a time.
const LOCK: &str = "recovery.lock";

/// What was done about changes that a killed process had not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The files that belong to them.
    pub files: Vec<PathBuf>,
    /// Which way they went.
    pub rolled: Rolled,
    /// Those among them that hold neither the old content nor the new one; they were left as they are.
    pub untouched: Vec<PathBuf>,
}

/// Which way changes went that were not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rolled {
    /// All files hold their old content.
    Back,
    /// All files hold their new content.
    Forward,
    /// Neither could be reached, for this reason. It is tried again the next time.
    Stuck(HostError),
}

/// Recovers all that dead processes left in a folder.
pub(super) fn all(folder: &Path, ground: &Ground<'_>) -> Result<Vec<Recovered>, HostError> {
    match std::fs::metadata(folder) {
        Err(err) if err.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        found => found.at(folder)?,
    };
    let guard = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(folder.join(LOCK))
        .at(folder)?;
    lock::wait_for(&guard, folder)?;
    let mut recovered = Vec::new();
    for path in record::records(folder).at(folder)? {
        if let Some(file) = claim(&path)? {
            recovered.extend(one(path, file, ground)?);
        }
    }
    Ok(recovered)
}

/// Takes over a record whose process is dead.
fn claim(path: &Path) -> Result<Option<File>, HostError> {
    let file = match OpenOptions::new().read(true).append(true).open(path) {
        Err(err) if err.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.at(path)?,
    };
    // Where there are no locks nobody can tell who lives, and nothing is touched.
    let dead = file.try_lock().is_ok() && file.metadata().at(path)?.nlink() > 0;
    Ok(dead.then_some(file))
}

/// Recovers what one record tells of. `None` when no file had been changed.
fn one(path: PathBuf, mut file: File, ground: &Ground<'_>) -> Result<Option<Recovered>, HostError> {
    let left = Left::read(&mut file).at(&path)?;
    let record = Record::found(path, file);
    let _locks = FolderLocks::take(left.items.iter().filter_map(|item| item.target.parent()))?;
    let (rolled, untouched) = match settled(&left, ground) {
        Ok(settled) => settled,
        Err(err) => (Rolled::Stuck(err), Vec::new()),
    };
    if !matches!(rolled, Rolled::Stuck(_)) {
        clean(&left, &rolled, ground);
        ground.reached("ending the record");
        record.finish(left.items.len());
    }
    let files: Vec<PathBuf> = left.items.into_iter().map(|item| item.target).collect();
    Ok((!files.is_empty()).then_some(Recovered {
        files,
        rolled,
        untouched,
    }))
}

/// Brings all files to one side.
fn settled(left: &Left, ground: &Ground<'_>) -> Result<(Rolled, Vec<PathBuf>), HostError> {
    let mut standings = Vec::with_capacity(left.items.len());
    for item in &left.items {
        standings.push(Standing::of(item)?);
    }
    let forward = goes_forward(&standings, left.back);
    for standing in &standings {
        ground.reached("recovering a file");
        if forward {
            standing.finish(ground)?;
        } else {
            standing.take_back(ground)?;
        }
    }
    ground.reached("settling");
    let folders = left.items.iter().filter_map(|item| item.target.parent());
    settle(folders.map(Path::to_path_buf).collect());
    let strange = standings.iter().filter(|one| one.at == At::Strange);
    let untouched = strange.map(|one| one.item.target.clone()).collect();
    let rolled = if forward {
        Rolled::Forward
    } else {
        Rolled::Back
    };
    Ok((rolled, untouched))
}

/// Forward is better, since somebody wished for it: unless a change was being taken back, or a file can no longer get
/// its new content.
fn goes_forward(standings: &[Standing<'_>], back: bool) -> bool {
    let is_new = standings.iter().all(|one| one.at == At::New);
    is_new || (!back && standings.iter().all(Standing::can_finish))
}

/// Removes what was made beside the files, and the folders that were made for files that are not to be.
fn clean(left: &Left, rolled: &Rolled, ground: &Ground<'_>) {
    for temp in &left.temps {
        ground.reached("removing a file");
        let _ = std::fs::remove_file(aside(temp));
        let _ = std::fs::remove_file(temp);
    }
    if left.items.is_empty() || *rolled == Rolled::Back {
        for folder in left.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}
