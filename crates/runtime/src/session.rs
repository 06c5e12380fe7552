//! One conversation.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use toolpost_core::{Changes, Look, Settings, Sight as _, Sighting};
use toolpost_govern::Gate;
use toolpost_host::{HostError, Recovered};
use toolpost_policy::Mode;
use toolpost_store::{SessionRecord, SightRecord, Store, StoreError};

use crate::sight::Sightings;
use crate::{Runtime, Toolset};

/// What a session starts from.
#[derive(Debug, Clone)]
pub struct SessionSpec {
    /// Its name, when its state is to be kept between processes.
    pub name: Option<String>,
    /// The working directory.
    pub cwd: PathBuf,
    /// Workspace roots beside the working directory.
    pub more_roots: Vec<PathBuf>,
    /// How tools' defaults are read.
    pub mode: Mode,
    /// The settings that tools may know.
    pub settings: Settings,
}

impl SessionSpec {
    /// An unnamed session in a folder.
    #[must_use]
    pub fn new(cwd: &Path, mode: Mode) -> Self {
        let cwd = cwd.to_owned();
        Self {
            name: None,
            cwd,
            more_roots: Vec::new(),
            mode,
            settings: Settings::default(),
        }
    }
}

/// One conversation: where it works, what it has seen, what it may do. Clones are the same session.
#[derive(Clone)]
pub struct Session {
    pub(crate) kept: Arc<Kept>,
}

pub(crate) struct Kept {
    pub(crate) name: Option<String>,
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) mode: Mode,
    pub(crate) gate: Gate,
    recovered: Result<Vec<Recovered>, HostError>,
    own_places: Vec<PathBuf>,
    settings: Settings,
    cwd: Mutex<PathBuf>,
    sight: Arc<Sightings>,
}

/// Why a session cannot start.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Its working directory cannot be found.
    #[error("{0}")]
    Host(#[from] HostError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Runtime {
    /// Starts a session, or takes up a named one where it stopped.
    ///
    /// # Errors
    /// The working directory is not there, or the store cannot be read.
    pub fn session(&self, spec: SessionSpec) -> Result<Session, SessionError> {
        let recovered = self.recover();
        let root = toolpost_host::resolve(&spec.cwd, "")?;
        let more = spec
            .more_roots
            .iter()
            .map(|path| toolpost_host::resolve(path, ""));
        let roots = [Ok(root.clone())]
            .into_iter()
            .chain(more)
            .collect::<Result<Vec<_>, _>>()?;
        let sight = Arc::new(Sightings::default());
        let mut cwd = root;
        if let Some(name) = &spec.name {
            if let Some(record) = self.store().session(name)?
                && roots.iter().any(|root| record.cwd.starts_with(root))
                && toolpost_host::stat(&record.cwd).is_ok()
            {
                cwd = record.cwd;
            }
            for SightRecord { path, hash, lines } in self.store().sightings(name)? {
                sight.record(Sighting { path, hash, lines });
            }
        }
        let parts = &self.shared.parts;
        let gate = Gate::new(parts.limits, parts.store.clone(), spec.name.clone());
        let SessionSpec {
            name,
            mode,
            settings,
            ..
        } = spec;
        let kept = Kept {
            name,
            roots,
            mode,
            gate,
            recovered,
            own_places: parts.own_places.clone(),
            settings,
            cwd: Mutex::new(cwd),
            sight,
        };
        Ok(Session {
            kept: Arc::new(kept),
        })
    }

    /// Remembers, for a named session, where it works and which toolset was last offered to it. Without a toolset the
    /// one that it had stays.
    ///
    /// # Errors
    /// The store's.
    pub fn remember(&self, session: &Session, toolset: Option<&Toolset>) -> Result<(), StoreError> {
        let Some(name) = &session.kept.name else {
            return Ok(());
        };
        let toolset = match toolset {
            Some(toolset) => {
                self.keep(toolset)?;
                Some(toolset.id().to_owned())
            }
            None => self
                .store()
                .session(name)?
                .and_then(|record| record.toolset),
        };
        self.store().save_session(&SessionRecord {
            name: name.clone(),
            cwd: session.cwd(),
            toolset,
            updated: self.shared.parts.clock.wall(),
        })
    }
}

