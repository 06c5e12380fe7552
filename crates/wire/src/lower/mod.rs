//! Lists of tools as providers take them.

use serde_json::Value;
use toolpost_core::Shape;

use crate::Wire;

/// A tool that is to be offered.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Its name in the dialect.
    pub name: String,
    /// What a model reads about it.
    pub card: String,
    /// How its arguments are written.
    pub shape: Shape,
}

/// A list of tools as a provider takes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    /// The list, to be sent as it is; an empty one when nothing is offered.
    pub tools: Value,
    /// The names, each as (on the wire, given).
    pub names: Vec<(String, String)>,
    /// What was changed or left out, in sentences.
    pub warnings: Vec<String>,
}

/// Makes the list that goes out with a request.
#[must_use]
pub fn lower(_wire: Wire, tools: &[Listed]) -> Lowered {
    Lowered {
        tools: Value::Array(Vec::new()),
        names: tools
            .iter()
            .map(|tool| (wire_name(&tool.name), tool.name.clone()))
            .collect(),
        warnings: Vec::new(),
    }
}

/// The form of a name that every wire takes.
#[must_use]
pub fn wire_name(name: &str) -> String {
    name.replace('.', "_")
}
