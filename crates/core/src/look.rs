//! What planning may see.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolpost_host::ContentHash;

/// What a plan may look at: the session's place, what it has seen, the settings. It only reads.
#[derive(Clone)]
pub struct Look {
    /// The session's working directory, absolute, links resolved.
    pub cwd: PathBuf,
    /// The workspace roots, absolute, links resolved; the first is the project.
    pub roots: Vec<PathBuf>,
    /// Toolpost's own places, which nothing shows.
    pub own_places: Vec<PathBuf>,
    /// What the session has seen.
    pub sight: Arc<dyn Sight>,
    /// The settings that tools may know.
    pub settings: Settings,
}

impl Look {
    /// Writes a path as a person in this workspace would: relative to the working directory where it lies below it.
    #[must_use]
    pub fn show(&self, path: &Path) -> String {
        let shown = path.strip_prefix(&self.cwd).unwrap_or(path);
        if shown.as_os_str().is_empty() {
            ".".to_owned()
        } else {
            shown.to_string_lossy().into_owned()
        }
    }
}

/// What a session has seen of files, by content.
pub trait Sight: Send + Sync {
    /// The latest sighting of a path.
    fn of(&self, path: &Path) -> Option<Sighting>;
}

/// That a session has seen a file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// The file, absolute, links resolved.
    pub path: PathBuf,
    /// The whole content's hash at that moment.
    pub hash: ContentHash,
    /// The lines seen, half-open and 0-based; `None` when all of it was.
    pub lines: Option<(u64, u64)>,
}

/// The settings that tools may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// What must have been seen before a file is changed: `files.prior_read`.
    pub prior_read: PriorRead,
}

/// What must have been seen before a file is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PriorRead {
    /// Overwriting needs sight; an edit needs it or an exact, unique match.
    #[default]
    Evidence,
    /// Every change needs sight.
    Strict,
    /// Nothing is asked.
    Off,
}
