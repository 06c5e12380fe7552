//! Files and folders that only their owner can read.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use tempfile::NamedTempFile;

use crate::{Result, StoreError};

pub(crate) const FOLDER_MODE: u32 = 0o700;
pub(crate) const FILE_MODE: u32 = 0o600;

/// Makes a folder, and what is missing above it. One that is there stays as it is.
pub(crate) fn folder(path: &Path) -> Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER_MODE)
        .create(path)
        .map_err(|err| StoreError::io("make the folder", path, err))
}

/// Takes from others what they may do with a file or a folder of ours, where an older mode let them.
pub(crate) fn tighten(path: &Path, mode: u32) -> Result<()> {
    let tighten = || -> io::Result<()> {
        let now = fs::symlink_metadata(path)?.permissions().mode();
        if now & 0o077 != 0 {
            fs::set_permissions(path, Permissions::from_mode(mode))?;
        }
        Ok(())
    };
    tighten().map_err(|err| StoreError::io("make private", path, err))
}

/// Opens a file for writing, and makes it where it is missing.
pub(crate) fn open_or_create(path: &Path) -> Result<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(FILE_MODE)
        .open(path)
        .map_err(|err| StoreError::io("open", path, err))
}

/// Locks a file against all who lock it too, in this process or another; the lock goes with the handle.
pub(crate) fn lock(file: &File, path: &Path) -> Result<()> {
    loop {
        match file.lock() {
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            locked => return locked.map_err(|err| StoreError::io("lock", path, err)),
        }
    }
}

/// Makes an empty file with a name of its own that starts with `prefix`; it goes when the value is dropped.
pub(crate) fn temporary(folder: &Path, prefix: &str) -> Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(prefix)
        .rand_bytes(12)
        .permissions(Permissions::from_mode(FILE_MODE))
        .tempfile_in(folder)
        .map_err(|err| StoreError::io("make a file in", folder, err))
}

/// Gives a path this content in one step: whoever reads it sees the old or the new, never half.
///
/// Nothing is forced to the disk: after a power cut the file may be empty, and its reader says so.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    let mut file = temporary(folder, PART)?;
    file.write_all(content)
        .map_err(|err| StoreError::io("write", path, err))?;
    file.persist(path)
        .map_err(|err| StoreError::io("write", path, err.error))?;
    Ok(())
}

/// How the names of files start that are not yet what they are to be.
pub(crate) const PART: &str = "part-";

/// Removes a file; that it is gone already is no failure.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", path, err))
        }
        _ => Ok(()),
    }
}

/// Removes a half-written file unless somebody still writes it: whoever writes holds a lock on it.
pub(crate) fn remove_abandoned(path: &Path) -> Result<bool> {
    let Ok(file) = File::open(path) else {
        return Ok(false);
    };
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Ok(false);
    }
    remove(path).map(|()| true)
}

/// Forces a file, or a folder's list of names, to the disk. `false` when it is not there.
pub(crate) fn sync(path: &Path) -> Result<bool> {
    match File::open(path).and_then(|file| file.sync_all()) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(false),
        synced => synced
            .map(|()| true)
            .map_err(|err| StoreError::io("write to the disk", path, err)),
    }
}

/// Whether something is there under this path.
pub(crate) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// A time as file systems know it; what lies before 1970 is taken for its first moment.
pub(crate) fn system_time(at: Timestamp) -> SystemTime {
    let since = u64::try_from(at.as_microsecond()).unwrap_or(0);
    let at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_micros(since));
    at.unwrap_or(SystemTime::UNIX_EPOCH)
}

/// A file of a folder, for deciding what goes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    /// When it was last written; the order of entries is this, then the name.
    pub(crate) modified: SystemTime,
    /// Its name.
    pub(crate) name: String,
    /// Its size.
    pub(crate) bytes: u64,
}

/// Lists the files of a folder of ours, oldest first. What goes away meanwhile is left out; no folder is an empty one.
pub(crate) fn entries(folder: &Path) -> Result<Vec<Entry>> {
    let list = || -> io::Result<Vec<Entry>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            if let (true, Ok(name)) = (metadata.is_file(), entry.file_name().into_string()) {
                found.push(Entry {
                    modified: metadata.modified()?,
                    name,
                    bytes: metadata.len(),
                });
            }
        }
        found.sort();
        Ok(found)
    };
    match list() {
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed.map_err(|err| StoreError::io("look into", folder, err)),
    }
}

/// Removes the oldest files of a folder beyond a number, never the one just written.
pub(crate) fn keep_newest(folder: &Path, limit: usize, just_written: &Path) -> Result<()> {
    let counted = fs::read_dir(folder).map_err(|err| StoreError::io("look into", folder, err))?;
    if counted.count() <= limit {
        return Ok(());
    }
    let listed = entries(folder)?;
    let surplus = listed.len().saturating_sub(limit);
    listed
        .iter()
        .map(|entry| folder.join(&entry.name))
        .filter(|path| path != just_written)
        .take(surplus)
        .try_for_each(|path| remove(&path))
}
