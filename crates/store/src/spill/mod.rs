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

use crate::{Result, Store, StoreError, StoreErrorKind};

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
                StoreErrorKind::Gone,
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Read, Write};

    use proptest::prelude::*;
    use tempfile::TempDir;

    use crate::{Limits, SpillLimits, Store, StoreErrorKind};

    fn names(folder: &TempDir) -> Vec<String> {
        fs::read_dir(folder.path().join("spill"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_finished_spill_is_read_in_parts() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        let mut writer = store.create_spill(Some("s")).unwrap();
        writer.write_all(b"0123").unwrap();
        writer.write_all("456ö".as_bytes()).unwrap();
        assert_eq!(writer.len_bytes(), 9);
        let promised = writer.id().clone();
        let id = writer.finish().unwrap();
        assert_eq!(id, promised);
        assert_eq!(names(&folder), [id.as_str()]);
        let again = Store::open(folder.path());
        assert_eq!(again.spill_len(id.as_str()).unwrap(), 9);
        let check = |offset: u64, limit: u64, expected: &[u8]| {
            assert_eq!(
                again.read_spill(id.as_str(), offset, limit).unwrap(),
                expected
            );
        };
        check(0, u64::MAX, "0123456ö".as_bytes());
        check(0, 0, b"");
        check(2, 3, b"234");
        check(7, 1, b"\xc3");
        check(8, 100, b"\xb6");
        check(9, 1, b"");
        check(10_000, 1, b"");
        let mut all = String::new();
        again
            .open_spill(id.as_str())
            .unwrap()
            .read_to_string(&mut all)
            .unwrap();
        assert_eq!(all, "0123456ö");
    }

    #[test]
    fn an_unfinished_spill_leaves_nothing() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        let mut writer = store.create_spill(None).unwrap();
        writer.write_all(&[b'x'; 200_000]).unwrap();
        let id = writer.id().clone();
        assert_eq!(
            store.read_spill(id.as_str(), 0, 1).unwrap_err().kind,
            StoreErrorKind::Gone
        );
        assert_eq!(names(&folder).len(), 1);
        drop(writer);
        assert_eq!(names(&folder), [""; 0]);
    }

    #[test]
    fn a_bad_id_reaches_no_file() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        fs::write(folder.path().join("secret"), "x").unwrap();
        for id in ["../secret", "/etc/passwd", "", "sp_", "sp_../../secret/.."] {
            let kinds = [
                store.read_spill(id, 0, 1).unwrap_err().kind,
                store.spill_len(id).unwrap_err().kind,
                store.open_spill(id).unwrap_err().kind,
            ];
            assert_eq!(kinds, [StoreErrorKind::Name; 3], "{id}");
        }
        let err = store.spill_len("sp_0000000000000000").unwrap_err();
        assert_eq!(err.kind, StoreErrorKind::Gone);
    }

    #[test]
    fn too_much_is_told_and_not_kept() {
        let folder = TempDir::new().unwrap();
        let spills = SpillLimits {
            max_bytes: 10,
            ..SpillLimits::default()
        };
        let limits = Limits {
            spills,
            ..Limits::default()
        };
        let store = Store::with_limits(folder.path(), limits);
        let mut writer = store.create_spill(None).unwrap();
        writer.write_all(b"0123456789").unwrap();
        assert!(writer.write_all(b"x").is_err());
        assert!(writer.write_all(b"").is_ok(), "nothing is always taken");
        assert!(writer.write_all(b"y").is_err(), "a failure stays");
        let err = writer.finish().unwrap_err();
        assert_eq!(err.kind, StoreErrorKind::Full);
        assert!(err.fact.contains("10 bytes"), "{err}");
        assert_eq!(names(&folder), [""; 0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn pages_together_are_what_was_written(
            chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..20),
            page in 1_u64..500,
        ) {
            let folder = TempDir::new().unwrap();
            let store = Store::open(folder.path());
            let mut writer = store.create_spill(None).unwrap();
            for chunk in &chunks {
                writer.write_all(chunk).unwrap();
            }
            let id = writer.finish().unwrap();
            let mut read = Vec::new();
            while (read.len() as u64) < store.spill_len(id.as_str()).unwrap() {
                read.extend(store.read_spill(id.as_str(), read.len() as u64, page).unwrap());
            }
            prop_assert_eq!(read, chunks.concat());
        }
    }
}
