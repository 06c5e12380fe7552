//! Cleans a schema below its root: no boolean subschemas, one type each, and for Gemini only the words it knows.

use serde_json::{Map, Value, json};

use super::sound;
use super::walk::each_below;
use crate::Wire;

/// Words about the schema itself, which no model needs.
const SILENT: [&str; 8] = [
    "$schema",
    "$id",
    "id",
    "$comment",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$vocabulary",
];
/// Words that Gemini's schemas do not know.
const NOT_GEMINI: [&str; 19] = [
    "if",
    "then",
    "else",
    "not",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "patternProperties",
    "propertyNames",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedProperties",
    "unevaluatedItems",
    "additionalItems",
    "uniqueItems",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];
/// Bounds that Gemini's schemas do not know, and how a description says them.
const SAID: [(&str, &str); 3] = [
    ("exclusiveMinimum", "more than"),
    ("exclusiveMaximum", "less than"),
    ("multipleOf", "a multiple of"),
];
/// Formats that Gemini's schemas know.
const GEMINI_FORMATS: [&str; 8] = [
    "enum",
    "date-time",
    "date",
    "time",
    "float",
    "double",
    "int32",
    "int64",
];

/// Cleans a schema and all below it. `place` names it in what is told.
pub(super) fn clean(schema: &mut Value, wire: Wire, place: &str, notes: &mut Vec<String>) {
    match schema {
        Value::Object(_) => {}
        Value::Bool(_) => *schema = json!({}),
        _ => {
            notes.push(format!("`{place}` is no schema and is not described"));
            *schema = json!({});
        }
    }
    let Value::Object(map) = schema else { return };
    map.retain(|key, value| !SILENT.contains(&key.as_str()) || (key == "id" && !value.is_string()));
    sound::modern(map, place, notes);
    impossible(map, place, notes);
    if wire == Wire::Gemini {
        gemini(map, place, notes);
    }
    absence(map);
    one_type(map, place, notes);
    if map.get("type").is_some_and(|kind| kind == "array") {
        map.entry("items").or_insert_with(|| json!({}));
    }
    each_below(map, &mut |name, part| clean(part, wire, name, notes));
}

/// Takes out what a `false` forbids: parameters that cannot be given, branches that cannot be taken.
fn impossible(map: &mut Map<String, Value>, place: &str, notes: &mut Vec<String>) {
    let mut never: Vec<String> = Vec::new();
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        let forbidden = |value: &Value| value == &Value::Bool(false);
        never.extend(
            properties
                .iter()
                .filter(|(_, value)| forbidden(value))
                .map(|(name, _)| name.clone()),
        );
        properties.retain(|_, value| !forbidden(value));
    }
    if let Some(Value::Array(required)) = map.get_mut("required") {
        required.retain(|name| !never.iter().any(|other| name == other));
        if required.is_empty() {
            map.shift_remove("required");
        }
    }
    let told = never
        .iter()
        .map(|name| format!("`{name}` of `{place}` can never be given and was left out"));
    notes.extend(told);
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = map.get_mut(key)
            && branches.iter().any(|branch| branch != &Value::Bool(false))
        {
            branches.retain(|branch| branch != &Value::Bool(false));
        }
    }
    if map.get("items") == Some(&Value::Bool(false)) {
        map.shift_remove("items");
    }
}

/// Takes null out of the types of properties that may be absent anyway: it says nothing more there.
fn absence(map: &mut Map<String, Value>) {
    let required = map.get("required").cloned().unwrap_or_default();
    let demanded = |name: &str| {
        let names = required.as_array();
        names.is_some_and(|names| names.iter().any(|other| other == name))
    };
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for (name, property) in properties {
            if let Some(Value::Array(types)) = property.get_mut("type")
                && types.len() > 1
                && !demanded(name)
            {
                types.retain(|kind| kind != "null");
            }
        }
    }
}

/// Splits a list of types: each becomes a branch.
fn one_type(map: &mut Map<String, Value>, place: &str, notes: &mut Vec<String>) {
    let Some(Value::Array(names)) = map.get("type").cloned() else {
        return;
    };
    if let [only] = names.as_slice() {
        let only = only.clone();
        map.insert("type".to_owned(), only);
        return;
    }
    map.shift_remove("type");
    notes.push(format!("the list of types of `{place}` was split"));
    if map.contains_key("anyOf") || map.contains_key("oneOf") {
        return;
    }
    let words = std::mem::take(map);
    let mut branches: Vec<Value> = Vec::new();
    let (shared, own): (Map<String, Value>, Map<String, Value>) =
        words.into_iter().partition(|(key, _)| {
            matches!(
                key.as_str(),
                "title" | "description" | "default" | "examples"
            )
        });
    for name in names {
        let kind = name.as_str().unwrap_or_default();
        let mut branch = Map::new();
        branch.insert("type".to_owned(), name.clone());
        let fitting = own.iter().filter(|(key, _)| belongs(key, kind));
        branch.extend(fitting.map(|(key, value)| (key.clone(), value.clone())));
        narrow(&mut branch, kind);
        branches.push(Value::Object(branch));
    }
    map.extend(shared);
    map.insert("anyOf".to_owned(), Value::Array(branches));
}

/// Whether a keyword says something about values of a type.
fn belongs(key: &str, kind: &str) -> bool {
    match key {
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties" => kind == "object",
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains" => {
            kind == "array"
        }
        "minLength" | "maxLength" | "pattern" | "format" => kind == "string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            matches!(kind, "integer" | "number")
        }
        _ => kind != "null",
    }
}

/// Keeps of an `enum` what is of the type.
fn narrow(branch: &mut Map<String, Value>, kind: &str) {
    if let Some(Value::Array(values)) = branch.get_mut("enum") {
        values.retain(|value| match kind {
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" | "number" => value.is_number(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => true,
        });
        if values.is_empty() {
            branch.shift_remove("enum");
        }
    }
}

/// Leaves the words that Gemini's schemas know.
fn gemini(map: &mut Map<String, Value>, place: &str, notes: &mut Vec<String>) {
    for key in NOT_GEMINI {
        if map.shift_remove(key).is_some() {
            notes.push(format!(
                "`{key}` of `{place}` is not known on this wire and was left out"
            ));
        }
    }
    for (key, words) in SAID {
        if let Some(bound) = map.shift_remove(key) {
            say(map, &format!("It must be {words} {bound}."));
            notes.push(format!(
                "`{key}` of `{place}` was moved into its description"
            ));
        }
    }
    if let Some(constant) = map.shift_remove("const") {
        map.entry("enum").or_insert_with(|| json!([constant]));
    }
    let format = map.get("format").and_then(Value::as_str);
    if let Some(format) = format.filter(|format| !GEMINI_FORMATS.contains(format)) {
        notes.push(format!(
            "the format `{format}` of `{place}` is not known on this wire and was left out"
        ));
        map.shift_remove("format");
    }
    if let Some(Value::Array(parts)) = map.shift_remove("allOf") {
        notes.push(format!("`allOf` of `{place}` was merged"));
        for part in parts {
            if let Value::Object(part) = part {
                part.into_iter().for_each(|(key, value)| {
                    map.entry(key).or_insert(value);
                });
            }
        }
    }
}

/// Adds a sentence to a description.
fn say(map: &mut Map<String, Value>, sentence: &str) {
    let told = map
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let told = format!("{told} {sentence}").trim_start().to_owned();
    map.insert("description".to_owned(), Value::from(told));
}
