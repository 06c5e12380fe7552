//! Finding changes.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
use toolpost_host::ContentHash;

use super::{ChangeId, Changed, FileChange, Standing};
use crate::{Image, Kept, Result, Store, StoreError};

/// Which changes are wanted. The default is all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeFilter {
    /// Only this one.
    pub id: Option<ChangeId>,
    /// Only this session's.
    pub session: Option<String>,
    /// Only those of calls with this id.
    pub call: Option<String>,
    /// Only those of calls of this batch.
    pub batch: Option<String>,
    /// Only those in which this file was changed, or moved away.
    pub path: Option<PathBuf>,
    /// At most so many, the newest.
    pub limit: Option<usize>,
}

impl Store {
    /// Gives the changes that were asked for, the newest last.
    pub fn changes(&self, filter: &ChangeFilter) -> Result<Vec<Changed>> {
        let found = self.database().with(|database| {
            // One reading, so that no change is pruned between its own row and those of its files.
            let reading = database.unchecked_transaction()?;
            let (sql, values) = filter.query();
            let mut found = reading
                .prepare_cached(&sql)?
                .query_map(params_from_iter(values), RawChange::read)?
                .collect::<rusqlite::Result<Vec<_>>>()?;
            for change in &mut found {
                change.complete(&reading)?;
            }
            Ok(found)
        })?;
        found.into_iter().rev().map(RawChange::parse).collect()
    }
}

impl ChangeFilter {
    /// The query for the changes, the newest first. Only what is asked for stands in it, so that an index can serve.
    fn query(&self) -> (String, Vec<Value>) {
        let path = self.path.as_ref();
        let asked = [
            ("id = ?", self.id.map(|id| Value::Integer(id.0))),
            ("session = ?", self.session.clone().map(Value::Text)),
            ("call = ?", self.call.clone().map(Value::Text)),
            ("batch = ?", self.batch.clone().map(Value::Text)),
            (
                "id IN (WITH wanted (path) AS (VALUES (?))
                    SELECT change FROM change_file WHERE path = (SELECT path FROM wanted)
                    UNION SELECT change FROM change_file WHERE moved_from = (SELECT path FROM wanted))",
                path.map(|path| Value::Blob(path.as_os_str().as_bytes().to_vec())),
            ),
        ];
        let mut sql =
            "SELECT id, call, session, batch, at, title, undoes, undone_by FROM change WHERE TRUE"
                .to_owned();
        let mut values = Vec::new();
        for (condition, value) in asked {
            if let Some(value) = value {
                sql.push_str(" AND ");
                sql.push_str(condition);
                values.push(value);
            }
        }
        sql.push_str(" ORDER BY id DESC LIMIT ?");
        let limit = self
            .limit
            .map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
        values.push(Value::Integer(limit));
        (sql, values)
    }
}

/// Follows what undid what: every undo of an undo turns it round.
pub(super) fn standing(
    database: &Connection,
    undone_by: Option<i64>,
) -> rusqlite::Result<Standing> {
    let mut statement = database.prepare_cached("SELECT undone_by FROM change WHERE id = ?1")?;
    let mut standing = Standing::Holds;
    let mut next = undone_by;
    while let Some(by) = next {
        standing = match standing {
            Standing::Holds => Standing::Undone,
            Standing::Undone => Standing::Holds,
        };
        let found: Option<Option<i64>> = statement.query_row([by], |row| row.get(0)).optional()?;
        next = found.flatten();
    }
    Ok(standing)
}

/// A change before its time and its names are read.
struct RawChange {
    at: i64,
    files: Vec<RawFile>,
    changed: Changed,
}

impl RawChange {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            at: row.get(4)?,
            files: Vec::new(),
            changed: Changed {
                id: ChangeId(row.get(0)?),
                call: row.get(1)?,
                session: row.get(2)?,
                batch: row.get(3)?,
                at: Timestamp::UNIX_EPOCH,
                title: row.get(5)?,
                files: Vec::new(),
                undoes: row.get::<_, Option<i64>>(6)?.map(ChangeId),
                undone_by: row.get::<_, Option<i64>>(7)?.map(ChangeId),
                standing: Standing::Holds,
            },
        })
    }

    /// Adds the files and the standing.
    fn complete(&mut self, database: &Connection) -> rusqlite::Result<()> {
        let sql = "SELECT path, moved_from, before_hash, before_bytes, before_kept, after_hash, mode_before, mode_after
            FROM change_file WHERE change = ?1 ORDER BY place";
        self.files = database
            .prepare_cached(sql)?
            .query_map([self.changed.id.0], RawFile::read)?
            .collect::<rusqlite::Result<_>>()?;
        self.changed.standing = standing(database, self.changed.undone_by.map(|by| by.0))?;
        Ok(())
    }

    fn parse(self) -> Result<Changed> {
        let at = Timestamp::from_microsecond(self.at)
            .map_err(|err| StoreError::damaged_record("A change").because(err))?;
        let files = self.files.into_iter().map(RawFile::parse);
        Ok(Changed {
            at,
            files: files.collect::<Option<_>>().ok_or_else(damaged)?,
            ..self.changed
        })
    }
}

/// A file of a change before its image is put together.
struct RawFile {
    hash: Option<[u8; 32]>,
    bytes: Option<i64>,
    kept: Option<String>,
    file: FileChange,
}

impl RawFile {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let path = |bytes: Vec<u8>| PathBuf::from(OsString::from_vec(bytes));
        Ok(Self {
            hash: row.get(2)?,
            bytes: row.get(3)?,
            kept: row.get(4)?,
            file: FileChange {
                path: path(row.get(0)?),
                before: None,
                after: row
                    .get::<_, Option<[u8; 32]>>(5)?
                    .map(ContentHash::from_bytes),
                mode_before: row.get(6)?,
                mode_after: row.get(7)?,
                moved_from: row.get::<_, Option<Vec<u8>>>(1)?.map(path),
            },
        })
    }

    /// Puts the image together; `None` when only a part of one is there.
    fn parse(self) -> Option<FileChange> {
        let before = match (self.hash, self.bytes, self.kept) {
            (None, None, None) => None,
            (Some(hash), Some(bytes), Some(kept)) => Some(Image {
                hash: ContentHash::from_bytes(hash),
                bytes: bytes.cast_unsigned(),
                kept: Kept::parse(&kept)?,
            }),
            _ => return None,
        };
        Some(FileChange {
            before,
            ..self.file
        })
    }
}

fn damaged() -> StoreError {
    StoreError::damaged_record("A change")
}
