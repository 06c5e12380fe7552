//! How much of spilled text is kept, and for how long.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::{FOLDER, SpillId};
use crate::private::Entry;
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

impl Store {
    /// Removes what a killed process left half written, spills that are too old, and then the oldest ones until the
    /// rest fits. Without a time no spill is too old.
    ///
    /// The store does this by itself for size as it spills; a caller does it now and then for age.
    pub fn prune_spills(&self, now: Option<Timestamp>) -> Result<Pruned> {
        let folder = self.shared.root.join(FOLDER);
        let (halves, whole): (Vec<Entry>, Vec<Entry>) = private::entries(&folder)?
            .into_iter()
            .partition(|entry| entry.name.starts_with(private::PART));
        let halves = halves
            .into_iter()
            .filter(|entry| is_abandoned(&folder.join(&entry.name)));
        let whole = whole
            .into_iter()
            .filter(|entry| SpillId::parse(&entry.name).is_ok())
            .collect();
        let max_age = self.shared.limits.max_age;
        let oldest = now.and_then(|now| before(now, max_age));
        let surplus = surplus(whole, oldest, self.shared.limits.max_bytes);
        let mut pruned = Pruned::default();
        for entry in halves.chain(surplus.iter().cloned()) {
            private::remove(&folder.join(&entry.name))?;
            pruned.files += 1;
            pruned.bytes += entry.bytes;
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

/// The time that lies so long before another, as file systems know it. `None` where that was before 1970.
fn before(now: Timestamp, age: Duration) -> Option<SystemTime> {
    let since_epoch = Duration::from_micros(u64::try_from(now.as_microsecond()).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since_epoch.checked_sub(age)?)
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

/// Whether nobody writes a half-written file any more. Whoever writes holds a lock on it.
fn is_abandoned(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}
