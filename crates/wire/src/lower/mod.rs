//! Lists of tools as providers take them.
//!
//! Schemas come from types of our own, which need nothing, and from elsewhere, which may hold anything. The latter are
//! brought into a form that every provider takes; the schema that judges a call stays the one that was given.

use serde_json::{Map, Value, json};
use toolpost_core::{Grammar, Shape};

use self::portable::{Portable, portable};
use crate::Wire;

mod choices;
mod clean;
mod import;
mod names;
mod portable;
mod references;
mod sound;
mod subset;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use import::import;
pub use names::wire_name;
pub use subset::gemini_parameters;

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

/// Makes the list that goes out with a request. A tool that cannot be offered on the wire is left out, and told.
///
/// Names are made legal and stay unique; which name stands for which is in `names`. A free-form tool is a custom tool on
/// `openai-responses` and a function elsewhere. On `plain` names and schemas stay as they are.
#[must_use]
pub fn lower(wire: Wire, tools: &[Listed]) -> Lowered {
    let given: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    let assigned = match wire {
        Wire::Plain => given.iter().map(|name| (*name).to_owned()).collect(),
        _ => names::assign(&given),
    };
    let mut lowered = Lowered {
        tools: Value::Null,
        names: Vec::new(),
        warnings: Vec::new(),
    };
    let mut entries: Vec<Value> = Vec::new();
    for (tool, name) in tools.iter().zip(assigned) {
        if lowered.names.iter().any(|(taken, _)| *taken == name) {
            let warning = format!(
                "`{}` was left out: a tool of that name is offered already.",
                tool.name
            );
            lowered.warnings.push(warning);
            continue;
        }
        match entry(wire, tool, &name, &mut lowered.warnings) {
            Ok(made) => {
                entries.push(made);
                lowered.names.push((name, tool.name.clone()));
            }
            Err(why) => lowered
                .warnings
                .push(format!("`{}` was left out: {why}.", tool.name)),
        }
    }
    lowered.tools = match wire {
        Wire::Gemini if !entries.is_empty() => json!([{ "functionDeclarations": entries }]),
        _ => Value::Array(entries),
    };
    lowered
}

/// One tool as the wire lists it; an error says why it cannot be listed.
fn entry(
    wire: Wire,
    tool: &Listed,
    name: &str,
    warnings: &mut Vec<String>,
) -> Result<Value, String> {
    if let (Wire::OpenAiResponses, Shape::Free { grammar, .. }) = (wire, &tool.shape) {
        return Ok(custom(name, &tool.card, *grammar));
    }
    if wire == Wire::Plain {
        return Ok(
            json!({ "name": name, "description": tool.card, "schema": tool.shape.schema() }),
        );
    }
    let Portable {
        schema,
        notes,
        remarks,
    } = portable(tool.shape.schema(), wire)?;
    warnings.extend(
        notes
            .into_iter()
            .map(|note| format!("`{}`: {note}.", tool.name)),
    );
    let card = described(&tool.card, &remarks);
    Ok(match wire {
        Wire::Anthropic => fields(name, &card, "input_schema", schema),
        Wire::Gemini => fields(name, &card, "parametersJsonSchema", schema),
        Wire::OpenAiChat => {
            json!({ "type": "function", "function": fields(name, &card, "parameters", schema) })
        }
        Wire::OpenAiResponses => responses(fields(name, &card, "parameters", schema)),
        Wire::Mcp | Wire::Plain => fields(name, &card, "inputSchema", schema),
    })
}

/// A description with what the schema itself can no longer say.
fn described(card: &str, remarks: &[String]) -> String {
    let parts = std::iter::once(card).chain(remarks.iter().map(String::as_str));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// Name, description and schema; no description rather than an empty one.
fn fields(name: &str, card: &str, key: &str, schema: Value) -> Value {
    let mut entry = Map::new();
    entry.insert("name".to_owned(), Value::from(name));
    if !card.is_empty() {
        entry.insert("description".to_owned(), Value::from(card));
    }
    entry.insert(key.to_owned(), schema);
    Value::Object(entry)
}

/// Responses takes a schema as strict unless told otherwise, and ours have optional parameters.
fn responses(function: Value) -> Value {
    let mut entry = Map::new();
    entry.insert("type".to_owned(), Value::from("function"));
    if let Value::Object(function) = function {
        entry.extend(function);
    }
    entry.insert("strict".to_owned(), Value::Bool(false));
    Value::Object(entry)
}

fn custom(name: &str, card: &str, grammar: Grammar) -> Value {
    json!({
        "type": "custom",
        "name": name,
        "description": card,
        "format": { "type": "grammar", "syntax": grammar.syntax, "definition": grammar.definition },
    })
}
