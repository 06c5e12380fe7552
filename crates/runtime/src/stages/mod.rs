//! The six stages of a call. Each takes the product of the one before; the order is the product.

pub(crate) mod decide;
pub(crate) mod govern;
pub(crate) mod prepare;
pub(crate) mod reply;
pub(crate) mod resolve;
pub(crate) mod run;

use std::sync::{Arc, Mutex};

use toolpost_core::{By, Changes, Code, EventKind, Failure, RawCall, Repair, State};
use toolpost_govern::Outcome;
use toolpost_store::StoreError;

use crate::toolset::Entry;
use crate::{Controls, Session, Shared, Toolset};

/// What all calls of a batch have in common.
pub(crate) struct Scene<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) session: &'a Session,
    pub(crate) toolset: &'a Toolset,
    pub(crate) controls: &'a Controls,
    /// The batch's id in the journal.
    pub(crate) batch: String,
    /// Why the journal could not be written, until a reply has told it.
    pub(crate) unwritten: Mutex<Option<String>>,
}

/// A call that has come to its end, whichever stage that was.
pub(crate) struct Ended {
    pub(crate) call: RawCall,
    /// The tool, where one was found.
    pub(crate) entry: Option<Entry>,
    pub(crate) outcome: Outcome,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) notices: Vec<String>,
    pub(crate) ran_ms: u64,
}

impl Ended {
    /// A call that ended without an output.
    pub(crate) fn failed(call: RawCall, entry: Option<Entry>, failure: Failure) -> Self {
        let words = entry.as_ref().map_or_else(
            || failure.words(),
            |entry| entry.tool.failure(entry.face, &failure),
        );
        let outcome = Outcome::Failed {
            failure,
            words,
            state: State::new(),
        };
        Self {
            call,
            entry,
            outcome,
            repairs: Vec::new(),
            notices: Vec::new(),
            ran_ms: 0,
        }
    }

    /// Adds what programs rely on, what was mended and what is to be noticed.
    pub(crate) fn with(mut self, state: State, repairs: Vec<Repair>, notices: Vec<String>) -> Self {
        if let Outcome::Failed { state: own, .. } = &mut self.outcome {
            *own = state;
        }
        self.repairs = repairs;
        self.notices = notices;
        self
    }

    /// Why it did not end well.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        match &self.outcome {
            Outcome::Output(_, failure) => failure.as_ref(),
            Outcome::Failed { failure, .. } => Some(failure),
        }
    }

    /// The tool's canonical id, or the name as the model wrote it where no tool was found.
    pub(crate) fn tool(&self) -> String {
        self.entry.as_ref().map_or_else(
            || self.call.name.clone(),
            |entry| entry.tool.about().id.to_owned(),
        )
    }
}

impl Scene<'_> {
    /// Applies what an output changes in its session.
    pub(crate) fn apply(&self, changes: &Changes) -> Result<(), StoreError> {
        self.session.apply(&self.shared.parts.store, changes)
    }

    /// Tells the observers.
    pub(crate) fn publish(&self, call: &RawCall, tool: &str, kind: EventKind) {
        crate::events::publish(&self.shared.events, &call.id, tool, kind);
    }
}

/// The failure of a call that was taken back before it ran.
pub(crate) fn taken_back() -> Failure {
    Failure {
        code: Code::Cancelled,
        fact: "The call was cancelled before it ran.".to_owned(),
        hint: String::new(),
        quote: String::new(),
        by: Some(By::Cancel),
    }
}
