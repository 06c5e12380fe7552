//! The way of a call, once, from a model's words to a bounded reply.
//!
//! A [`Runtime`] holds the catalogue and what all sessions share. A [`Session`] is one conversation, a [`Toolset`] a
//! frozen list of tools. [`Runtime::batch`] takes the calls of one reply and answers each exactly once, in order.
//!
//! **Invariant:** a call has exactly one reply.
//! **Invariant:** no tool effect without a permit; the deciding stage alone makes one.
//! **Invariant:** arguments changed means planned again; a plan made before the world changed is made again.
//! **Invariant:** toolsets are frozen; nothing is read from a global.
//! **Invariant:** tools are seen only as [`toolpost_core::AnyTool`].

mod batch;
mod captures;
mod catalogue;
mod controls;
mod deadline;
mod events;
mod journal;
mod lanes;
mod selection;
mod session;
mod sight;
mod stages;
mod toolset;
mod undo;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{Semaphore, broadcast};
use toolpost_core::Event;
use toolpost_govern::Limits;
use toolpost_host::{Clock, HostError, Recovered, Transactions};
use toolpost_store::Store;

pub use batch::{Answer, Left};
pub use catalogue::Catalogue;
pub use controls::{Controls, Order};
pub use selection::{Selection, SelectionError, Wanted};
pub use session::{Session, SessionError, SessionSpec};
pub use toolset::{Entry, ThawError, Toolset};
pub use undo::{Restoring, UndoError};

/// How many events an observer may lag behind before it loses some.
const EVENT_BACKLOG: usize = 4_096;

/// How many calls run at the same time.
const PARALLEL_CALLS: usize = 16;

/// What all sessions of a process share. Clones share it too.
#[derive(Clone)]
pub struct Runtime {
    shared: Arc<Shared>,
}

/// What a runtime is made of.
pub struct Parts {
    /// The tools.
    pub catalogue: Catalogue,
    /// The private state.
    pub store: Store,
    /// Where time comes from.
    pub clock: Clock,
    /// How much may go back.
    pub limits: Limits,
    /// Toolpost's own configuration and store, which no tool touches.
    pub own_places: Vec<PathBuf>,
}

pub(crate) struct Shared {
    pub(crate) parts: Parts,
    pub(crate) lanes: lanes::Lanes,
    pub(crate) room: Semaphore,
    pub(crate) events: broadcast::Sender<Event>,
}

impl Shared {
    /// Where changes of files are written down while they are made.
    pub(crate) fn transactions(&self) -> Transactions {
        Transactions::at(&self.parts.store.root().join("transactions"))
    }
}

impl Runtime {
    /// Puts a runtime together. Touches no file.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let (events, _) = broadcast::channel(EVENT_BACKLOG);
        let room = Semaphore::new(PARALLEL_CALLS);
        Self {
            shared: Arc::new(Shared {
                parts,
                lanes: lanes::Lanes::default(),
                room,
                events,
            }),
        }
    }

    /// The tools.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.shared.parts.catalogue
    }

    /// The private state.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.shared.parts.store
    }

    /// Finishes or takes back what killed processes left half done. A session does so when it starts.
    ///
    /// # Errors
    /// The records cannot be read.
    pub fn recover(&self) -> Result<Vec<Recovered>, HostError> {
        self.shared.transactions().recover(&stages::decide::issue())
    }

    /// Ends what calls of this process have left running. Whoever ends the process calls this last.
    pub async fn close(&self) {
        toolpost_host::Orphans::here()
            .end_all(&stages::decide::issue())
            .await;
    }

    /// Watches what happens from now on. An observer that is too slow loses events and holds nobody up.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.shared.events.subscribe()
    }
}
