//! Undoing what calls changed, and undoing that.

pub(crate) mod before;

use std::fmt;
use std::io::Read as _;
use std::path::PathBuf;

use toolpost_host::{ApplyError, Change, ContentHash, Expect, Fault};
use toolpost_store::{
    ChangeFilter, ChangeId, Changed, FileChange, Image, Kept, NewChange, Standing, StoreError,
};

use crate::Runtime;
use before::Before;

/// The largest file that is put back, in bytes.
const FILE_BYTES: u64 = 256_000_000;

/// What undoing a change would do to one file.
#[derive(Debug, Clone)]
pub struct Restoring {
    /// The file.
    pub path: PathBuf,
    /// What is there now; `None` when nothing is.
    pub now: Option<Vec<u8>>,
    /// What was there before, and would be again; `None` when nothing was.
    pub then: Option<Vec<u8>>,
    now_hash: Option<ContentHash>,
    mode: Option<u32>,
}

/// Why a change cannot be undone. Nothing was touched.
#[derive(Debug)]
pub enum UndoError {
    /// It is undone already; what can be undone is the undoing.
    Undone(ChangeId),
    /// These files have changed since.
    ChangedSince(Vec<PathBuf>),
    /// The content of this file from before is not kept.
    NotKept(PathBuf),
    /// A file could not be read or written.
    Host(toolpost_host::HostError),
    /// The store failed.
    Store(StoreError),
}

impl fmt::Display for UndoError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undone(id) => write!(out, "Change {id} is undone already."),
            Self::ChangedSince(paths) => {
                let shown: Vec<String> = paths
                    .iter()
                    .map(|path| format!("`{}`", path.display()))
                    .collect();
                write!(
                    out,
                    "Changed since, so nothing was touched: {}.",
                    shown.join(", ")
                )
            }
            Self::NotKept(path) => {
                write!(
                    out,
                    "What `{}` held before is not kept, so nothing was touched.",
                    path.display()
                )
            }
            Self::Host(err) => write!(out, "{err}"),
            Self::Store(err) => write!(out, "{err}"),
        }
    }
}

impl std::error::Error for UndoError {}

impl From<StoreError> for UndoError {
    fn from(err: StoreError) -> Self {
        Self::Store(err)
    }
}

impl Runtime {
    /// The latest changes that hold and are no undoing themselves, the newest first.
    ///
    /// # Errors
    /// The store's.
    pub fn undoable(&self, session: Option<&str>, most: usize) -> Result<Vec<Changed>, StoreError> {
        let filter = ChangeFilter {
            session: session.map(str::to_owned),
            ..ChangeFilter::default()
        };
        let changes = self.store().changes(&filter)?;
        let mine =
            |changed: &Changed| changed.standing == Standing::Holds && changed.undoes.is_none();
        Ok(changes.into_iter().rev().filter(mine).take(most).collect())
    }

    /// What undoing a change would do, file by file.
    ///
    /// # Errors
    /// It cannot be undone as things stand.
    pub fn undoing(&self, changed: &Changed) -> Result<Vec<Restoring>, UndoError> {
        if changed.standing == Standing::Undone {
            return Err(UndoError::Undone(changed.id));
        }
        let steps = changed.files.iter().map(|file| self.restoring(file));
        let steps = steps.collect::<Result<Vec<Restoring>, UndoError>>()?;
        let moved = |(step, file): (&Restoring, &FileChange)| {
            (step.now_hash != file.after).then(|| step.path.clone())
        };
        let since: Vec<PathBuf> = steps.iter().zip(&changed.files).filter_map(moved).collect();
        if since.is_empty() {
            Ok(steps)
        } else {
            Err(UndoError::ChangedSince(since))
        }
    }

    /// Undoes a change: all of its files, or none. The undoing is a change too, whose number is given, and can be undone.
    ///
    /// # Errors
    /// It cannot be undone as things stand; then nothing was touched.
    pub fn undo(&self, changed: &Changed, title: &str) -> Result<Option<ChangeId>, UndoError> {
        let steps = self.undoing(changed)?;
        let places = steps
            .iter()
            .map(|step| toolpost_core::Claim::entry(&step.path))
            .collect();
        let effects = toolpost_core::Effects {
            writes: places,
            ..toolpost_core::Effects::NOTHING
        };
        let before = Before::keep(self.store(), &effects);
        let changes: Vec<Change> = steps.into_iter().filter_map(Restoring::change).collect();
        let permit = crate::stages::decide::issue();
        let made = self.shared.transactions().apply(&permit, &changes);
        made.map_err(|ApplyError { error, .. }| match error.fault {
            Fault::Changed => UndoError::ChangedSince(vec![error.path]),
            _ => UndoError::Host(error),
        })?;
        let undoing = NewChange {
            call: &changed.call,
            session: changed.session.as_deref(),
            batch: &changed.batch,
            at: self.shared.parts.clock.wall(),
            title,
            files: &[],
            undoes: Some(changed.id),
        };
        Ok(before.record(self.store(), undoing)?)
    }

    fn restoring(&self, file: &FileChange) -> Result<Restoring, UndoError> {
        let now = match toolpost_host::read_whole(&file.path, FILE_BYTES) {
            Ok(content) => Some(content),
            Err(err) if err.fault == Fault::NotFound => None,
            Err(err) => return Err(UndoError::Host(err)),
        };
        let then = file
            .before
            .map(|image| self.content(image, file))
            .transpose()?;
        let now_hash = now.as_ref().map(|content| content.hash);
        let now = now.map(|content| content.bytes);
        Ok(Restoring {
            path: file.path.clone(),
            now,
            then,
            now_hash,
            mode: file.mode_before,
        })
    }

    fn content(&self, image: Image, file: &FileChange) -> Result<Vec<u8>, UndoError> {
        let not_kept = || UndoError::NotKept(file.path.clone());
        if image.kept != Kept::Whole {
            return Err(not_kept());
        }
        let mut bytes = Vec::new();
        let mut reader = self.store().image(image.hash)?.ok_or_else(not_kept)?;
        reader.read_to_end(&mut bytes).map_err(|_| not_kept())?;
        Ok(bytes)
    }
}

impl Restoring {
    /// The change to a file that brings it back; none when it is as it was.
    fn change(self) -> Option<Change> {
        let Self {
            path,
            then,
            now_hash,
            mode,
            ..
        } = self;
        let expect = now_hash.map_or(Expect::Absent, Expect::Content);
        match then {
            Some(bytes) => Some(Change::Write {
                path,
                bytes,
                expect,
                mode,
            }),
            None => now_hash.map(|_| Change::Remove { path, expect }),
        }
    }
}
