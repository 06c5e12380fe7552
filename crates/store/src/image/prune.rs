//! Which images go.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use toolpost_host::ContentHash;

use super::keep::on_disk;
use super::{FOLDER, ImageLimits, SUFFIX};
use crate::private::Entry;
use crate::tally::Tally;
use crate::{Pruned, Result, Store, private};

impl Store {
    /// Removes what a killed process left half written, images that are too old, and then the oldest ones until the
    /// rest fits. An image is as old as the last change that it belongs to, or as its file where that is younger; one
    /// younger than the least age stays, even if then too much is kept.
    ///
    /// The store does this by itself as it keeps images. The changes stay; what they were before is gone.
    pub fn prune_images(&self, now: Timestamp) -> Result<Pruned> {
        if private::entries(&self.root().join(FOLDER))?.is_empty() {
            return Ok(Pruned::default());
        }
        let mut tally = Tally::lock(self.root(), FOLDER)?;
        self.prune_images_under(&mut tally, private::system_time(now))
    }

    /// Prunes while nobody else can add an image or a change.
    pub(super) fn prune_images_under(&self, tally: &mut Tally, now: SystemTime) -> Result<Pruned> {
        let folder = self.root().join(FOLDER);
        let (halves, whole): (Vec<Entry>, Vec<Entry>) = private::entries(&folder)?
            .into_iter()
            .partition(|entry| entry.name.starts_with(private::PART));
        let belongs = self.image_uses()?;
        let images: Vec<Entry> = whole
            .into_iter()
            .filter_map(|entry| used(entry, &belongs))
            .collect();
        let all_bytes: u64 = images.iter().map(|entry| entry.bytes).sum();
        let surplus = surplus(images, now, &self.shared.limits.images);
        let mut pruned = Pruned::default();
        for entry in &surplus {
            private::remove(&folder.join(&entry.name))?;
            pruned.add(entry);
        }
        tally.set(all_bytes.saturating_sub(pruned.bytes), Some(now))?;
        for entry in halves {
            if private::remove_abandoned(&folder.join(&entry.name))? {
                pruned.add(&entry);
            }
        }
        Ok(pruned)
    }

    /// When the last change happened that an image belongs to.
    fn image_uses(&self) -> Result<HashMap<ContentHash, SystemTime>> {
        let uses = self.database().with(|database| {
            let sql =
                "SELECT before_hash, max(at) FROM change_file JOIN change ON change.id = change
                WHERE before_hash IS NOT NULL GROUP BY before_hash";
            database
                .prepare_cached(sql)?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<Vec<([u8; 32], i64)>>>()
        })?;
        let used = |(hash, at): ([u8; 32], i64)| {
            let at = Timestamp::from_microsecond(at).ok()?;
            Some((ContentHash::from_bytes(hash), private::system_time(at)))
        };
        Ok(uses.into_iter().filter_map(used).collect())
    }
}

/// Takes an image with what it takes on the disk and when it was last used; what is no image is none of ours.
fn used(entry: Entry, belongs: &HashMap<ContentHash, SystemTime>) -> Option<Entry> {
    let hash = ContentHash::from_hex(entry.name.strip_suffix(SUFFIX)?)?;
    let last = belongs.get(&hash).copied().unwrap_or(entry.modified);
    Some(Entry {
        modified: entry.modified.max(last),
        bytes: on_disk(entry.bytes),
        ..entry
    })
}

/// Picks what goes: the oldest first, while they are too old or too much is left, and none that is too young to go.
fn surplus(mut images: Vec<Entry>, now: SystemTime, limits: &ImageLimits) -> Vec<Entry> {
    images.sort();
    let mut left: u64 = images.iter().map(|entry| entry.bytes).sum();
    let goes = |entry: &Entry| {
        let age = now.duration_since(entry.modified).unwrap_or(Duration::ZERO);
        let goes = age >= limits.min_age && (age > limits.max_age || left > limits.max_bytes);
        if goes {
            left = left.saturating_sub(entry.bytes);
        }
        goes
    };
    images.into_iter().take_while(goes).collect()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use proptest::prelude::*;

    use super::surplus;
    use crate::ImageLimits;
    use crate::private::Entry;

    const LIMITS: ImageLimits = ImageLimits {
        max_bytes: 1_000,
        max_image_bytes: 1_000,
        max_age: Duration::from_secs(500),
        min_age: Duration::from_secs(100),
    };

    fn entry((second, bytes): (u64, u64)) -> Entry {
        Entry {
            modified: SystemTime::UNIX_EPOCH + Duration::from_secs(second),
            name: format!("{second}"),
            bytes,
        }
    }

    /// Picks out of (second, bytes) at second 1,000.
    fn gone(images: &[(u64, u64)]) -> Vec<String> {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        let images = images.iter().copied().map(entry).collect();
        let names = surplus(images, now, &LIMITS).into_iter();
        names.map(|entry| entry.name).collect()
    }

    #[test]
    fn what_goes() {
        let check = |images: &[(u64, u64)], expected: &[&str]| {
            assert_eq!(gone(images), expected, "{images:?}");
        };
        check(&[], &[]);
        check(&[(499, 1), (500, 1)], &["499"]);
        check(&[(600, 500), (500, 1), (700, 500)], &["500"]);
        check(&[(600, 501), (700, 500)], &["600"]);
        check(&[(901, 2_000), (900, 10)], &["900"]);
        check(&[(5_000, 2_000)], &[]);
    }

    proptest! {
        #[test]
        fn what_stays_fits_or_is_young(images in prop::collection::vec((0_u64..1_000, 0_u64..400), 0..20)) {
            let gone = gone(&images);
            let stays = |(second, _): &&(u64, u64)| !gone.contains(&second.to_string());
            let left: u64 = images.iter().filter(stays).map(|(_, bytes)| bytes).sum();
            let oldest = images.iter().filter(stays).map(|(second, _)| *second).min();
            prop_assert!(left <= LIMITS.max_bytes || oldest > Some(900));
            prop_assert!(oldest.is_none_or(|oldest| oldest >= 500));
            for name in gone {
                prop_assert!(name.parse::<u64>().unwrap() <= 900);
            }
        }
    }
}
