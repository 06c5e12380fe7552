//! The signal that work is to wind down, and why.

use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

/// Why work is to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Somebody asked for it.
    Cancelled,
    /// The deadline has passed.
    Deadline,
}

/// A signal that can be raised once and be waited for by any number of tasks. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    token: CancellationToken,
    why: Arc<OnceLock<Why>>,
}

impl Stop {
    /// Makes a signal that has not been raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the signal. The first reason stays.
    pub fn raise(&self, why: Why) {
        let _ = self.why.set(why);
        self.token.cancel();
    }

    /// Says why the signal was raised, if it was.
    #[must_use]
    pub fn why(&self) -> Option<Why> {
        self.why.get().copied()
    }

    /// Waits until the signal is raised.
    pub async fn raised(&self) -> Why {
        self.token.cancelled().await;
        self.why().unwrap_or(Why::Cancelled)
    }
}
