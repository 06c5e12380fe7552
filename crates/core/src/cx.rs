//! What a running call gets, and nobody else knows.

use std::sync::Arc;

use toolpost_host::{Permit, Sink, Stop, Transactions};

use crate::{CallId, Captured, Look};

/// What a running call gets from the runtime.
pub struct Cx {
    /// The call's id.
    pub call: CallId,
    /// The proof that the call was decided, for the host.
    pub permit: Permit,
    /// Makes changes of files, all or none, also when this process is killed.
    pub files: Transactions,
    /// Raised when the call is to wind down; it should then return what it has.
    pub stop: Stop,
    /// How long the call may run in all, in milliseconds, as the arbiter decided.
    pub deadline_ms: u64,
    /// Where progress is told.
    pub progress: Arc<dyn Progress>,
    /// Makes the sinks that streams go to.
    pub captures: Arc<dyn Captures>,
    /// What planning saw, for tools that look again.
    pub look: Look,
}

/// Hears of progress.
pub trait Progress: Send + Sync {
    /// Tells how far a call has come, in its own unit, with the whole when it is known.
    fn tell(&self, done: u64, whole: Option<u64>, words: &str);
}

/// Makes captures: a stream's two ends in memory, the whole in the store.
pub trait Captures: Send + Sync {
    /// Makes a capture that keeps at most this many characters in memory.
    fn open(&self, limit_chars: usize) -> Box<dyn Capture>;
}

/// A sink that can tell what came.
pub trait Capture: Sink {
    /// Ends the stream and tells what came.
    fn finish(self: Box<Self>) -> Captured;
}
