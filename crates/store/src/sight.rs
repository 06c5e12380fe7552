//! Sight: which contents a session has seen.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rusqlite::params;
use toolpost_host::ContentHash;

use crate::{Result, Store, names};

/// That a session has seen a file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SightRecord {
    /// The file; any bytes.
    pub path: PathBuf,
    /// The whole content's hash at that moment.
    pub hash: ContentHash,
    /// The lines seen, half-open and 0-based; `None` when all of it was.
    pub lines: Option<(u64, u64)>,
}

impl Store {
    /// Gives the latest sighting of every path that a session has seen, by path.
    pub fn sightings(&self, session: &str) -> Result<Vec<SightRecord>> {
        names::session(session)?;
        self.database().with(|database| {
            let sql = "SELECT path, hash, first_line, end_line FROM sighting WHERE session = ?1 ORDER BY path";
            database
                .prepare_cached(sql)?
                .query_map([session], |row| {
                    let lines: (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
                    Ok(SightRecord {
                        path: OsString::from_vec(row.get(0)?).into(),
                        hash: ContentHash::from_bytes(row.get(1)?),
                        lines: lines.0.zip(lines.1).map(|(first, end)| {
                            (first.cast_unsigned(), end.cast_unsigned())
                        }),
                    })
                })?
                .collect()
        })
    }

    /// Records that a session has seen a content. The latest sighting of a path wins; the session need not be saved.
    pub fn record_sighting(
        &self,
        session: &str,
        path: &Path,
        hash: ContentHash,
        lines: Option<(u64, u64)>,
    ) -> Result<()> {
        self.record_sightings(
            session,
            &[SightRecord {
                path: path.to_owned(),
                hash,
                lines,
            }],
        )
    }

    /// Records many sightings at once, all or none; of several of one path the last wins.
    pub fn record_sightings(&self, session: &str, sightings: &[SightRecord]) -> Result<()> {
        names::session(session)?;
        self.database().change(|database| {
            let sql = "INSERT INTO sighting (session, path, hash, first_line, end_line)
                VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (session, path)
                DO UPDATE SET hash = ?3, first_line = ?4, end_line = ?5";
            let mut statement = database.prepare_cached(sql)?;
            for sighting in sightings {
                statement.execute(params![
                    session,
                    sighting.path.as_os_str().as_bytes(),
                    sighting.hash.as_bytes(),
                    sighting.lines.map(|(first, _)| first.cast_signed()),
                    sighting.lines.map(|(_, end)| end.cast_signed()),
                ])?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use proptest::prelude::*;
    use tempfile::TempDir;
    use toolpost_host::ContentHash;

    use super::SightRecord;
    use crate::Store;

    fn seen(path: &[u8], content: &str, lines: Option<(u64, u64)>) -> SightRecord {
        SightRecord {
            path: OsString::from_vec(path.to_vec()).into(),
            hash: ContentHash::of(content.as_bytes()),
            lines,
        }
    }

    #[test]
    fn the_latest_sighting_of_a_path_wins() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        let not_text = seen(b"/w/\xff\x80.txt", "x", Some((0, u64::MAX)));
        store
            .record_sightings("a", &[seen(b"/w/f", "one", None), not_text.clone()])
            .unwrap();
        let latest = seen(b"/w/f", "two", Some((3, 9)));
        store
            .record_sighting("a", &latest.path, latest.hash, latest.lines)
            .unwrap();
        store
            .record_sightings("b", &[seen(b"/w/f", "one", None)])
            .unwrap();
        let again = Store::open(folder.path());
        assert_eq!(again.sightings("a").unwrap(), [latest, not_text]);
        assert_eq!(again.sightings("b").unwrap(), [seen(b"/w/f", "one", None)]);
        assert_eq!(again.sightings("c").unwrap(), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_path_survives(
            records in prop::collection::vec((prop::collection::vec(1_u8.., 1..40), any::<Option<(u64, u64)>>()), 0..8)
        ) {
            let folder = TempDir::new().unwrap();
            let store = Store::open(folder.path());
            let records: Vec<_> = records.iter().map(|(path, lines)| seen(path, "x", *lines)).collect();
            store.record_sightings("s", &records).unwrap();
            let expected: BTreeMap<_, _> =
                records.into_iter().map(|record| (record.path.as_os_str().to_owned(), record)).collect();
            let expected: Vec<_> = expected.into_values().collect();
            prop_assert_eq!(store.sightings("s").unwrap(), expected);
        }
    }
}
