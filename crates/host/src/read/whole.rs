//! A file's content in one piece.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::mpsc;
use std::thread;

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
    let (bytes, hash) = if stat.size > HASHED_APART_BYTES {
        read_and_hash(file, stat.size, limit_bytes).at(path)?
    } else {
        let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0) + 1);
        rest_of(&file, &mut bytes, limit_bytes).at(path)?;
        let hash = ContentHash::of(&bytes);
        (bytes, hash)
    };
    let size = bytes.len() as u64;
    if size > limit_bytes {
        return Err(too_large(path, size, limit_bytes));
    }
    Ok(Content { bytes, hash, stat })
}

/// From this size on a file is hashed by another thread while it is read.
const HASHED_APART_BYTES: u64 = 4 << 20;
/// How much is read before it is given to that thread.
const PIECE_BYTES: usize = 1 << 20;

fn read_and_hash(
    mut file: File,
    size: u64,
    limit_bytes: u64,
) -> io::Result<(Vec<u8>, ContentHash)> {
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(0)];
    let (send, receive) = mpsc::channel::<&[u8]>();
    let (read, hashed) = thread::scope(|scope| {
        let hashing = scope.spawn(move || {
            let mut hasher = blake3::Hasher::new();
            for piece in receive {
                hasher.update(piece);
            }
            hasher
        });
        let read = read_pieces(&mut file, &mut bytes, send);
        (read, hashing.join())
    });
    let read = read?;
    let mut hasher = hashed.map_err(|_| io::Error::other("it could not be hashed"))?;
    bytes.truncate(read);
    rest_of(&file, &mut bytes, limit_bytes)?;
    hasher.update(bytes.get(read..).unwrap_or_default());
    let hash = ContentHash::from_bytes(*hasher.finalize().as_bytes());
    Ok((bytes, hash))
}

/// Reads into a room, gives every piece on, and says how much there was.
fn read_pieces<'a>(
    file: &mut File,
    room: &'a mut [u8],
    send: mpsc::Sender<&'a [u8]>,
) -> io::Result<usize> {
    let mut read = 0;
    for piece in room.chunks_mut(PIECE_BYTES) {
        let filled = fill(file, piece)?;
        let piece: &[u8] = piece;
        let _ = send.send(piece.get(..filled).unwrap_or_default());
        read += filled;
    }
    drop(send);
    Ok(read)
}

/// Reads until a piece is full or the file ends.
fn fill(file: &mut File, piece: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(room) = piece.get_mut(filled..).filter(|room| !room.is_empty()) {
        match file.read(room) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(err) => return Err(err),
        }
    }
    Ok(filled)
}

/// Reads on to the end, or one byte past the limit. A file of the kernel says that it is empty and is not, and a file
/// may grow meanwhile.
fn rest_of(file: &File, bytes: &mut Vec<u8>, limit_bytes: u64) -> io::Result<()> {
    let room = limit_bytes
        .saturating_add(1)
        .saturating_sub(bytes.len() as u64);
    file.take(room).read_to_end(bytes).map(drop)
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
