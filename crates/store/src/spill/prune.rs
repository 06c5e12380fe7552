//! How much of spilled text is kept, and for how long.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::{FOLDER, SpillId};
use crate::private::Entry;
use crate::tally::Tally;
use crate::{Result, Store, private};

/// How much of spilled text is kept, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpillLimits {
    /// How many bytes all spills together may have; also the most that one may have.
    pub max_bytes: u64,
    /// How long a spill is kept.
    pub max_age: Duration,
}

impl Default for SpillLimits {
    /// 500 MB and seven days.
    fn default() -> Self {
        Self {
            max_bytes: 500_000_000,
            max_age: Duration::from_secs(7 * 24 * 60 * 60),
        }
    }
}

/// What was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// How many files.
    pub files: u64,
    /// How many bytes were in them.
    pub bytes: u64,
}

impl Pruned {
    pub(crate) fn add(&mut self, entry: &Entry) {
        self.files += 1;
        self.bytes += entry.bytes;
    }
}

impl Store {
    /// Removes what a killed process left half written, spills that are too old, and then the oldest ones until the
    /// rest fits. Without a time no spill is too old.
    ///
    /// The store does this by itself as spills are finished: when they no longer fit, and once an hour for age.
    pub fn prune_spills(&self, now: Option<Timestamp>) -> Result<Pruned> {
        if private::entries(&self.root().join(FOLDER))?.is_empty() {
            return Ok(Pruned::default());
        }
        let mut tally = Tally::lock(self.root(), FOLDER)?;
        self.prune_spills_under(&mut tally, now.map(private::system_time))
    }

    pub(super) fn prune_spills_under(
        &self,
        tally: &mut Tally,
        now: Option<SystemTime>,
    ) -> Result<Pruned> {
        let folder = self.root().join(FOLDER);
        let (halves, whole): (Vec<Entry>, Vec<Entry>) = private::entries(&folder)?
            .into_iter()
            .partition(|entry| entry.name.starts_with(private::PART));
        let whole: Vec<Entry> = whole
            .into_iter()
            .filter(|entry| SpillId::parse(&entry.name).is_ok())
            .collect();
        let all_bytes: u64 = whole.iter().map(|entry| entry.bytes).sum();
        let limits = &self.shared.limits.spills;
        let oldest = now.and_then(|now| now.checked_sub(limits.max_age));
        let surplus = surplus(whole, oldest, limits.max_bytes);
        let mut pruned = Pruned::default();
        for entry in &surplus {
            private::remove(&folder.join(&entry.name))?;
            pruned.add(entry);
        }
        tally.set(all_bytes.saturating_sub(pruned.bytes), now)?;
        for entry in halves {
            if private::remove_abandoned(&folder.join(&entry.name))? {
                pruned.add(&entry);
            }
        }
        self.disown_spills(&surplus)?;
        Ok(pruned)
    }

    /// Forgets whose the removed spills were.
    fn disown_spills(&self, removed: &[Entry]) -> Result<()> {
        if removed.is_empty() {
            return Ok(());
        }
        self.database().change(|database| {
            let mut statement = database.prepare_cached("DELETE FROM spill WHERE id = ?1")?;
            for entry in removed {
                statement.execute([&entry.name])?;
            }
            Ok(())
        })
    }
}

