//! Writing a file in place, when it cannot be replaced.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::{FallocateFlags, OFlags, fallocate};
use rustix::io::Errno;

use super::ground::Ground;
use crate::HostError;
use crate::error::At;

/// How much is written between two steps.
const STEP_BYTES: usize = 256 * 1024;

/// Writes a file in place. The room is taken first, so that a full disk is found before a byte is changed; when
/// writing fails even so, the old content is written back.
pub(super) fn rewrite(
    path: &Path,
    bytes: &[u8],
    old: Option<&[u8]>,
    ground: &Ground<'_>,
) -> Result<(), HostError> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
    let mut file = OpenOptions::new()
        .write(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
        .at(path)?;
    let mode = file.metadata().at(path)?.permissions();
    reserve(&file, bytes.len() as u64).at(path)?;
    let written = overwrite(&mut file, bytes, ground);
    if written.is_err()
        && let Some(old) = old
    {
        let _ = overwrite(&mut file, old, ground);
    }
    // The system takes the set-user bit off a file that is written to; whose file it is may put it back.
    if file.metadata().is_ok_and(|meta| meta.permissions() != mode) {
        let _ = file.set_permissions(mode);
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

fn overwrite(file: &mut File, bytes: &[u8], ground: &Ground<'_>) -> io::Result<()> {
    file.rewind()?;
    for piece in bytes.chunks(STEP_BYTES) {
        ground.reached("writing in place");
        file.write_all(piece)?;
    }
    ground.reached("cutting in place");
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}
