//! Before-images: the contents that files had before they were changed, so that a change can be undone.
//!
//! An image is a file under the hash of its content, compressed as an LZ4 frame, which other programs can read too.
//! LZ4 in Rust alone: an image stands on the way of every edit, so speed counts for more than size, most are smaller
//! than the blocks a file system deals in, and nothing has to be built with a C compiler for it.
//!
//! Images are the one text in the store that nobody redacted, since what is put back must be what was there.

mod keep;
mod prune;
mod reader;

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use toolpost_host::ContentHash;

pub use reader::ImageReader;

use crate::{Result, Store, StoreError};

/// The folder's name, and its tally's.
pub(crate) const FOLDER: &str = "images";
const SUFFIX: &str = ".lz4";

/// A content that was to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Image {
    /// The content's hash.
    pub hash: ContentHash,
    /// How many bytes the content has.
    pub bytes: u64,
    /// Whether it can be given back.
    pub kept: Kept,
}

/// Whether a content can be given back, for as long as its image stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kept {
    /// All of it was kept.
    Whole,
    /// Only its hash: it has more bytes than one image may have.
    TooLarge,
    /// Only its hash: the images of the last hour leave no room.
    NoRoom,
}

impl Kept {
    /// Every value.
    const ALL: [Self; 3] = [Self::Whole, Self::TooLarge, Self::NoRoom];

    /// The name that programs read, as it stands in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::TooLarge => "too_large",
            Self::NoRoom => "no_room",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kept| kept.name() == name)
    }
}

/// How much of before-images is kept, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageLimits {
    /// How many bytes all images together may take on the disk.
    pub max_bytes: u64,
    /// How many bytes a content may have to be kept; of a larger one there is only the hash.
    pub max_image_bytes: u64,
    /// How long an image is kept after the last change that it belongs to.
    pub max_age: Duration,
    /// How long it is kept at the least, whatever else.
    pub min_age: Duration,
}

impl Default for ImageLimits {
    /// 1 GB, 256 MB a content, fourteen days, one hour.
    fn default() -> Self {
        Self {
            max_bytes: 1_000_000_000,
            max_image_bytes: 256_000_000,
            max_age: Duration::from_secs(14 * 24 * 60 * 60),
            min_age: Duration::from_secs(60 * 60),
        }
    }
}

impl Store {
    /// Gives the content with this hash; `None` when it was not kept, or is no longer.
    ///
    /// All of it is checked before the reader is given, and again as it is read: a content that is not what its hash
    /// says is an error that names the image, and never gets as far as a file. It stays readable when it is removed
    /// meanwhile.
    pub fn image(&self, hash: ContentHash) -> Result<Option<ImageReader>> {
        let path = self.image_path(hash);
        let open = || File::open(&path);
        let file = match open() {
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(|err| StoreError::io("read", &path, err))?,
        };
        let again = file
            .try_clone()
            .map_err(|err| StoreError::io("read", &path, err))?;
        ImageReader::new(file, hash, &path).check()?;
        ImageReader::rewound(again, hash, &path).map(Some)
    }

    pub(crate) fn image_path(&self, hash: ContentHash) -> PathBuf {
        let folder = self.root().join(FOLDER);
        folder.join(format!("{hash}{SUFFIX}"))
    }
}

#[cfg(test)]
mod tests;
