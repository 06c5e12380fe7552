//! A tally: how many bytes lie in a folder of the store, and when that was last counted.
//!
//! Counting means a look at every file, so processes add to the tally as they add files, and count only when it is
//! over a limit, or an hour old. It lies in a small file beside the folder, whose lock keeps the processes apart.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

use crate::{Result, Store, StoreError, private};

/// How long a count is good for.
const COUNT_EVERY: Duration = Duration::from_secs(60 * 60);
/// Longer than any tally that was written here.
const LONGEST_BYTES: u64 = 100;

/// A tally under lock: nobody else reads or changes it while this lives.
#[derive(Debug)]
pub(crate) struct Tally {
    file: File,
    path: PathBuf,
    /// How many bytes there are, as far as it was added to.
    bytes: u64,
    /// When they were last counted; `None` when they never were.
    counted: Option<SystemTime>,
}

impl Tally {
    /// Waits for the lock and reads the tally. One that is not there, or cannot be read, was never counted.
    pub(crate) fn lock(root: &Path, name: &str) -> Result<Self> {
        let (file, path) = open(root, name)?;
        private::lock(&file, &path)?;
        let mut text = String::new();
        let read = (&file).take(LONGEST_BYTES).read_to_string(&mut text);
        match read {
            Err(err) if err.kind() != io::ErrorKind::InvalidData => {
                return Err(StoreError::io("read", &path, err));
            }
            _ => {}
        }
        let (bytes, counted) = parse(&text).map_or((0, None), |(bytes, at)| (bytes, Some(at)));
        Ok(Self {
            file,
            path,
            bytes,
            counted,
        })
    }

    /// How many bytes there are, as far as it was added to.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it is time to count, with so many bytes more.
    pub(crate) fn is_due(&self, more_bytes: u64, max_bytes: u64, now: SystemTime) -> bool {
        let fresh = self
            .counted
            .and_then(|counted| now.duration_since(counted).ok())
            .is_some_and(|age| age < COUNT_EVERY);
        !fresh || self.bytes.saturating_add(more_bytes) > max_bytes
    }

    /// Adds what came.
    pub(crate) fn add(&mut self, bytes: u64) -> Result<()> {
        self.bytes = self.bytes.saturating_add(bytes);
        self.save()
    }

    /// Sets what was counted. Without a time the next one who adds counts again.
    pub(crate) fn set(&mut self, bytes: u64, now: Option<SystemTime>) -> Result<()> {
        self.bytes = bytes;
        self.counted = now.or(self.counted);
        self.save()
    }

    fn save(&mut self) -> Result<()> {
        let since = |at: SystemTime| at.duration_since(SystemTime::UNIX_EPOCH).ok();
        let seconds = self.counted.and_then(since).unwrap_or_default().as_secs();
        let text = format!("{} {seconds}\n", self.bytes);
        let file = &mut self.file;
        file.set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(text.as_bytes()))
            .map_err(|err| StoreError::io("write", &self.path, err))
    }
}

/// Holds off whoever locks the tally, together with others who only hold it; it goes with the handle.
pub(crate) fn hold(root: &Path, name: &str) -> Result<File> {
    let (file, path) = open(root, name)?;
    loop {
        match file.lock_shared() {
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(err) => return Err(StoreError::io("lock", &path, err)),
            Ok(()) => return Ok(file),
        }
    }
}

/// Begins a file in a folder that has a tally: a half-written one, locked for as long as somebody writes it, so that it
/// is not taken for one that a killed process left. Nobody prunes between its making and its locking.
pub(crate) fn begin(store: &Store, name: &str) -> Result<NamedTempFile> {
    let folder = store.folder(name)?;
    let _held = hold(store.root(), name)?;
    let file = private::temporary(&folder, private::PART)?;
    private::lock(file.as_file(), file.path())?;
    Ok(file)
}

fn open(root: &Path, name: &str) -> Result<(File, PathBuf)> {
    private::folder(root)?;
    let path = root.join(format!("{name}.tally"));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(private::FILE_MODE)
        .open(&path)
        .map_err(|err| StoreError::io("open", &path, err))?;
    Ok((file, path))
}

/// Reads the bytes, and the seconds since 1970. A line that does not end was not written whole.
fn parse(text: &str) -> Option<(u64, SystemTime)> {
    let (bytes, seconds) = text.strip_suffix('\n')?.split_once(' ')?;
    let since = Duration::from_secs(seconds.parse().ok()?);
    Some((
        bytes.parse().ok()?,
        SystemTime::UNIX_EPOCH.checked_add(since)?,
    ))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use tempfile::TempDir;

    use super::Tally;

    fn at(second: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(second)
    }

    #[test]
    fn it_is_due_when_it_is_old_or_over() {
        let folder = TempDir::new().unwrap();
        Tally::lock(folder.path(), "x")
            .unwrap()
            .set(60, Some(at(10_000)))
            .unwrap();
        Tally::lock(folder.path(), "x").unwrap().add(30).unwrap();
        let tally = Tally::lock(folder.path(), "x").unwrap();
        assert_eq!(tally.bytes(), 90);
        let check = |more: u64, second: u64, expected: bool| {
            assert_eq!(
                tally.is_due(more, 100, at(second)),
                expected,
                "{more} {second}"
            );
        };
        check(0, 10_000, false);
        check(10, 10_000, false);
        check(11, 10_000, true);
        check(u64::MAX, 10_000, true);
        check(0, 13_599, false);
        check(0, 13_600, true);
        check(0, 9_999, true);
    }

    #[test]
    fn what_cannot_be_read_was_never_counted() {
        let check = |content: &[u8], expected: bool| {
            let folder = TempDir::new().unwrap();
            fs::write(folder.path().join("x.tally"), content).unwrap();
            let tally = Tally::lock(folder.path(), "x").unwrap();
            assert_eq!(tally.is_due(0, 100, at(50)), expected, "{content:?}");
        };
        check(b"7 50\n", false);
        check(b"7 50", true);
        check(b"", true);
        check(b"7\n", true);
        check(b"x 50\n", true);
        check(b"-1 50\n", true);
        check(b"7 18446744073709551615\n", true);
        check(b"\xff 50\n", true);
        check(&[b'9'; 200], true);
    }
}
