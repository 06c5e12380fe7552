//! A file's content in one piece.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

use crate::error::At;
use crate::{ContentHash, EntryKind, Fault, HostError, Stat, stat};

/// A file's content with what identifies it.
#[derive(Debug, Clone)]
pub struct Content {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Their hash.
    pub hash: ContentHash,
    /// What the system knew about the file when it was opened.
    pub stat: Stat,
}

/// Reads a regular file of at most `limit_bytes`. Anything else is told, never read: no pipe is waited for, no device
/// is opened.
pub fn read_whole(path: &Path, limit_bytes: u64) -> Result<Content, HostError> {
    let (file, stat) = open_regular(path)?;
    if stat.size > limit_bytes {
        return Err(too_large(path, stat.size, limit_bytes));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0).saturating_add(1));
    // A file of the kernel says that it is empty and is not, and a file may grow meanwhile.
    file.take(limit_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .at(path)?;
    let size = bytes.len() as u64;
    if size > limit_bytes {
        return Err(too_large(path, size, limit_bytes));
    }
    let hash = ContentHash::of(&bytes);
    Ok(Content { bytes, hash, stat })
}

/// Opens a regular file for reading, without waiting for anything and without touching anything else.
pub(crate) fn open_regular(path: &Path) -> Result<(File, Stat), HostError> {
    require_file(path, stat(path)?.kind)?;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    let file = file.at(path).map_err(|err| match err.fault {
        Fault::NotFound => HostError::new(Fault::Gone, path, "it was there a moment ago"),
        _ => err,
    })?;
    // What was looked at need not be what was opened.
    let stat = Stat::of(&file.metadata().at(path)?);
    require_file(path, stat.kind)?;
    Ok((file, stat))
}

/// Says what stands where a file was meant.
pub(crate) fn require_file(path: &Path, kind: EntryKind) -> Result<(), HostError> {
    if kind == EntryKind::File {
        return Ok(());
    }
    let detail = format!("it is a {}, not a file", kind.name());
    Err(HostError::new(Fault::NotAFile, path, detail))
}

pub(super) fn too_large(path: &Path, size: u64, limit: u64) -> HostError {
    let detail = format!("it holds {size} bytes, and the limit is {limit}");
    HostError::new(Fault::TooLarge, path, detail)
}
