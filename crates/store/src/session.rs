//! Sessions: what one conversation keeps between runs.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use crate::{Result, Store, StoreError, names, private, schema};

/// What a session keeps between runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRecord {
    /// Its name: 1 to 64 of `A-Z a-z 0-9 . _ -`, not starting with a dot.
    pub name: String,
    /// Its working directory; any bytes.
    pub cwd: PathBuf,
    /// The id of the toolset that it was last offered.
    pub toolset: Option<String>,
    /// When it was last saved, as the caller says; kept to the microsecond.
    pub updated: Timestamp,
}

impl Store {
    /// Gives what a session has kept; `None` when there is no such session.
    pub fn session(&self, name: &str) -> Result<Option<SessionRecord>> {
        names::session(name)?;
        let found = self.database().with(|database| {
            let sql = "SELECT cwd, toolset, updated FROM session WHERE session = ?1";
            database
                .prepare_cached(sql)?
                .query_row([name], |row| {
                    Ok((
                        row.get::<_, Vec<u8>>(0)?,
                        row.get(1)?,
                        row.get::<_, i64>(2)?,
                    ))
                })
                .optional()
        })?;
        let Some((cwd, toolset, updated)) = found else {
            return Ok(None);
        };
        let updated = Timestamp::from_microsecond(updated).map_err(|err| {
            StoreError::damaged_record(&format!("The session `{name}`")).because(err)
        })?;
        Ok(Some(SessionRecord {
            name: name.to_owned(),
            cwd: OsString::from_vec(cwd).into(),
            toolset,
            updated,
        }))
    }

    /// Keeps a session, in place of what was kept of it before. What it has seen stays.
    pub fn save_session(&self, record: &SessionRecord) -> Result<()> {
        names::session(&record.name)?;
        self.database().with(|database| {
            let sql = "INSERT INTO session (session, cwd, toolset, updated) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (session) DO UPDATE SET cwd = ?2, toolset = ?3, updated = ?4";
            database.prepare_cached(sql)?.execute(params![
                record.name,
                record.cwd.as_os_str().as_bytes(),
                record.toolset,
                record.updated.as_microsecond(),
            ])
        })?;
        Ok(())
    }

    /// Forgets a session with all that belongs to it: what it has seen, and its spills. The journal stays.
    pub fn forget_session(&self, name: &str) -> Result<()> {
        names::session(name)?;
        let spills = self.database().change(|database| {
            let spills = database
                .prepare("SELECT id FROM spill WHERE session = ?1")?
                .query_map([name], |row| row.get(0))?
                .collect::<rusqlite::Result<Vec<String>>>()?;
            for table in schema::OF_A_SESSION {
                database.execute(&format!("DELETE FROM {table} WHERE session = ?1"), [name])?;
            }
            Ok(spills)
        })?;
        for id in spills {
            private::remove(&self.spill_path(&id)?)?;
        }
        Ok(())
    }
}
