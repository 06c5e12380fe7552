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
