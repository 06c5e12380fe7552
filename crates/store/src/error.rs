//! What can go wrong with the store, for programs and for people.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// The store could not do what it was asked. It is shown as its fact and its hint.
#[derive(Debug, thiserror::Error)]
#[error("{fact} {hint}")]
pub struct StoreError {
    /// Why, for programs.
    pub kind: StoreErrorKind,
    /// Why, in one sentence with a full stop.
    pub fact: String,
    /// What to do next, as an imperative.
    pub hint: String,
    #[source]
    source: Option<Source>,
}

/// Why the store could not do what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoreErrorKind {
    /// A session's name, a toolset's id or a spill's id is not well formed.
    Name,
    /// What was named is no longer there.
    Gone,
    /// A toolset with this id and another content is there already, or a change is undone already.
    Taken,
    /// A record or a file cannot be read as what it should be.
    Damaged,
    /// The database file is not a sound database.
    Corrupt,
    /// The database was made by a newer toolpost.
    Newer,
    /// Another process kept the database for longer than we wait.
    Busy,
    /// A spill is larger than all spills together may be, or the disk is full.
    Full,
    /// The system reported a failure.
    Io,
    /// The database reported a failure.
    Database,
}

impl StoreError {
    pub(crate) fn new(
        kind: StoreErrorKind,
        fact: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            fact: fact.into(),
            hint: hint.into(),
            source: None,
        }
    }

    pub(crate) fn because(mut self, source: impl Into<Source>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// A failure of the system while `doing` something to a path; `doing` reads on from "could not".
    pub(crate) fn io(doing: &str, path: &Path, err: io::Error) -> Self {
        let full = matches!(
            err.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
        );
        let (kind, hint) = if full {
            (
                StoreErrorKind::Full,
                "Free some space on the disk, or raise its limit, and try again.",
            )
        } else {
            (
                StoreErrorKind::Io,
                "Make the state folder writable, or name another one.",
            )
        };
        let fact = format!(
            "toolpost could not {doing} `{}` in its store: {err}.",
            path.display()
        );
        Self::new(kind, fact, hint).because(err)
    }

    /// A record of the database that cannot be read as what it should be.
    pub(crate) fn damaged_record(what: &str) -> Self {
        Self::new(
            StoreErrorKind::Damaged,
            format!("{what} in toolpost's store cannot be read."),
            "Use another session name, or another state folder.",
        )
    }

    /// A file that is no sound database.
    pub(crate) fn corrupt(path: &Path) -> Self {
        let shown = path.display();
        Self::new(
            StoreErrorKind::Corrupt,
            format!("`{shown}` is damaged and cannot be read as a database."),
            format!(
                "Move it aside together with `{shown}-wal` and `{shown}-shm`; toolpost starts a new one, without the \
                 sessions and the journal that were in it."
            ),
        )
    }

    /// What SQLite reported about the database at this path.
    pub(crate) fn sqlite(path: &Path, err: rusqlite::Error) -> Self {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType,
        };
        if let FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) =
            err
        {
            return Self::damaged_record("A record").because(err);
        }
        let shown = path.display();
        let made = match err.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::corrupt(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::new(
                StoreErrorKind::Busy,
                format!("Another process has kept `{shown}` busy for too long."),
                "Try again; if it stays so, end the other toolpost process.",
            ),
            Some(ErrorCode::DiskFull) => Self::new(
                StoreErrorKind::Full,
                format!("There is no space left for `{shown}`."),
                "Free some space on the disk and try again.",
            ),
            _ => Self::new(
                StoreErrorKind::Database,
                format!("The database `{shown}` reported a failure: {err}."),
                "Make the state folder and the files in it writable, or name another one.",
            ),
        };
        made.because(err)
    }
}
