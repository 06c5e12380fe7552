//! Putting the rooms together.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::broadcast::Receiver;
use toolpost_core::{AnyTool, Event};
use toolpost_govern::Limits;
use toolpost_host::Clock;
use toolpost_runtime::{
    Catalogue, Parts, Runtime, Selection, SelectionError, Session, SessionError, SessionSpec,
    Toolset,
};
use toolpost_store::Store;

/// The tool runtime, ready for use. Clones share everything.
#[derive(Clone)]
pub struct Toolpost {
    pub(crate) runtime: Runtime,
}

/// Says what a [`Toolpost`] is made of.
pub struct Builder {
    state: PathBuf,
    environment: Vec<(OsString, OsString)>,
    own: Vec<Arc<dyn AnyTool>>,
    limits: Limits,
    clock: Clock,
    own_places: Vec<PathBuf>,
}

impl Toolpost {
    /// Starts from the built-in tools, an empty environment for commands, and a folder for the private state, which is
    /// made when it is first needed.
    #[must_use]
    pub fn builder(state: &Path) -> Builder {
        Builder {
            state: state.to_owned(),
            environment: Vec::new(),
            own: Vec::new(),
            limits: Limits::default(),
            clock: Clock::real(),
            own_places: Vec::new(),
        }
    }

    /// Freezes a selection of tools.
    ///
    /// # Errors
    /// A name in the selection that no tool has.
    pub fn toolset(&self, selection: &Selection) -> Result<Toolset, SelectionError> {
        self.runtime.freeze(selection)
    }

    /// Starts a session, or takes up a named one where it stopped.
    ///
    /// # Errors
    /// Its working directory is not there, or its state cannot be read.
    pub fn session(&self, spec: SessionSpec) -> Result<Session, SessionError> {
        self.runtime.session(spec)
    }

    /// Watches what happens from now on.
    #[must_use]
    pub fn events(&self) -> Receiver<Event> {
        self.runtime.events()
    }

    /// The runtime underneath: toolsets by id, the catalogue, the store.
    #[must_use]
    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }
}

impl Builder {
    /// Gives commands this environment, by the host's rule: what looks like a secret stays out.
    #[must_use]
    pub fn environment(mut self, environment: Vec<(OsString, OsString)>) -> Self {
        self.environment = environment;
        self
    }

    /// Adds an own tool after the built-in ones.
    #[must_use]
    pub fn tool(mut self, tool: impl AnyTool + 'static) -> Self {
        self.own.push(Arc::new(tool));
        self
    }

    /// Sets how much may go back.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets where time comes from.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Names a further place that no tool may touch; the state folder is one already.
    #[must_use]
    pub fn own_place(mut self, place: &Path) -> Self {
        self.own_places.push(place.to_owned());
        self
    }

    /// Puts everything together. Touches no file but to resolve links in the names of its own places.
    #[must_use]
    pub fn build(self) -> Toolpost {
        let Self {
            state,
            environment,
            own,
            limits,
            clock,
            mut own_places,
        } = self;
        own_places.push(state.clone());
        let resolved =
            |place: &PathBuf| toolpost_host::resolve(place, "").unwrap_or_else(|_| place.clone());
        let own_places = own_places.iter().map(resolved).collect();
        let mut tools = toolpost_tools::catalogue(environment);
        tools.extend(own);
        let catalogue = Catalogue::new(tools);
        let parts = Parts {
            catalogue,
            store: Store::open(&state),
            clock,
            limits,
            own_places,
        };
        Toolpost {
            runtime: Runtime::new(parts),
        }
    }
}