fn record(Sighting { path, hash, lines }: Sighting) -> SightRecord {
    SightRecord { path, hash, lines }
}

/// What two sightings come to: of one content what both saw, where that is one piece; else what the later saw.
fn wider(earlier: Option<Sighting>, later: Sighting) -> Sighting {
    let Some(earlier) = earlier.filter(|earlier| earlier.hash == later.hash) else {
        return later;
    };
    let lines = match (earlier.lines, later.lines) {
        (None, _) | (_, None) => None,
        (Some((from, to)), Some((start, end))) if from <= end && start <= to => {
            Some((from.min(start), to.max(end)))
        }
        (Some(apart), Some(later)) => Some(if apart.1 - apart.0 > later.1 - later.0 {
            apart
        } else {
            later
        }),
    };
    Sighting { lines, ..later }
}

impl Session {
    /// Where the session works now.
    #[must_use]
    pub fn cwd(&self) -> PathBuf {
        self.kept
            .cwd
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// What killed processes had left half done when the session started, and what became of it.
    ///
    /// # Errors
    /// The records cannot be read. Nothing was recovered, and changes of several files will fail.
    pub fn recovered(&self) -> Result<&[Recovered], &HostError> {
        self.kept.recovered.as_deref()
    }

    /// The gate through which everything of this session leaves.
    #[must_use]
    pub fn gate(&self) -> &Gate {
        &self.kept.gate
    }

    /// What planning may see.
    pub(crate) fn look(&self) -> Look {
        let kept = &self.kept;
        Look {
            cwd: self.cwd(),
            roots: kept.roots.clone(),
            own_places: kept.own_places.clone(),
            sight: kept.sight.clone(),
            settings: kept.settings,
        }
    }

    /// Applies what an output changes in its session.
    pub(crate) fn apply(&self, store: &Store, changes: &Changes) -> Result<(), StoreError> {
        let kept = &self.kept;
        if let Some(cwd) = &changes.cwd {
            cwd.clone_into(&mut kept.cwd.lock().unwrap_or_else(PoisonError::into_inner));
        }
        let seen: Vec<Sighting> = changes
            .seen
            .iter()
            .map(|later| wider(kept.sight.of(&later.path), later.clone()))
            .collect();
        seen.iter()
            .cloned()
            .for_each(|sighting| kept.sight.record(sighting));
        let records: Vec<SightRecord> = seen.into_iter().map(record).collect();
        match &kept.name {
            Some(name) if !records.is_empty() => store.record_sightings(name, &records),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::wider;
    use toolpost_core::Sighting;
    use toolpost_host::ContentHash;

    fn saw(content: &str, lines: Option<(u64, u64)>) -> Sighting {
        Sighting {
            path: "/a".into(),
            hash: ContentHash::of(content.as_bytes()),
            lines,
        }
    }

    #[test]
    fn what_was_seen_of_one_content_adds_up() {
        let check = |earlier: Option<(u64, u64)>, later: Option<(u64, u64)>, expected| {
            assert_eq!(
                wider(Some(saw("a", earlier)), saw("a", later)).lines,
                expected
            );
        };
        check(None, Some((0, 2)), None);
        check(Some((0, 2)), None, None);
        check(Some((0, 2)), Some((2, 4)), Some((0, 4)));
        check(Some((5, 9)), Some((2, 6)), Some((2, 9)));
        check(Some((0, 5)), Some((7, 8)), Some((0, 5)));
        check(Some((0, 1)), Some((7, 9)), Some((7, 9)));
    }

    #[test]
    fn what_was_seen_of_another_content_does_not_count() {
        let later = saw("b", Some((3, 4)));
        assert_eq!(wider(Some(saw("a", None)), later.clone()), later);
        assert_eq!(wider(None, later.clone()), later);
    }
}
