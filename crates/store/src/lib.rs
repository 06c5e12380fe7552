//! toolpost's private state on disk: one SQLite file, `toolpost.db`, and folders beside it, under one state folder.
//!
//! The store keeps sessions and what they have seen, toolsets by id, the journal of calls, spills, and the changes of
//! files with what was there before. It knows none of the other rooms: what it is given it keeps, and what it keeps it gives back. Its calls block; asynchronous callers
//! hand them to a thread that may wait.
//!
//! A later kind of record is a module here with a step in `schema`: nothing that exists has to change for it.
//!
//! **Invariant:** making a [`Store`] touches no file; each part opens what it needs when it is first used.
//! **Invariant:** every file is readable by its owner alone (0600), every folder likewise (0700), whatever the umask.
//! **Invariant:** a database that is damaged or newer than this program is told, never repaired, changed or deleted.
//! **Invariant:** a call's arguments never get into the journal, but for what a title names: a path, or how a command begins.
//! **Invariant:** what a text may hold is decided before it comes here; the store adds and takes away nothing.
//! Before-images are the one exception: they are what was there, byte for byte.
//! **Invariant:** a change on record has its before-images, safely on the disk, until they are pruned; what is given
//! back of one is what was kept, or an error.

#![expect(
    clippy::disallowed_methods,
    reason = "a library for storage keeps its own files; they are toolpost's state, not a tool's effect"
)]

mod change;
mod database;
mod error;
mod image;
mod journal;
mod names;
mod private;
mod schema;
mod session;
mod sight;
mod spill;
mod tally;
mod toolset;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use change::{ChangeFilter, ChangeId, Changed, FileChange, NewChange, Standing};
pub use error::{StoreError, StoreErrorKind};
pub use image::{Image, ImageLimits, ImageReader, Kept};
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
    limits: Limits,
}

/// How much is kept in the store, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Of spilled text.
    pub spills: SpillLimits,
    /// Of before-images.
    pub images: ImageLimits,
}

impl Store {
    /// Names the state folder. Nothing is opened or made before a part is used, so this cannot fail.
    #[must_use]
    pub fn open(root: &Path) -> Self {
        Self::with_limits(root, Limits::default())
    }

    /// Names the state folder and says how much is kept in it.
    #[must_use]
    pub fn with_limits(root: &Path, limits: Limits) -> Self {
        Self {
            shared: Arc::new(Shared {
                root: root.to_owned(),
                database: Database::new(root),
                limits,
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
