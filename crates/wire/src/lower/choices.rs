//! Choices and conditions at a schema's root, merged into one object, since providers refuse them there.
//!
//! The merged object takes all that any branch takes. What it can no longer say goes into the tool's description.

use serde_json::{Map, Value, json};

/// How long a condition may be to be quoted in a description.
const QUOTED_CHARS: usize = 400;
/// Rules between parameters that no root may hold.
const CONDITIONS: [&str; 4] = ["if", "then", "else", "not"];

/// What merging could not keep, for the caller and for the model.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) notes: Vec<String>,
    pub(super) remarks: Vec<String>,
}

/// Merges what stands beside `properties` at a root into it. An error says why it cannot be.
pub(super) fn merge(
    mut root: Map<String, Value>,
    told: &mut Told,
) -> Result<Map<String, Value>, String> {
    if let Some(Value::Array(parts)) = root.remove("allOf") {
        told.notes
            .push("`allOf` at the root of its schema was merged into one object".to_owned());
        for part in parts {
            let part = branch(part, told)?.unwrap_or_default();
            take_all(&mut root, part);
        }
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = root.remove(key) {
            told.notes.push(format!(
                "`{key}` at the root of its schema was merged into one object"
            ));
            take_any(&mut root, branches, told)?;
        }
    }
    condition(&mut root, told);
    Ok(root)
}

/// A branch as an object schema; nothing when it admits no object.
fn branch(part: Value, told: &mut Told) -> Result<Option<Map<String, Value>>, String> {
    match part {
        Value::Object(map) if is_object(&map) => merge(map, told).map(Some),
        Value::Bool(true) => Ok(Some(Map::new())),
        _ => Ok(None),
    }
}

/// Whether a schema's type, if it has one, admits an object.
pub(super) fn is_object(map: &Map<String, Value>) -> bool {
    match map.get("type") {
        None => true,
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
        Some(_) => false,
    }
}

fn take_all(root: &mut Map<String, Value>, part: Map<String, Value>) {
    for (key, value) in part {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                let known = object_at(root, "properties");
                for (name, schema) in properties {
                    match known.get_mut(&name) {
                        Some(Value::Object(own)) => {
                            if let Value::Object(more) = schema {
                                more.into_iter().for_each(|(word, value)| {
                                    own.entry(word).or_insert(value);
                                });
                            }
                        }
                        Some(_) => {}
                        None => {
                            known.insert(name, schema);
                        }
                    }
                }
            }
            ("required", Value::Array(names)) => demand(root, names),
            (_, value) => {
                root.entry(key).or_insert(value);
            }
        }
    }
}

fn take_any(
    root: &mut Map<String, Value>,
    branches: Vec<Value>,
    told: &mut Told,
) -> Result<(), String> {
    let mut objects = Vec::new();
    for part in branches {
        objects.extend(branch(part, told)?);
    }
    let Some(first) = objects.first() else {
        return Err("no form of its arguments is an object".to_owned());
    };
    let names_of = |map: &Map<String, Value>| -> Vec<Value> {
        map.get("required")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let mut shared = names_of(first);
    shared.retain(|name| objects.iter().all(|object| names_of(object).contains(name)));
    let sets: Vec<String> = objects
        .iter()
        .map(|object| listed(&names_of(object)))
        .collect();
    if objects.len() > 1 && sets.iter().any(|set| *set != listed(&shared)) {
        let sets: Vec<&str> = sets
            .iter()
            .map(|set| if set.is_empty() { "none of them" } else { set })
            .collect();
        told.remarks.push(format!(
            "Give one of these sets of parameters: {}.",
            sets.join("; or ")
        ));
    }
    let closed = objects
        .iter()
        .all(|object| object.get("additionalProperties") == Some(&Value::Bool(false)));
    if closed {
        root.entry("additionalProperties")
            .or_insert(Value::Bool(false));
    }
    let mut found: Map<String, Value> = Map::new();
    for object in objects {
        let Some(Value::Object(properties)) = object.get("properties").cloned() else {
            continue;
        };
        for (name, schema) in properties {
            let variants = found.entry(name).or_insert_with(|| json!([]));
            if let Value::Array(variants) = variants
                && !variants.contains(&schema)
            {
                variants.push(schema);
            }
        }
    }
    let known = object_at(root, "properties");
    for (name, variants) in found {
        if let Value::Array(variants) = variants {
            known.entry(name).or_insert_with(|| either(variants));
        }
    }
    demand(root, shared);
    Ok(())
}

/// One schema that takes what any of several takes.
fn either(mut variants: Vec<Value>) -> Value {
    if variants.len() == 1 {
        return variants.pop().unwrap_or_default();
    }
    let constants: Option<Vec<Value>> = variants
        .iter()
        .map(
            |variant| match (variant.get("const"), variant.get("enum")) {
                (Some(only), _) => Some(vec![only.clone()]),
                (None, Some(Value::Array(values))) => Some(values.clone()),
                _ => None,
            },
        )
        .collect::<Option<Vec<_>>>()
        .map(|lists| lists.concat());
    match constants {
        Some(values) if values.iter().all(Value::is_string) => {
            json!({ "type": "string", "enum": values })
        }
        Some(values) => json!({ "enum": values }),
        None => json!({ "anyOf": variants }),
    }
}

/// Takes out conditions; what `then` and `else` add stays as parameters that may be given.
fn condition(root: &mut Map<String, Value>, told: &mut Told) {
    let mut dropped = Map::new();
    for key in CONDITIONS {
        if let Some(rule) = root.remove(key) {
            dropped.insert(key.to_owned(), rule);
        }
    }
    if dropped.is_empty() {
        return;
    }
    told.notes
        .push("a condition at the root of its schema was moved into its description".to_owned());
    let quoted = Value::Object(dropped.clone()).to_string();
    told.remarks
        .push(if quoted.chars().count() <= QUOTED_CHARS {
            format!("A further condition holds, as JSON schema: `{quoted}`.")
        } else {
            "Further conditions hold between the parameters.".to_owned()
        });
    for key in ["then", "else"] {
        if let Some(Value::Object(properties)) = dropped
            .get(key)
            .and_then(|rule| rule.get("properties"))
            .cloned()
        {
            let known = object_at(root, "properties");
            for (name, schema) in properties {
                known.entry(name).or_insert(schema);
            }
        }
    }
}

fn demand(root: &mut Map<String, Value>, names: Vec<Value>) {
    if names.is_empty() {
        return;
    }
    let required = root.entry("required").or_insert_with(|| json!([]));
    if let Value::Array(required) = required {
        for name in names {
            if !required.contains(&name) {
                required.push(name);
            }
        }
    }
}

fn object_at<'m>(map: &'m mut Map<String, Value>, key: &str) -> &'m mut Map<String, Value> {
    let value = map.entry(key).or_insert_with(|| json!({}));
    if !value.is_object() {
        *value = json!({});
    }
    match value {
        Value::Object(inner) => inner,
        _ => unreachable!("it was made an object just now"),
    }
}

fn listed(names: &[Value]) -> String {
    let names: Vec<String> = names
        .iter()
        .filter_map(Value::as_str)
        .map(|name| format!("`{name}`"))
        .collect();
    names.join(", ")
}
