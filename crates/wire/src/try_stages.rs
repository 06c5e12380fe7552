//! The stages of this room alone, JSON in and JSON out, for people who write tools.

use std::borrow::Cow;

use serde_json::{Value, json};
use toolpost_core::{Code, Completeness, RawArgs, Shape, ToolError};

use crate::Wire;
use crate::arguments::{self, Expected};
use crate::document::{items_at, text_at};
use crate::lower::{self, Listed};

/// Finish reasons of all providers that mean: cut off.
const CUT_OFF: [&str; 8] = [
    "length",
    "max_tokens",
    "MAX_TOKENS",
    "max_output_tokens",
    "incomplete",
    "model_context_window_exceeded",
    "content_filter",
    "refusal",
];

/// Decodes arguments: `{raw, schema, aliases?, finish_reason?}` → `{status, value, repairs[], error?}`. Aliases are
/// `{other: own}` or `{own: [others]}`.
#[must_use]
pub fn decode(request: Value) -> Value {
    let anything = json!({});
    let spellings = spellings(request.get("aliases"));
    let expected = Expected {
        schema: request
            .get("schema")
            .filter(|schema| !schema.is_null())
            .unwrap_or(&anything),
        spellings: &spellings,
        courtesy: &[],
        free_field: None,
    };
    let raw = match request.get("raw") {
        Some(Value::String(text)) => RawArgs::Text(text.clone()),
        Some(value) => RawArgs::Value(value.clone()),
        None => {
            let err = ToolError::new(
                Code::Invalid,
                "`raw`, the arguments as the model wrote them, is required.",
            );
            return refused(&err.hint("Send `{raw, schema, aliases?, finish_reason?}`."));
        }
    };
    let completeness = if CUT_OFF.contains(&text_at(&request, "finish_reason")) {
        Completeness::CutOff
    } else {
        Completeness::Whole
    };
    match arguments::decode(&raw, completeness, &expected) {
        Ok(decoded) => {
            json!({ "status": "ok", "value": decoded.value, "repairs": decoded.repairs })
        }
        Err(err) => refused(&err),
    }
}

fn refused(err: &ToolError) -> Value {
    let mut error = json!({ "code": err.code.name(), "fact": err.fact, "hint": err.hint });
    if let Value::Object(error) = &mut error
        && !err.quote.is_empty()
    {
        error.insert("quote".to_owned(), Value::from(err.quote.as_str()));
    }
    json!({ "status": err.code.status().name(), "value": null, "repairs": [], "error": error })
}

fn spellings(aliases: Option<&Value>) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
    let mut pairs = Vec::new();
    let map = aliases.and_then(Value::as_object);
    for (key, value) in map.into_iter().flatten() {
        match value {
            Value::String(own) => pairs.push((Cow::Owned(key.clone()), Cow::Owned(own.clone()))),
            Value::Array(others) => {
                let others = others.iter().filter_map(Value::as_str);
                pairs.extend(
                    others.map(|other| (Cow::Owned(other.to_owned()), Cow::Owned(key.clone()))),
                );
            }
            _ => {}
        }
    }
    pairs
}

/// Imports an MCP server's list: `{server, tools[]}` → `{tools[{name, tool, description, schema}], warnings[]}`.
#[must_use]
pub fn import(request: Value) -> Value {
    let server = text_at(&request, "server");
    let (tools, warnings) = lower::import(server, items_at(&request, "tools"));
    json!({ "tools": tools, "warnings": warnings })
}

/// Lowers a list for a wire: `{wire, tools[{name, description?, schema}]}` → `{tools[], names{}, warnings[]}`.
#[must_use]
pub fn lower(request: Value) -> Value {
    let name = text_at(&request, "wire");
    let Some(wire) = Wire::from_name(name) else {
        let known: Vec<String> = Wire::ALL
            .iter()
            .map(|wire| format!("`{}`", wire.name()))
            .collect();
        let warning = format!("`{name}` is no wire; known are {}.", known.join(", "));
        return json!({ "tools": [], "names": {}, "warnings": [warning] });
    };
    let tools = items_at(&request, "tools").iter().map(|tool| Listed {
        name: text_at(tool, "name").to_owned(),
        card: text_at(tool, "description").to_owned(),
        shape: Shape::Function(tool.get("schema").cloned().unwrap_or_default()),
    });
    let lowered = crate::lower(wire, &tools.collect::<Vec<_>>());
    let names = lowered
        .names
        .into_iter()
        .map(|(wire, given)| (wire, Value::from(given)));
    json!({
        "tools": lowered.tools,
        "names": Value::Object(names.collect()),
        "warnings": lowered.warnings,
    })
}
