//! What a session has seen of files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use toolpost_core::{Sight, Sighting};

/// The sightings of a session, the latest of each path.
#[derive(Debug, Default)]
pub(crate) struct Sightings(Mutex<HashMap<PathBuf, Sighting>>);

impl Sightings {
    pub(crate) fn record(&self, sighting: Sighting) {
        self.lock().insert(sighting.path.clone(), sighting);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Sighting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sight for Sightings {
    fn of(&self, path: &Path) -> Option<Sighting> {
        self.lock().get(path).cloned()
    }
}
