//! Gemini's older field `parameters`: a small subset of `OpenAPI` 3.0.

use serde_json::{Map, Value, json};

use super::portable::portable;
use crate::Wire;

/// The words of the subset.
const KNOWN: [&str; 22] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "properties",
    "required",
    "anyOf",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "propertyOrdering",
    "example",
    "default",
];
/// The formats of the subset.
const FORMATS: [&str; 6] = ["enum", "date-time", "float", "double", "int32", "int64"];

/// A schema for Gemini's field `parameters`, for endpoints that do not know `parametersJsonSchema`. `None` when the schema
/// cannot describe an object.
#[must_use]
pub fn gemini_parameters(schema: &Value) -> Option<Value> {
    let mut schema = portable(schema, Wire::Gemini).ok()?.schema;
    narrow(&mut schema);
    Some(schema)
}

fn narrow(schema: &mut Value) {
    let Value::Object(map) = schema else {
        *schema = json!({ "type": "string" });
        return;
    };
    if let Some(branches) = map.shift_remove("oneOf") {
        map.entry("anyOf").or_insert(branches);
    }
    if let Some(tuple) = map.shift_remove("prefixItems") {
        map.insert("items".to_owned(), json!({ "anyOf": tuple }));
    }
    map.retain(|key, _| KNOWN.contains(&key.as_str()) && key != "default");
    let format = map.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| !FORMATS.contains(&format)) {
        map.shift_remove("format");
    }
    if map
        .get("enum")
        .and_then(Value::as_array)
        .is_some_and(|values| !values.iter().all(Value::is_string))
    {
        map.shift_remove("enum");
    }
    nullable(map);
    if !map.contains_key("type") && !map.contains_key("anyOf") {
        map.insert("type".to_owned(), Value::from(guessed(map)));
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(narrow);
    }
    if let Some(Value::Array(branches)) = map.get_mut("anyOf") {
        branches.iter_mut().for_each(narrow);
    }
    if let Some(items) = map.get_mut("items") {
        narrow(items);
    }
}

/// Turns a branch for null into the word `nullable`, and one branch that is left into the schema itself.
fn nullable(map: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = map.get_mut("anyOf") else {
        return;
    };
    let before = branches.len();
    branches.retain(|branch| branch.get("type") != Some(&Value::from("null")));
    let lost = branches.len() < before;
    // A choice inside a choice has no type of its own, which the subset wants.
    let nested = |branch: &Value| branch.get("anyOf").or_else(|| branch.get("oneOf")).cloned();
    let flat: Vec<Value> = std::mem::take(branches)
        .into_iter()
        .flat_map(|branch| match nested(&branch) {
            Some(Value::Array(inner)) => inner,
            _ => vec![branch],
        })
        .collect();
    *branches = flat;
    let only = match branches.as_slice() {
        [Value::Object(only)] => Some(only.clone()),
        _ => None,
    };
    let empty = branches.is_empty();
    if only.is_some() || empty {
        map.shift_remove("anyOf");
    }
    for (key, value) in only.unwrap_or_default() {
        if KNOWN.contains(&key.as_str()) && key != "default" {
            map.entry(key).or_insert(value);
        }
    }
    if lost {
        map.insert("nullable".to_owned(), Value::Bool(true));
    }
}

/// The type that a schema without one most likely has.
fn guessed(map: &Map<String, Value>) -> &'static str {
    if map.contains_key("properties") {
        "object"
    } else if map.contains_key("items") {
        "array"
    } else if map.contains_key("minimum") || map.contains_key("maximum") {
        "number"
    } else {
        "string"
    }
}
