//! The last look before a change.

use std::io::ErrorKind;
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
    if matches!(staged.act, Act::Remove) {
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
    let found = hash_of(target).map_err(|err| match err.fault {
        Fault::NotFound => gone(target),
        _ => err,
    })?;
    if found == expected {
        return Ok(());
    }
    Err(HostError::new(
        Fault::Changed,
        target,
        "its content is not what it was",
    ))
}

/// Hashes a file without holding it.
fn hash_of(path: &Path) -> Result<ContentHash, HostError> {
    let (file, _) = open_regular(path)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).at(path)?;
    Ok(ContentHash::from_bytes(*hasher.finalize().as_bytes()))
}

pub(super) fn exists(path: &Path) -> HostError {
    HostError::new(Fault::Exists, path, "it is there already")
}

fn gone(path: &Path) -> HostError {
    HostError::new(Fault::Gone, path, "it is no longer there")
}
