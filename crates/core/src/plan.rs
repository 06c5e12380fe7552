//! What a checked call would do, before it does it.

use serde_json::Value;

use crate::{Effects, View};

/// What a call would do.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// One line for a person: what, and to what.
    pub title: String,
    /// What it will touch.
    pub effects: Effects,
    /// What a person sees before it happens.
    pub preview: View,
    /// How long the call wishes to run, in milliseconds. The runtime's arbiter has the last word.
    pub wish_ms: Option<u64>,
}

/// What planning came to.
#[derive(Debug)]
pub enum Planned<R> {
    /// The call can run: its plan, and what running needs.
    Ready(Plan, R),
    /// The call is better made as another one, which is then planned in its place, once.
    Instead {
        /// The canonical id of the tool to call.
        id: String,
        /// Its canonical arguments.
        args: Value,
        /// Why, in one sentence for the model.
        why: String,
    },
}
