//! What a model's reply holds for us.

use toolpost_core::RawCall;

/// How an id begins that the provider did not give. On wires where a call may come without one, the answer then goes
/// back without one too.
pub const SYNTHETIC_ID: &str = "tp-synthetic-";

/// The calls of one reply.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    /// The calls, in order, their ids unique.
    pub calls: Vec<RawCall>,
    /// What the caller should know beside them, in sentences.
    pub notices: Vec<String>,
}

/// Why a document could not be read as a provider's reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fact}")]
pub struct WireError {
    /// What is wrong, in one sentence.
    pub fact: String,
    /// What to do about it; empty when there is nothing.
    pub hint: String,
}
