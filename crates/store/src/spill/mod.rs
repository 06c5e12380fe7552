//! Spill: the full text of what was cut, in a private file with an id.

mod id;
mod prune;
mod writer;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

pub use id::SpillId;
pub use prune::{Pruned, SpillLimits};
pub use writer::SpillWriter;

use crate::{Kind, Result, Store, StoreError};

const FOLDER: &str = "spill";

impl Store {
    /// Begins a spill that belongs to a session, or to none. What is written was redacted by the caller.
    pub fn create_spill(&self, session: Option<&str>) -> Result<SpillWriter> {
        SpillWriter::create(self, session)
    }

    /// Reads a part of a spill: up to `limit` bytes from an offset, fewer at its end. A part may begin and end within a
    /// character.
    pub fn read_spill(&self, id: &str, offset_bytes: u64, limit: u64) -> Result<Vec<u8>> {
        let mut file = self.open_spill(id)?;
        let mut part = Vec::new();
        file.seek(SeekFrom::Start(offset_bytes))
            .and_then(|_| file.take(limit).read_to_end(&mut part))
            .map_err(|err| StoreError::io("read", &self.shared.root.join(FOLDER), err))?;
        Ok(part)
    }

    /// Tells how many bytes a spill has.
    pub fn spill_len(&self, id: &str) -> Result<u64> {
        let file = self.open_spill(id)?;
        let metadata = file
            .metadata()
            .map_err(|err| StoreError::io("look at", &self.shared.root.join(FOLDER), err))?;
        Ok(metadata.len())
    }

    /// Opens a spill for reading, for whoever searches it. It stays readable even when it is removed meanwhile.
    pub fn open_spill(&self, id: &str) -> Result<File> {
        let path = self.spill_path(id)?;
        File::open(&path).map_err(|err| match err.kind() {
            io::ErrorKind::NotFound => StoreError::new(
                Kind::Gone,
                format!("The spill `{id}` is not there, or no longer."),
                "Make the call again that it came from; old spills are removed.",
            ),
            _ => StoreError::io("read", &path, err),
        })
    }

    pub(crate) fn spill_path(&self, id: &str) -> Result<PathBuf> {
        let id = SpillId::parse(id)?;
        Ok(self.shared.root.join(FOLDER).join(id.as_str()))
    }
}
