//! Changes with a record of them, so that a killed process leaves nothing half done.

use std::path::{Path, PathBuf};

use super::ground::Ground;
use super::make::make_all;
use super::record::Record;
use super::recover::{self, Recovered};
use super::{ApplyError, Change, Created, Expect, Wish, Written};
use crate::{ContentHash, HostError, Permit};

/// Where the records of changes are kept while they are made.
///
/// With a folder, changes that belong together are all made or none, at whatever moment the process is killed: the next
/// [`Transactions::recover`] finishes them or takes them back. Everybody who writes to the same files best names the
/// same folder. It has to be private, since old contents may lie in it for a moment; it is made when it is missing.
#[derive(Debug, Clone, Default)]
pub struct Transactions {
    folder: Option<PathBuf>,
}

impl Transactions {
    /// Keeps records in a folder that is for nothing else.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        Self {
            folder: Some(folder.to_path_buf()),
        }
    }

    /// Keeps none: changes are all made or none only as long as the process lives.
    #[must_use]
    pub fn unrecorded() -> Self {
        Self::default()
    }

    /// Gives a file a content; folders above it are made, links are followed. All of it is there afterwards, or nothing
    /// has changed.
    pub fn write(
        &self,
        permit: &Permit,
        path: &Path,
        bytes: &[u8],
        expect: Expect,
    ) -> Result<Written, HostError> {
        let wish = Wish::Write {
            path,
            bytes,
            expect,
            mode: None,
        };
        let written = self.make(permit, &[wish]).map_err(|err| err.error)?;
        let nothing = || Written {
            hash: ContentHash::of(bytes),
            created: Created::Replaced,
            note: None,
        };
        Ok(written.into_iter().next().unwrap_or_else(nothing))
    }

    /// Removes a file or a link, never a folder and never what a link leads to.
    pub fn remove(&self, permit: &Permit, path: &Path, expect: Expect) -> Result<(), HostError> {
        let wish = Wish::Remove { path, expect };
        self.make(permit, &[wish])
            .map(drop)
            .map_err(|err| err.error)
    }

    /// Makes all changes or none. What was written is told in the order of the writes.
    ///
    /// Everything is made ready, compared and written down first; only then files are renamed. When that fails midway,
    /// the old files are put back. Two changes may not name one file, by one name or by two of its names.
    pub fn apply(&self, permit: &Permit, changes: &[Change]) -> Result<Vec<Written>, ApplyError> {
        let wishes: Vec<Wish<'_>> = changes.iter().map(Wish::of).collect();
        self.make(permit, &wishes)
    }

    /// Finishes or takes back what killed processes left behind, and removes the files that they had made ready.
    ///
    /// A file whose content is neither the old nor the new one is left as it is, and told. What a living process is
    /// doing is left to it. When two processes come at once, both return with all of it done.
    pub fn recover(&self, permit: &Permit) -> Result<Vec<Recovered>, HostError> {
        self.recover_in_steps(permit, &|_| {})
    }

    /// The same, with every step told before it is made.
    pub(super) fn recover_in_steps(
        &self,
        _permit: &Permit,
        reached: &dyn Fn(&'static str),
    ) -> Result<Vec<Recovered>, HostError> {
        match &self.folder {
            Some(folder) => recover::all(folder, &Ground::new(None, reached)),
            None => Ok(Vec::new()),
        }
    }

    /// Makes changes, with every step told before it is made.
    pub(super) fn make_in_steps(
        &self,
        wishes: &[Wish<'_>],
        reached: &dyn Fn(&'static str),
    ) -> Result<Vec<Written>, ApplyError> {
        let begin = |folder: &PathBuf| Record::begin(folder);
        let record = self.folder.as_ref().map(begin).transpose();
        let record = record.map_err(super::make::untouched(0))?;
        make_all(Ground::new(record, reached), wishes)
    }

    fn make(&self, _permit: &Permit, wishes: &[Wish<'_>]) -> Result<Vec<Written>, ApplyError> {
        self.make_in_steps(wishes, &|_| {})
    }
}
