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

    /// Forgets a session with all that belongs to it: what it has seen, and its spills. The journal and the
    /// changes stay: forgetting a conversation takes from nobody the way back.
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

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use jiff::Timestamp;
    use tempfile::TempDir;
    use toolpost_host::ContentHash;

    use super::SessionRecord;
    use crate::{Store, StoreErrorKind};

    fn record(name: &str, updated: i64) -> SessionRecord {
        SessionRecord {
            name: name.to_owned(),
            cwd: OsString::from_vec(b"/home/\xff\xfe folder".to_vec()).into(),
            toolset: Some("ts-1".to_owned()),
            updated: Timestamp::from_microsecond(updated).unwrap(),
        }
    }

    #[test]
    fn a_session_comes_back_as_it_was_saved() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        assert_eq!(store.session("work").unwrap(), None);
        store.save_session(&record("work", 1_234_567)).unwrap();
        store.save_session(&record("other", 1)).unwrap();
        let again = Store::open(folder.path());
        assert_eq!(
            again.session("work").unwrap(),
            Some(record("work", 1_234_567))
        );
        let later = SessionRecord {
            toolset: None,
            ..record("work", -5)
        };
        again.save_session(&later).unwrap();
        assert_eq!(store.session("work").unwrap(), Some(later));
        assert_eq!(store.session("other").unwrap(), Some(record("other", 1)));
    }

    #[test]
    fn a_forgotten_session_leaves_nothing_but_its_journal() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        let hash = ContentHash::of(b"x");
        let mut spills = Vec::new();
        for name in ["gone", "kept"] {
            store.save_session(&record(name, 0)).unwrap();
            store
                .record_sighting(name, "/a".as_ref(), hash, None)
                .unwrap();
            spills.push(store.create_spill(Some(name)).unwrap().finish().unwrap());
        }
        store.forget_session("gone").unwrap();
        store.forget_session("gone").unwrap();
        let left = |name: &str| {
            let sightings = store.sightings(name).unwrap().len();
            (store.session(name).unwrap().is_some(), sightings)
        };
        assert_eq!(left("gone"), (false, 0));
        assert_eq!(left("kept"), (true, 1));
        let err = store.spill_len(spills[0].as_str()).unwrap_err();
        assert_eq!(err.kind, StoreErrorKind::Gone);
        assert_eq!(store.spill_len(spills[1].as_str()).unwrap(), 0);
    }

    #[test]
    fn a_bad_name_is_refused_before_anything_is_opened() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        let hash = ContentHash::of(b"x");
        let refused = [
            store.session("..").map(|_| ()),
            store.save_session(&record("a/b", 0)),
            store.forget_session(""),
            store.sightings(".").map(|_| ()),
            store.record_sighting("a b", "/a".as_ref(), hash, None),
            store.create_spill(Some("a\n")).map(|_| ()),
        ];
        for refusal in refused {
            assert_eq!(refusal.unwrap_err().kind, StoreErrorKind::Name);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
