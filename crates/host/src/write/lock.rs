//! Locks on folders, so that two writers who compare and rename do not do it at once.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::{Fault, HostError};

/// How long a lock is waited for. A lock is held for a compare and a rename, so this is long.
const WAIT_MS: u64 = 10_000;
/// The longest pause between two tries.
const PAUSE_MS: u64 = 20;

/// The locks of some folders, until they are dropped. They hold between threads and between processes.
#[derive(Debug)]
pub(super) struct FolderLocks {
    _held: Vec<File>,
}

impl FolderLocks {
    /// Locks folders in one order, whatever order they are named in. A folder that cannot be locked, because it cannot
    /// be read or its file system has no locks, is passed by.
    pub(super) fn take<'a>(folders: impl Iterator<Item = &'a Path>) -> Result<Self, HostError> {
        let folders: BTreeSet<&Path> = folders.collect();
        let until = Instant::now() + Duration::from_millis(WAIT_MS);
        let mut held = Vec::with_capacity(folders.len());
        for folder in folders {
            let Ok(file) = File::open(folder) else {
                continue;
            };
            if wait(&file, until) == Waited::InVain {
                return Err(HostError::new(
                    Fault::Io,
                    folder,
                    "another program keeps the folder locked",
                ));
            }
            held.push(file);
        }
        Ok(Self { _held: held })
    }
}

/// Waits for the lock of a file of our own.
pub(super) fn wait_for(file: &File, path: &Path) -> Result<(), HostError> {
    match wait(file, Instant::now() + Duration::from_millis(WAIT_MS)) {
        Waited::Locked => Ok(()),
        Waited::NoLocksHere | Waited::InVain => {
            let detail = "its lock cannot be had, so nothing is recovered now";
            Err(HostError::new(Fault::Io, path, detail))
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Waited {
    Locked,
    NoLocksHere,
    InVain,
}

fn wait(file: &File, until: Instant) -> Waited {
    let mut pause_ms = 1;
    loop {
        match file.try_lock() {
            Ok(()) => return Waited::Locked,
            Err(TryLockError::Error(_)) => return Waited::NoLocksHere,
            Err(TryLockError::WouldBlock) if Instant::now() >= until => return Waited::InVain,
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(Duration::from_millis(pause_ms));
                pause_ms = (pause_ms * 2).min(PAUSE_MS);
            }
        }
    }
}
