//! The one SQLite file, opened when it is first needed.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::{Result, StoreError, StoreErrorKind, private, schema};

const BUSY_MS: u64 = 5_000;
/// The smallest page that SQLite knows; no database that holds anything is shorter.
const PAGE_LEAST_BYTES: u64 = 512;

/// The SQLite file with at most one connection, which its users take in turn.
#[derive(Debug)]
pub(crate) struct Database {
    path: PathBuf,
    connection: Mutex<Option<Connection>>,
}

impl Database {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            path: root.join("toolpost.db"),
            connection: Mutex::new(None),
        }
    }

    /// Runs a read or a single write.
    pub(crate) fn with<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        self.connected(|connection| work(connection))
    }

    /// Runs several writes, all or none.
    pub(crate) fn change<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        self.connected(|connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let made = work(&change)?;
            change.commit()?;
            Ok(made)
        })
    }

    fn connected<T>(&self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Result<T> {
        // A panic under the lock leaves no half-made state behind: SQLite rolls back what was not committed.
        let mut slot = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let connection = match &mut *slot {
            Some(connection) => connection,
            none => none.insert(open(&self.path)?),
        };
        work(connection).map_err(|err| StoreError::sqlite(&self.path, err))
    }
}

/// Opens the database and brings it up to date. One at a time does so, held apart by a lock file: switching to a
/// write-ahead log and making the file are steps that SQLite's own waiting does not cover.
fn open(path: &Path) -> Result<Connection> {
    let root = path.parent().unwrap_or(path);
    private::folder(root)?;
    let lock_path = path.with_extension("lock");
    let lock = private::open_or_create(&lock_path)?;
    private::lock(&lock, &lock_path)?;
    create(path)?;
    refuse_stump(path)?;
    private::tighten(path, private::FILE_MODE)?;
    let mut connection = connect(path).map_err(|err| StoreError::sqlite(path, err))?;
    refuse_newer(path, &connection)?;
    prepare(&mut connection).map_err(|err| StoreError::sqlite(path, err))?;
    Ok(connection)
}

/// Makes the file private before SQLite sees it; SQLite gives its side files the same mode.
///
/// A file that is there is never opened here: closing it would drop the locks that this process's other connections
/// hold on it.
fn create(path: &Path) -> Result<()> {
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(private::FILE_MODE)
        .open(path);
    match made {
        Err(err) if err.kind() != io::ErrorKind::AlreadyExists => {
            Err(StoreError::io("make", path, err))
        }
        _ => Ok(()),
    }
}

/// Refuses a file too short to be a database, which SQLite would take for an empty one and write over.
fn refuse_stump(path: &Path) -> Result<()> {
    let metadata = fs::metadata(path).map_err(|err| StoreError::io("look at", path, err))?;
    match metadata.len() {
        1..PAGE_LEAST_BYTES => Err(StoreError::corrupt(path)),
        _ => Ok(()),
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_millis(BUSY_MS))?;
    Ok(connection)
}

fn refuse_newer(path: &Path, connection: &Connection) -> Result<()> {
    let found = schema::version(connection).map_err(|err| StoreError::sqlite(path, err))?;
    let known = schema::known();
    if found <= known {
        return Ok(());
    }
    Err(StoreError::new(
        StoreErrorKind::Newer,
        format!(
            "`{}` was made by a newer toolpost: its schema is {found}, this program knows up to {known}.",
            path.display()
        ),
        "Update toolpost, or name another state folder.",
    ))
}

fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    schema::migrate(connection)
}
