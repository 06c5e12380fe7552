//! What changes are made with: the record, if one is kept, and the steps on the way.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::record::Record;
use crate::HostError;
use crate::error::At as _;

/// Carries the record of a transaction through its steps.
pub(super) struct Ground<'a> {
    /// `None` when nobody names a folder for it.
    pub(super) record: Option<Record>,
    reached: &'a dyn Fn(&'static str),
}

impl<'a> Ground<'a> {
    /// `reached` is told each step before it is made; a test ends the process there.
    pub(super) fn new(record: Option<Record>, reached: &'a dyn Fn(&'static str)) -> Self {
        Self { record, reached }
    }

    /// Says which step comes next.
    pub(super) fn reached(&self, step: &'static str) {
        (self.reached)(step);
    }

    /// Says that what was changed is being taken back. It has to be said before a file that was made ready is dropped:
    /// one that is gone counts as put in its place.
    pub(super) fn goes_back(&self) {
        if let Some(record) = &self.record {
            record.back();
        }
        self.reached("going back");
    }

    /// Makes an empty file with a name nobody else uses. It goes when it is dropped.
    pub(super) fn beside(&mut self, folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
        self.make(folder, |path| {
            OpenOptions::new()
                .read(true)
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(path)
        })
    }

    /// Chooses a name nobody else uses, for what is moved there.
    pub(super) fn name_beside(&mut self, folder: &Path) -> io::Result<TempPath> {
        Ok(self.make(folder, |_| Ok(()))?.into_temp_path())
    }

    fn make<T>(
        &mut self,
        folder: &Path,
        make: impl Fn(&Path) -> io::Result<T>,
    ) -> io::Result<NamedTempFile<T>> {
        let (record, reached) = (&mut self.record, self.reached);
        let mut named = tempfile::Builder::new();
        named.prefix(super::TEMP_PREFIX).suffix(super::TEMP_SUFFIX);
        named.make_in(folder, |path| {
            if let Some(record) = record.as_mut() {
                reached("naming a file");
                record.temp(path)?;
            }
            reached("making a file");
            make(path)
        })
    }

    /// Names the file that keeps the new content of the change with this number, which is written in place.
    pub(super) fn name_image(&mut self, number: usize) -> Result<PathBuf, HostError> {
        let Some(record) = &mut self.record else {
            return Ok(PathBuf::new());
        };
        (self.reached)("naming a file");
        let image = record.image(number);
        record.temp(&image).at(&image)?;
        Ok(image)
    }

    /// Makes a folder.
    pub(super) fn make_folder(&mut self, folder: &Path) -> io::Result<()> {
        if let Some(record) = &mut self.record {
            (self.reached)("naming a folder");
            record.folder(folder)?;
        }
        self.reached("making a folder");
        std::fs::create_dir(folder)
    }
}

/// Writes a content where only we look.
pub(super) fn keep_image(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write as _;
    let mut file = File::create(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    file.write_all(bytes)?;
    file.sync_all()
}
