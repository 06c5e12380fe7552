//! toolpost's private state on disk: one SQLite file, `toolpost.db`, and folders beside it, under one state folder.
//!
//! The store keeps sessions and what they have seen, toolsets by id, the journal of calls, and spills. It knows none of
//! the other rooms: what it is given it keeps, and what it keeps it gives back. Its calls block; asynchronous callers
//! hand them to a thread that may wait.
//!
//! A later kind of record is a module here with a step in `schema`: nothing that exists has to change for it.
//!
//! **Invariant:** making a [`Store`] touches no file; each part opens what it needs when it is first used.
//! **Invariant:** every file is readable by its owner alone (0600), every folder likewise (0700), whatever the umask.
//! **Invariant:** a database that is damaged or newer than this program is told, never repaired, changed or deleted.
//! **Invariant:** no text of a call's arguments gets into the journal; spilled text was redacted before it came here.

#![expect(
    clippy::disallowed_methods,
    reason = "a library for storage keeps its own files; they are toolpost's state, not a tool's effect"
)]

mod database;
mod error;
mod journal;
mod names;
mod private;
mod schema;
mod session;
mod sight;
mod spill;
mod toolset;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

pub use error::{StoreError, StoreErrorKind};
pub use journal::{JournalFilter, Step, StepKind, StepRecord, Unfinished};
pub use session::SessionRecord;
pub use sight::SightRecord;
pub use spill::{Pruned, SpillId, SpillLimits, SpillWriter};

use database::Database;

/// What every part of the store gives back.
pub type Result<T> = std::result::Result<T, StoreError>;

/// The private state under one folder. Clones share it, and any number of processes may use one folder at once.
#[derive(Debug, Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    database: Database,
    limits: SpillLimits,
    /// How much this process has spilled since it last looked at the whole.
    spilled_bytes: AtomicU64,
}

impl Store {
    /// Names the state folder. Nothing is opened or made before a part is used, so this cannot fail.
    #[must_use]
    pub fn open(root: &Path) -> Self {
        Self::with_limits(root, SpillLimits::default())
    }

    /// Names the state folder and says how much of spilled text is kept in it.
    #[must_use]
    pub fn with_limits(root: &Path, limits: SpillLimits) -> Self {
        Self {
            shared: Arc::new(Shared {
                root: root.to_owned(),
                database: Database::new(root),
                limits,
                spilled_bytes: AtomicU64::new(0),
            }),
        }
    }

    /// The state folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.shared.root
    }

    fn database(&self) -> &Database {
        &self.shared.database
    }

    /// Makes one of the folders beside the database where it is missing, and gives its path.
    fn folder(&self, name: &str) -> Result<PathBuf> {
        private::folder(&self.shared.root)?;
        let folder = self.shared.root.join(name);
        private::folder(&folder)?;
        private::tighten(&folder, private::FOLDER_MODE)?;
        Ok(folder)
    }
}
