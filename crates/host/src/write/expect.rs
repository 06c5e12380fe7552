//! The last look before a change.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::Expect;
use super::stage::{Act, Staged};
use crate::error::At;
use crate::read::{open_regular, require_file};
use crate::{ContentHash, EntryKind, Fault, HostError, Stat};

/// Looks at what is there; `None` when nothing is. A link is followed.
pub(super) fn look(path: &Path) -> Result<Option<Stat>, HostError> {
    match std::fs::metadata(path) {
        Ok(meta) => Ok(Some(Stat::of(&meta))),
        Err(err) if err.kind() == ErrorKind::NotFound => Ok(None),
        Err(err) => Err(HostError::from_io(path, &err)),
    }
}

/// Checks that what is expected is there, and that it can be changed at all.
pub(super) fn check(staged: &Staged<'_>) -> Result<(), HostError> {
    let target = staged.target.as_path();
    if matches!(staged.act, Act::Remove(_)) {
        return check_removal(target, staged.expect);
    }
    let found = look(target)?;
    match (&found, staged.expect) {
        (None, Expect::Content(_)) => Err(gone(target)),
        // It was there when it was made ready, and its mode and owner are known: it is made anew.
        (None, _) => Ok(()),
        (Some(stat), _) if stat.kind != EntryKind::File => require_file(target, stat.kind),
        (Some(_), Expect::Absent) => Err(exists(target)),
        (Some(_), Expect::Content(hash)) => check_content(target, hash),
        (Some(_), Expect::Anything) => Ok(()),
    }
}

fn check_removal(target: &Path, expect: Expect) -> Result<(), HostError> {
    let meta = std::fs::symlink_metadata(target).at(target)?;
    if meta.is_dir() {
        return require_file(target, EntryKind::Folder);
    }
    match expect {
        Expect::Absent => Err(exists(target)),
        Expect::Content(hash) => check_content(target, hash),
        Expect::Anything => Ok(()),
    }
}

fn check_content(target: &Path, expected: ContentHash) -> Result<(), HostError> {
    let (file, _) = open_regular(target).map_err(|err| match err.fault {
        Fault::NotFound => gone(target),
        _ => err,
    })?;
    let meta = file.metadata().at(target)?;
    let marked = meta.len() > ContentHash::HASHED_BYTES && ContentHash::mark_of(&meta) == expected;
    if marked || hash_of(file).at(target)? == expected {
        return Ok(());
    }
    Err(HostError::new(
        Fault::Changed,
        target,
        "its content is not what it was",
    ))
}

/// Hashes a file without holding it.
fn hash_of(file: File) -> io::Result<ContentHash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file)?;
    Ok(ContentHash::from_bytes(*hasher.finalize().as_bytes()))
}

/// What an entry itself is, by content; a link by where it leads. `None` when nothing is there.
pub(super) fn identity(path: &Path) -> Result<Option<ContentHash>, HostError> {
    let meta = match std::fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(err) if matches!(err.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(err) => return Err(HostError::from_io(path, &err)),
    };
    if meta.is_symlink() {
        let leads = std::fs::read_link(path).at(path)?;
        return Ok(Some(ContentHash::of_link(leads.as_os_str().as_bytes())));
    }
    let (file, _) = open_regular(path)?;
    hash_of(file).at(path).map(Some)
}

/// What is there now, of a change that was checked.
pub(super) fn old_identity(staged: &Staged<'_>) -> Result<Option<ContentHash>, HostError> {
    let meta = std::fs::symlink_metadata(&staged.target);
    let hashed = |meta: Metadata| meta.is_file() && meta.len() <= ContentHash::HASHED_BYTES;
    match staged.expect {
        Expect::Content(hash) if meta.is_ok_and(hashed) => Ok(Some(hash)),
        _ => identity(&staged.target),
    }
}

pub(super) fn exists(path: &Path) -> HostError {
    HostError::new(Fault::Exists, path, "it is there already")
}

fn gone(path: &Path) -> HostError {
    HostError::new(Fault::Gone, path, "it is no longer there")
}
