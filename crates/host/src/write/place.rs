//! Writing a file in place, when it cannot be replaced.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::{FallocateFlags, OFlags, fallocate};
use rustix::io::Errno;

use crate::HostError;
use crate::error::At;

/// Writes a file in place. The room is taken first, so that a full disk is found before a byte is changed; when
/// writing fails even so, the old content is written back.
pub(super) fn rewrite(path: &Path, bytes: &[u8], old: Option<&[u8]>) -> Result<(), HostError> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
    let mut file = OpenOptions::new()
        .write(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
        .at(path)?;
    reserve(&file, bytes.len() as u64).at(path)?;
    let written = overwrite(&mut file, bytes);
    if written.is_err()
        && let Some(old) = old
    {
        let _ = overwrite(&mut file, old);
    }
    written.at(path)
}

/// Takes room beyond the file's end.
fn reserve(file: &File, length: u64) -> io::Result<()> {
    let size = file.metadata()?.len();
    if length <= size {
        return Ok(());
    }
    match fallocate(file, FallocateFlags::KEEP_SIZE, size, length - size) {
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => Ok(()),
        Err(err) => Err(err.into()),
    }
}

fn overwrite(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}
