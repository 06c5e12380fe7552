//! Folders that are made for a new file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::ground::Ground;
use crate::error::At;
use crate::{Fault, HostError};

/// The folders that were made, outermost first, so that they can be taken back.
#[derive(Debug, Default)]
pub(super) struct Parents {
    made: Vec<PathBuf>,
}

impl Parents {
    /// Makes a folder and those above it, as far as they are missing.
    pub(super) fn ensure(
        &mut self,
        folder: &Path,
        ground: &mut Ground<'_>,
    ) -> Result<(), HostError> {
        match std::fs::metadata(folder) {
            Ok(meta) if meta.is_dir() => return Ok(()),
            Ok(_) => {
                return Err(HostError::new(
                    Fault::NotAFolder,
                    folder,
                    "it is not a folder, so nothing can be in it",
                ));
            }
            Err(err) if err.kind() == ErrorKind::NotFound => {}
            // Something above it is no folder; which, the next step up says.
            Err(err) if err.kind() == ErrorKind::NotADirectory => {}
            Err(err) => return Err(HostError::from_io(folder, &err)),
        }
        if let Some(above) = folder.parent() {
            self.ensure(above, ground)?;
        }
        match ground.make_folder(folder) {
            Ok(()) => self.made.push(folder.to_path_buf()),
            Err(err) if err.kind() == ErrorKind::AlreadyExists => {}
            Err(err) => return Err(err).at(folder),
        }
        Ok(())
    }

    /// Removes the made folders again, as far as they are empty.
    pub(super) fn take_back(&mut self) {
        while let Some(folder) = self.made.pop() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}
