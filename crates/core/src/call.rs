//! What a model asked for, as it came.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The caller's name for a call. Replies carry it back unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub String);

impl fmt::Display for CallId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A call before anything was looked at.
#[derive(Debug, Clone)]
pub struct RawCall {
    /// The caller's id, unique within its batch.
    pub id: CallId,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments as they came.
    pub args: RawArgs,
    /// Whether the reply that held the call was complete.
    pub completeness: Completeness,
    /// The shape in which the provider handed it over, and in which it wants the answer.
    pub form: Form,
}

/// Arguments as they came.
#[derive(Debug, Clone, PartialEq)]
pub enum RawArgs {
    /// JSON text, perhaps broken.
    Text(String),
    /// A value that the provider has read already.
    Value(Value),
    /// The bare text of a free-form tool.
    Free(String),
}

/// Whether a provider's reply was complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// The model came to its end.
    Whole,
    /// The reply was cut off, by a limit, a filter or a broken stream: no call of it can be trusted to be whole.
    CutOff,
}

/// How a provider hands a call over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A function with JSON arguments.
    Function,
    /// A custom tool with free text.
    Custom,
}
