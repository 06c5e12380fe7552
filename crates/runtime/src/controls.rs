//! How a batch runs, and how its calls are taken back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use toolpost_core::CallId;
use toolpost_host::{Stop, Why};

/// In which order the calls of a batch run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Calls whose effects conflict in call order, all others together.
    #[default]
    ByEffects,
    /// One after the other.
    Sequential,
}

/// How a batch runs, and how its calls are taken back: one of them, or all. Clones share the stops.
#[derive(Debug, Clone, Default)]
pub struct Controls {
    pub(crate) order: Order,
    all: Stop,
    one: Arc<Mutex<HashMap<CallId, Stop>>>,
}

impl Controls {
    /// By effects, and nothing taken back.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the order.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
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
