//! The identity of a file's content.

use std::fmt;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;

/// The identity of a content: two contents are the same when their hashes are.
///
/// It is the BLAKE3 hash of the whole, or for a large file that was read in part a mark of it, [`ContentHash::mark_of`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes a content that is in memory.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Above this size a file that is read in part is told by its mark instead: hashing 1 GiB takes longer than finding
    /// its lines.
    pub const HASHED_BYTES: u64 = 64 << 20;

    /// Makes the mark of a large file from what the system knows: its device, inode, size, and when its content and
    /// its inode last changed. The last cannot be set by anybody, so a file that was written to since has another
    /// mark; one that is written to through a memory map shows it late. A mark equals no content's hash.
    #[must_use]
    pub fn mark_of(meta: &Metadata) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("toolpost 2026 mark of a large file");
        for part in [meta.dev(), meta.ino(), meta.len()] {
            hasher.update(&part.to_le_bytes());
        }
        for part in [
            meta.mtime(),
            meta.mtime_nsec(),
            meta.ctime(),
            meta.ctime_nsec(),
        ] {
            hasher.update(&part.to_le_bytes());
        }
        Self(*hasher.finalize().as_bytes())
    }

    /// Hashes where a link leads, so that it equals no file's hash.
    pub(crate) fn of_link(leads: &[u8]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("toolpost 2026 target of a link");
        Self(*hasher.update(leads).finalize().as_bytes())
    }

    /// Takes the 32 bytes of a hash that was made elsewhere, by a streaming hasher or read from a store.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads the form that `Display` writes.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text)
            .ok()
            .map(|hash| Self(*hash.as_bytes()))
    }

    /// Gives the 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Writes 64 lower-case hexadecimal digits.
impl fmt::Display for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, ..] = self.0;
        write!(out, "ContentHash({a:02x}{b:02x}{c:02x}{d:02x}…)")
    }
}
