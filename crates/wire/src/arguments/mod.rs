//! From what a model wrote to arguments that a schema takes.

use std::borrow::Cow;

use serde_json::Value;
use toolpost_core::{Code, Completeness, RawArgs, Repair, ToolError};

/// What a tool takes, as its face says.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The schema of the arguments.
    pub schema: &'a Value,
    /// Other spellings of parameters, as (other, own).
    pub spellings: &'a [(Cow<'a, str>, Cow<'a, str>)],
    /// Required parameters whose absence is never a reason to refuse.
    pub courtesy: &'a [&'a str],
    /// The parameter that takes the text of a free-form call.
    pub free_field: Option<&'a str>,
}

/// Arguments that the schema takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// The arguments.
    pub value: Value,
    /// What was mended on the way.
    pub repairs: Vec<Repair>,
}

/// Decodes a call's arguments.
///
/// # Errors
/// `truncated` when they were cut off, `parse` when they are not JSON, `invalid` when the schema does not take them.
pub fn decode(
    raw: &RawArgs,
    _completeness: Completeness,
    expected: &Expected<'_>,
) -> Result<Decoded, ToolError> {
    let value = match (raw, expected.free_field) {
        (RawArgs::Value(value), _) => value.clone(),
        (RawArgs::Free(text), Some(field)) => serde_json::json!({ field: text }),
        (RawArgs::Text(text) | RawArgs::Free(text), _) => serde_json::from_str(text)
            .map_err(|err| ToolError::new(Code::Parse, format!("The arguments are not JSON: {err}.")))?,
    };
    Ok(Decoded {
        value,
        repairs: Vec::new(),
    })
}
