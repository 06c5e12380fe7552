//! What a path leads to.

use std::fs::Metadata;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::time::SystemTime;

use crate::HostError;
use crate::error::At;

/// What sort of thing an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, where links are not followed.
    Link,
    /// A block or character device.
    Device,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// Something else.
    Other,
}

impl EntryKind {
    /// The kind of a file type of the standard library.
    pub(crate) fn of(kind: std::fs::FileType) -> Self {
        if kind.is_file() {
            Self::File
        } else if kind.is_dir() {
            Self::Folder
        } else if kind.is_symlink() {
            Self::Link
        } else if kind.is_block_device() || kind.is_char_device() {
            Self::Device
        } else if kind.is_fifo() {
            Self::Pipe
        } else if kind.is_socket() {
            Self::Socket
        } else {
            Self::Other
        }
    }

    /// What a person calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Folder => "folder",
            Self::Link => "link",
            Self::Device => "device",
            Self::Pipe => "pipe",
            Self::Socket => "socket",
            Self::Other => "special file",
        }
    }
}

/// What the system knows about a file, besides its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    /// What sort of thing it is.
    pub kind: EntryKind,
    /// How many bytes it holds.
    pub size: u64,
    /// When its content was last changed.
    pub modified: Option<SystemTime>,
    /// The twelve bits of its permissions.
    pub mode: u32,
    /// How many names it has.
    pub links: u64,
    /// Device and inode: two paths with the same id are one file.
    pub id: (u64, u64),
}

impl Stat {
    /// The same, of what the standard library found.
    pub(crate) fn of(meta: &Metadata) -> Self {
        Self {
            kind: EntryKind::of(meta.file_type()),
            size: meta.len(),
            modified: meta.modified().ok(),
            mode: meta.mode() & 0o7777,
            links: meta.nlink(),
            id: (meta.dev(), meta.ino()),
        }
    }
}

/// Looks at what a path leads to; links are followed.
pub fn stat(path: &Path) -> Result<Stat, HostError> {
    std::fs::metadata(path).map(|meta| Stat::of(&meta)).at(path)
}
