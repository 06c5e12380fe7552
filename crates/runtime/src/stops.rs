//! Taking calls back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use toolpost_core::CallId;
use toolpost_host::{Stop, Why};

/// The stops of a batch: for one call, or for all of it. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    all: Stop,
    one: Arc<Mutex<HashMap<CallId, Stop>>>,
}

impl Stops {
    /// Makes stops of which none is raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes one call back, whether it runs, waits or has not come yet.
    pub fn cancel(&self, call: &CallId) {
        self.of(call).raise(Why::Cancelled);
    }

    /// Takes all calls back.
    pub fn cancel_all(&self) {
        self.all.raise(Why::Cancelled);
    }

    /// Whether all calls were taken back.
    #[must_use]
    pub fn all_cancelled(&self) -> bool {
        self.all.why().is_some()
    }

    /// Waits until a call is taken back.
    pub(crate) async fn raised(&self, call: &CallId) -> Why {
        let one = self.of(call);
        tokio::select! {
            why = one.raised() => why,
            why = self.all.raised() => why,
        }
    }

    fn of(&self, call: &CallId) -> Stop {
        let mut stops = self.one.lock().unwrap_or_else(PoisonError::into_inner);
        stops.entry(call.clone()).or_default().clone()
    }
}
