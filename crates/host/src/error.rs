//! How the machine says no.

use std::io;
use std::path::{Path, PathBuf};

/// What sort of fault it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Nothing is there.
    NotFound,
    /// This process may not.
    Permission,
    /// Something is there, and it is no regular file.
    NotAFile,
    /// Something is there, and it is no folder.
    NotAFolder,
    /// Something is there already.
    Exists,
    /// The content differs from the expected one.
    Changed,
    /// It is larger than the limit.
    TooLarge,
    /// The bytes are no text.
    Binary,
    /// It cannot be done with this file, for example because its encoding lacks a character.
    Unsupported,
    /// It was there a moment ago.
    Gone,
    /// Anything else that the system reported: a full disk, a loop of links.
    Io,
}

/// A fault with the place it concerns.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", path.display())]
pub struct HostError {
    /// What sort of fault it was.
    pub fault: Fault,
    /// The path or the program that was meant.
    pub path: PathBuf,
    /// What the system said, or a plain sentence in its place; it ends without a full stop.
    pub detail: String,
}

impl HostError {
    /// Makes an error with its own sentence.
    #[must_use]
    pub fn new(fault: Fault, path: impl Into<PathBuf>, detail: impl Into<String>) -> Self {
        Self {
            fault,
            path: path.into(),
            detail: detail.into(),
        }
    }

    /// Makes an error of what the system said about a path.
    #[must_use]
    pub fn from_io(path: impl Into<PathBuf>, err: &io::Error) -> Self {
        Self::new(fault_of(err), path, sentence_of(err))
    }

    /// The same fault about another path, for example after [`crate::Text::decode`], which knows none.
    #[must_use]
    pub fn at(mut self, path: &Path) -> Self {
        self.path = path.to_path_buf();
        self
    }
}

/// Sorts what the system said.
fn fault_of(err: &io::Error) -> Fault {
    match err.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Fault::NotFound,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Fault::Permission,
        io::ErrorKind::AlreadyExists => Fault::Exists,
        io::ErrorKind::IsADirectory => Fault::NotAFile,
        io::ErrorKind::ArgumentListTooLong => Fault::TooLarge,
        _ => Fault::Io,
    }
}

/// The system's words without the error's number.
fn sentence_of(err: &io::Error) -> String {
    let text = err.to_string();
    match text.find(" (os error ") {
        Some(end) => text.get(..end).unwrap_or(&text).to_owned(),
        None => text,
    }
}

/// Gives `io::Result`s the path they concern.
pub(crate) trait At<T> {
    /// Turns the system's error into one that names the path.
    fn at(self, path: &Path) -> Result<T, HostError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, HostError> {
        self.map_err(|err| HostError::from_io(path, &err))
    }
}

impl<T> At<T> for rustix::io::Result<T> {
    fn at(self, path: &Path) -> Result<T, HostError> {
        self.map_err(|err| HostError::from_io(path, &err.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, HostError};
    use rustix::io::Errno;

    #[test]
    fn the_system_is_understood() {
        let check = |errno: Errno, fault: Fault, detail: &str| {
            let err = HostError::from_io("/x", &errno.into());
            assert_eq!((err.fault, err.detail.as_str()), (fault, detail));
        };
        check(Errno::NOENT, Fault::NotFound, "No such file or directory");
        check(Errno::NOTDIR, Fault::NotFound, "Not a directory");
        check(Errno::ACCESS, Fault::Permission, "Permission denied");
        check(Errno::PERM, Fault::Permission, "Operation not permitted");
        check(Errno::ROFS, Fault::Permission, "Read-only file system");
        check(Errno::ISDIR, Fault::NotAFile, "Is a directory");
        check(Errno::EXIST, Fault::Exists, "File exists");
        check(Errno::NOSPC, Fault::Io, "No space left on device");
        check(Errno::FBIG, Fault::Io, "File too large");
        check(Errno::LOOP, Fault::Io, "Too many levels of symbolic links");
    }

    #[test]
    fn it_names_the_place() {
        let err = HostError::from_io("/x/y", &Errno::NOENT.into());
        assert_eq!(err.to_string(), "/x/y: No such file or directory");
    }
}