/// Picks what goes out of spills that come oldest first: those last written before `oldest`, then the first ones until
/// the rest fits.
fn surplus(spills: Vec<Entry>, oldest: Option<SystemTime>, max_bytes: u64) -> Vec<Entry> {
    let mut left: u64 = spills.iter().map(|entry| entry.bytes).sum();
    let goes = |entry: &Entry| {
        let goes = left > max_bytes || oldest.is_some_and(|oldest| entry.modified < oldest);
        if goes {
            left = left.saturating_sub(entry.bytes);
        }
        goes
    };
    spills.into_iter().take_while(goes).collect()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write;
    use std::time::{Duration, SystemTime};

    use jiff::Timestamp;
    use proptest::prelude::*;
    use tempfile::TempDir;

    use super::{Pruned, SpillLimits, surplus};
    use crate::private::Entry;
    use crate::{Limits, SpillId, Store};

    const SPILLS: SpillLimits = SpillLimits {
        max_bytes: 1_000,
        max_age: Duration::from_secs(100),
    };

    fn open(folder: &TempDir, spills: SpillLimits) -> Store {
        let limits = Limits {
            spills,
            ..Limits::default()
        };
        Store::with_limits(folder.path(), limits)
    }

    fn spill(store: &Store, bytes: usize, second: u64) -> SpillId {
        let mut writer = store.create_spill(Some("s")).unwrap();
        writer.write_all(&vec![b'x'; bytes]).unwrap();
        let id = writer.finish().unwrap();
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(second);
        let file = File::options()
            .write(true)
            .open(store.spill_path(id.as_str()).unwrap());
        file.unwrap().set_modified(then).unwrap();
        id
    }

    fn is_there(store: &Store, id: &SpillId) -> bool {
        store.spill_len(id.as_str()).is_ok()
    }

    fn owned(store: &Store) -> i64 {
        let count = |row: &rusqlite::Row<'_>| row.get(0);
        let sql = "SELECT count(*) FROM spill";
        store
            .database()
            .with(|database| database.query_row(sql, [], count))
            .unwrap()
    }

    #[test]
    fn old_spills_go() {
        let folder = TempDir::new().unwrap();
        let store = open(&folder, SPILLS);
        let (old, young) = (spill(&store, 10, 99), spill(&store, 20, 100));
        assert_eq!(store.prune_spills(None).unwrap(), Pruned::default());
        let now = Timestamp::from_second(200).unwrap();
        let pruned = store.prune_spills(Some(now)).unwrap();
        assert_eq!(
            pruned,
            Pruned {
                files: 1,
                bytes: 10
            }
        );
        assert_eq!(
            (is_there(&store, &old), is_there(&store, &young)),
            (false, true)
        );
        assert_eq!(owned(&store), 1);
    }

    #[test]
    fn the_store_bounds_itself_as_it_spills() {
        let folder = TempDir::new().unwrap();
        let for_ever = SpillLimits {
            max_age: Duration::MAX,
            ..SPILLS
        };
        let store = open(&folder, for_ever);
        let ids: Vec<_> = (1..=4).map(|second| spill(&store, 400, second)).collect();
        let left: Vec<_> = ids.iter().map(|id| is_there(&store, id)).collect();
        assert_eq!(left, [false, false, true, true]);
        assert_eq!(owned(&store), 2);
    }

    #[test]
    fn age_is_looked_at_once_an_hour() {
        let folder = TempDir::new().unwrap();
        let store = open(&folder, SPILLS);
        let old = spill(&store, 10, 1);
        spill(&store, 10, 2);
        assert!(is_there(&store, &old), "it was looked at just now");
        fs::write(folder.path().join("spill.tally"), "20 1000\n").unwrap();
        let young = store.create_spill(None).unwrap().finish().unwrap();
        assert!(!is_there(&store, &old));
        assert!(is_there(&store, &young));
        assert_eq!(owned(&store), 0);
    }

    #[test]
    fn short_lived_processes_bound_it_together() {
        let folder = TempDir::new().unwrap();
        let for_ever = SpillLimits {
            max_age: Duration::MAX,
            ..SPILLS
        };
        let ids: Vec<_> = (1..=4)
            .map(|second| spill(&open(&folder, for_ever), 400, second))
            .collect();
        let store = open(&folder, for_ever);
        let left: Vec<_> = ids.iter().map(|id| is_there(&store, id)).collect();
        assert_eq!(left, [false, false, true, true]);
    }

    #[test]
    fn what_is_being_written_stays_and_what_a_killed_process_left_goes() {
        let folder = TempDir::new().unwrap();
        let store = open(&folder, SPILLS);
        let mut writer = store.create_spill(None).unwrap();
        writer.write_all(b"alive").unwrap();
        let left_behind = folder.path().join("spill/part-left");
        fs::write(&left_behind, "dead").unwrap();
        let foreign = folder.path().join("spill/README");
        fs::write(&foreign, "not ours").unwrap();
        let pruned = store.prune_spills(None).unwrap();
        assert_eq!(pruned, Pruned { files: 1, bytes: 4 });
        assert!(!left_behind.exists());
        assert!(foreign.exists());
        let id = writer.finish().unwrap();
        assert_eq!(store.read_spill(id.as_str(), 0, 9).unwrap(), b"alive");
    }

    #[test]
    fn pruning_nothing_makes_nothing() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        assert_eq!(store.prune_spills(None).unwrap(), Pruned::default());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    proptest! {
        #[test]
        fn what_stays_fits_and_no_more_goes_than_must(sizes in prop::collection::vec(0_u64..500, 0..20)) {
            let entry = |(second, bytes): (u64, &u64)| Entry {
                modified: SystemTime::UNIX_EPOCH + Duration::from_secs(second),
                name: String::new(),
                bytes: *bytes,
            };
            let all: Vec<_> = (0..).zip(&sizes).map(entry).collect();
            let gone = surplus(all.clone(), None, 1_000).len();
            prop_assert!(sizes[gone..].iter().sum::<u64>() <= 1_000);
            if gone > 0 {
                prop_assert!(sizes[gone - 1..].iter().sum::<u64>() > 1_000);
            }
        }
    }
}
