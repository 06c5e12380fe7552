//! What goes back.

use serde::Serialize;

use crate::{Bounded, CallId, Failure, Form, Part, State, Status, Tone, View};

/// The one answer to a call.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The caller's id.
    pub id: CallId,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The form in which the call came.
    pub form: Form,
    /// How the call ended.
    pub status: Status,
    /// Everything that is read: redacted and bounded.
    pub body: Bounded<Body>,
}

/// What is read of a reply.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    /// What the model reads.
    pub parts: Vec<Part>,
    /// Whether the outcome is shown as an error where the call itself did not fail.
    pub tone: Tone,
    /// What programs read.
    pub state: State,
    /// What a person sees.
    pub view: View,
    /// Why it did not end well.
    pub failure: Option<Failure>,
    /// What was mended in the arguments.
    pub repairs: Vec<Repair>,
    /// What else the caller should know.
    pub notices: Vec<String>,
}

/// A mend in the arguments that did not change their meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// Where, as a JSON pointer; empty for the whole.
    pub at: String,
    /// What was mended, in one sentence.
    pub what: String,
}

impl Reply {
    /// All text that the model reads, in one.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.body.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Image { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Whether a provider's protocol is to call this an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.status != Status::Ok || self.body.tone == Tone::Error
    }
}
