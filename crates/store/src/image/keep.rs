//! Keeping an image.

use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::time::SystemTime;

use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};
use tempfile::NamedTempFile;
use toolpost_host::ContentHash;

use super::{FOLDER, Image, Kept};
use crate::tally::{self, Tally};
use crate::{Result, Store, StoreError, StoreErrorKind};

const CHUNK_BYTES: usize = 256 * 1024;
/// What a file takes on the disk is a multiple of this on most file systems.
const BLOCK_BYTES: u64 = 4_096;

/// A content on its way into a file.
type Sink = FrameEncoder<BufWriter<NamedTempFile>>;

impl Store {
    /// Keeps a content under its hash, reading it once with flat memory.
    ///
    /// A content that is too large, or has no room, is read to its end too: the hash is told, and that it stands alone.
    /// The image is on its way to the disk when this returns, and safely there when [`Store::record_change`] has
    /// returned for a change that it belongs to; without one it goes after a while.
    ///
    /// The store prunes here by itself: when the images no longer fit, and once an hour for age. The time is that of
    /// the file just written, so that ages are measured by one clock.
    pub fn keep_image(&self, content: impl Read) -> Result<Image> {
        let written = self.write_image(content, tally::begin(self, FOLDER)?)?;
        let mut image = written.image;
        if let Some(file) = written.file {
            image.kept = self.place_image(image.hash, file)?;
        }
        Ok(image)
    }

    /// Compresses a content into a file, and hashes it; one that turns out too large loses its file on the way.
    fn write_image(&self, mut content: impl Read, file: NamedTempFile) -> Result<Written> {
        let path = file.path().to_owned();
        let max_bytes = self.shared.limits.images.max_image_bytes;
        let mut sink = Some(sink(file));
        let mut hasher = blake3::Hasher::new();
        let mut bytes = 0_u64;
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let count = fill(&mut content, &mut chunk)?;
            let part = chunk.get(..count).unwrap_or_default();
            if part.is_empty() {
                break;
            }
            hasher.update(part);
            bytes = bytes.saturating_add(count as u64);
            if bytes > max_bytes {
                sink = None;
            }
            if let Some(sink) = &mut sink {
                sink.write_all(part)
                    .map_err(|err| StoreError::io("write", &path, err))?;
            }
        }
        let file = sink.map(|sink| finish(sink, &path)).transpose()?;
        let image = Image {
            hash: ContentHash::from_bytes(*hasher.finalize().as_bytes()),
            bytes,
            kept: Kept::TooLarge,
        };
        Ok(Written { image, file })
    }

    /// Gives a written image its name, in place of an equal one, when there is room for it.
    fn place_image(&self, hash: ContentHash, file: NamedTempFile) -> Result<Kept> {
        let path = self.image_path(hash);
        let (bytes, now) = measure(&file)?;
        let max_bytes = self.shared.limits.images.max_bytes;
        let mut tally = Tally::lock(self.root(), FOLDER)?;
        if tally.is_due(bytes, max_bytes, now) {
            // What cannot be pruned now is tried again with the next image; it is no reason not to keep this one.
            let _ = self.prune_images_under(&mut tally, now);
        }
        if tally.bytes().saturating_add(bytes) > max_bytes {
            return Ok(Kept::NoRoom);
        }
        // An equal image that is there is replaced: it may be damaged, and this one counts as new.
        file.persist(&path)
            .map_err(|err| StoreError::io("write", &path, err.error))?;
        tally.add(bytes)?;
        Ok(Kept::Whole)
    }
}

/// What came of a content.
struct Written {
    image: Image,
    /// The compressed content, unless it is too large.
    file: Option<NamedTempFile>,
}

fn sink(file: NamedTempFile) -> Sink {
    let shape = FrameInfo::new()
        .block_size(BlockSize::Max256KB)
        .block_mode(BlockMode::Linked);
    FrameEncoder::with_frame_info(shape, BufWriter::with_capacity(CHUNK_BYTES, file))
}

fn finish(sink: Sink, path: &Path) -> Result<NamedTempFile> {
    let failed = |err| StoreError::io("write", path, err);
    let buffer = sink.finish().map_err(|err| failed(err.into()))?;
    buffer.into_inner().map_err(|err| failed(err.into_error()))
}

/// Reads until a chunk is full or the content ends: hashing and compressing go faster over more at once.
fn fill(content: &mut impl Read, chunk: &mut [u8]) -> Result<usize> {
    let mut count = 0;
    while let Some(rest) = chunk.get_mut(count..).filter(|rest| !rest.is_empty()) {
        match content.read(rest) {
            Ok(0) => break,
            Ok(read) => count += read,
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(err) => return Err(unreadable(err)),
        }
    }
    Ok(count)
}

fn unreadable(err: io::Error) -> StoreError {
    StoreError::new(
        StoreErrorKind::Io,
        format!("The content to be kept could not be read: {err}."),
        "Make the file readable and try again.",
    )
    .because(err)
}

/// What a file takes on the disk, and when it was written.
fn measure(file: &NamedTempFile) -> Result<(u64, SystemTime)> {
    let look = || -> io::Result<_> {
        let metadata = file.as_file().metadata()?;
        Ok((on_disk(metadata.len()), metadata.modified()?))
    };
    look().map_err(|err| StoreError::io("look at", file.path(), err))
}

/// What a file of so many bytes takes on the disk.
pub(super) fn on_disk(bytes: u64) -> u64 {
    bytes
        .checked_next_multiple_of(BLOCK_BYTES)
        .unwrap_or(u64::MAX)
}
