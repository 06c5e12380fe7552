//! Reading an image, and checking it.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use lz4_flex::frame::FrameDecoder;
use toolpost_host::ContentHash;

use crate::{Result, StoreError, StoreErrorKind};

const BUFFER_BYTES: usize = 64 * 1024;

/// A kept content, as it was. Where it ends it is checked: a content that is not what its hash says ends with an error.
pub struct ImageReader {
    content: FrameDecoder<BufReader<File>>,
    hasher: blake3::Hasher,
    hash: ContentHash,
    path: PathBuf,
}

impl ImageReader {
    pub(super) fn new(file: File, hash: ContentHash, path: &Path) -> Self {
        Self {
            content: FrameDecoder::new(BufReader::with_capacity(BUFFER_BYTES, file)),
            hasher: blake3::Hasher::new(),
            hash,
            path: path.to_owned(),
        }
    }

    /// Reads from the file's beginning.
    pub(super) fn rewound(mut file: File, hash: ContentHash, path: &Path) -> Result<Self> {
        file.seek(SeekFrom::Start(0))
            .map_err(|err| StoreError::io("read", path, err))?;
        Ok(Self::new(file, hash, path))
    }

    /// Reads all of it, for the check at the end.
    pub(super) fn check(mut self) -> Result<()> {
        let path = self.path.clone();
        match io::copy(&mut self, &mut io::sink()) {
            Ok(_) => Ok(()),
            Err(err) => Err(match err.downcast::<StoreError>() {
                Ok(damaged) => damaged,
                Err(err) => StoreError::io("read", &path, err),
            }),
        }
    }

    /// The hash of the content.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    fn damaged(&self) -> io::Error {
        let failure = StoreError::new(
            StoreErrorKind::Damaged,
            format!(
                "The before-image `{}` is damaged: its content is not the one that was kept.",
                self.path.display()
            ),
            "Get the file's earlier content from elsewhere; nothing was put back.",
        );
        io::Error::new(io::ErrorKind::InvalidData, failure)
    }
}

impl Read for ImageReader {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        if part.is_empty() {
            return Ok(0);
        }
        let count = match self.content.read(part) {
            Ok(count) => count,
            Err(err) if is_of_the_system(&err) => return Err(err),
            Err(_) => return Err(self.damaged()),
        };
        self.hasher.update(part.get(..count).unwrap_or_default());
        let whole = count > 0 || self.hasher.finalize().as_bytes() == self.hash.as_bytes();
        whole.then_some(count).ok_or_else(|| self.damaged())
    }
}

impl std::fmt::Debug for ImageReader {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ImageReader")
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}

/// Whether a failure is the system's; all others mean that the file is no sound frame.
fn is_of_the_system(err: &io::Error) -> bool {
    err.raw_os_error().is_some()
}
