//! Choices and conditions at a schema's root, merged into one object, since providers refuse them there.
//!
//! The merged object takes all that any branch takes. What it can no longer say goes into the tool's description.

use serde_json::{Map, Value, json};

use super::sound::type_named;

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
    if let Some(Value::Array(parts)) = root.shift_remove("allOf") {
        told.notes
            .push("`allOf` at the root of its schema was merged into one object".to_owned());
        for part in parts {
            let part = branch(part, told)?.unwrap_or_default();
            take_all(&mut root, part);
        }
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = root.shift_remove(key) {
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
    let is_object = |kind: &Value| kind.as_str().and_then(type_named) == Some("object");
    match map.get("type") {
        None | Some(Value::Null) => true,
        Some(Value::Array(kinds)) => kinds.iter().any(is_object),
        Some(kind) => is_object(kind),
    }
}

fn take_all(root: &mut Map<String, Value>, part: Map<String, Value>) {
    for (key, value) in part {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                let mut known = taken(root, "properties");
                for (name, schema) in properties {
                    both(&mut known, name, schema);
                }
                root.insert(key, Value::Object(known));
            }
            ("required", Value::Array(names)) => demand(root, names),
            (_, value) => {
                root.entry(key).or_insert(value);
            }
        }
    }
}

/// Adds a property; where it is known already, only the words that it lacks.
fn both(known: &mut Map<String, Value>, name: String, schema: Value) {
    match (known.get_mut(&name), schema) {
        (Some(Value::Object(own)), Value::Object(more)) => {
            for (word, value) in more {
                own.entry(word).or_insert(value);
            }
        }
        (Some(_), _) => {}
        (None, schema) => {
            known.insert(name, schema);
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
    let mut shared = required(first);
    shared.retain(|name| objects.iter().all(|object| required(object).contains(name)));
    told.remarks.extend(sets(&objects, &shared));
    let open = |object: &Map<String, Value>| {
        object.get("additionalProperties") != Some(&Value::Bool(false))
    };
    if !objects.iter().any(open) {
        root.entry("additionalProperties")
            .or_insert(Value::Bool(false));
    }
    let mut known = taken(root, "properties");
    for (name, variants) in variants(objects) {
        if !known.contains_key(&name) {
            known.insert(name, either(variants));
        }
    }
    root.insert("properties".to_owned(), Value::Object(known));
    demand(root, shared);
    Ok(())
}

fn required(map: &Map<String, Value>) -> Vec<Value> {
    let names = map.get("required").and_then(Value::as_array);
    names.cloned().unwrap_or_default()
}

/// A sentence on what each branch demands, when they do not all demand the same.
fn sets(objects: &[Map<String, Value>], shared: &[Value]) -> Option<String> {
    let sets: Vec<String> = objects
        .iter()
        .map(|object| listed(&required(object)))
        .collect();
    let shared = listed(shared);
    let free = sets.iter().any(String::is_empty);
    if free || sets.iter().all(|set| *set == shared) {
        return None;
    }
    Some(format!(
        "Give one of these sets of parameters: {}.",
        sets.join("; or ")
    ))
}

/// The different schemas that branches have for each property, in order.
fn variants(objects: Vec<Map<String, Value>>) -> Vec<(String, Vec<Value>)> {
    let mut found: Vec<(String, Vec<Value>)> = Vec::new();
    for mut object in objects {
        let Some(Value::Object(properties)) = object.shift_remove("properties") else {
            continue;
        };
        for (name, schema) in properties {
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, variants)) if variants.contains(&schema) => {}
                Some((_, variants)) => variants.push(schema),
                None => found.push((name, vec![schema])),
            }
        }
    }
    found
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
        if let Some(rule) = root.shift_remove(key) {
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
    let mut known = taken(root, "properties");
    for key in ["then", "else"] {
        let more = dropped
            .get(key)
            .and_then(|rule| rule.get("properties")?.as_object());
        for (name, schema) in more.into_iter().flatten() {
            known.entry(name.clone()).or_insert_with(|| schema.clone());
        }
    }
    root.insert("properties".to_owned(), Value::Object(known));
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

/// Takes the object under a key out, to be changed and put back; what else stood there is no schema and goes.
fn taken(map: &mut Map<String, Value>, key: &str) -> Map<String, Value> {
    match map.get_mut(key) {
        Some(Value::Object(inner)) => std::mem::take(inner),
        _ => Map::new(),
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
