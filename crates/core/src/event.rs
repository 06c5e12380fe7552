//! What happens while a call is on its way, for whoever watches.

use serde::Serialize;

use crate::{Bounded, CallId, Status, View};

/// Something that happened to a call.
#[derive(Debug, Clone)]
pub struct Event {
    /// The call.
    pub call: CallId,
    /// The tool's canonical id, or the name as the model wrote it where no tool was found.
    pub tool: String,
    /// What happened.
    pub kind: EventKind,
}

/// What happened. The list is closed; observers match on all of it.
#[derive(Debug, Clone)]
pub enum EventKind {
    /// The call's arguments came, as text.
    Arguments(Bounded<String>),
    /// The name was found.
    Resolved,
    /// The call was planned.
    Planned {
        /// The plan's title.
        title: Bounded<String>,
        /// What a person sees before it happens.
        preview: Bounded<View>,
    },
    /// Somebody was asked.
    Asked,
    /// The call was decided.
    Decided {
        /// What was decided.
        verdict: Decision,
        /// The rule that said so.
        rule: String,
    },
    /// The call began to run.
    Started,
    /// The call printed something; neighbouring pieces are joined.
    Output(Bounded<String>),
    /// The call told how far it has come.
    Progress {
        /// How much is done.
        done: u64,
        /// Of how much, when known.
        whole: Option<u64>,
        /// In words.
        words: Bounded<String>,
    },
    /// The call ended.
    Ended {
        /// How.
        status: Status,
        /// What a person sees of it.
        view: Bounded<View>,
        /// How long it ran, in milliseconds.
        ran_ms: u64,
    },
}

/// What was decided about a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It may run.
    Allow,
    /// A person is to say.
    Ask,
    /// It may not run.
    Deny,
}
