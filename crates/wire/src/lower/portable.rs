//! A schema in the form that every provider takes.

use serde_json::{Map, Value, json};

use super::choices::{self, Told};
use super::{clean, references};
use crate::Wire;

/// A schema in that form, and what had to go.
#[derive(Debug)]
pub(super) struct Portable {
    /// The schema: an object with properties.
    pub(super) schema: Value,
    /// What was changed, as clauses for the caller.
    pub(super) notes: Vec<String>,
    /// What the schema can no longer say, as sentences for the model.
    pub(super) remarks: Vec<String>,
}

/// Brings a schema into that form; an error says why it cannot be.
pub(super) fn portable(schema: &Value, wire: Wire) -> Result<Portable, String> {
    let mut told = Told::default();
    let root = match references::inline(schema, &mut told.notes) {
        Value::Object(map) => map,
        Value::Null | Value::Bool(true) => Map::new(),
        other => return Err(format!("its schema is {other}, and no object can fit it")),
    };
    if !choices::is_object(&root) {
        let kind = root.get("type").cloned().unwrap_or_default();
        return Err(format!(
            "its schema wants {kind}, and arguments are always an object"
        ));
    }
    let mut root = choices::merge(root, &mut told)?;
    for key in ["enum", "const"] {
        if root.shift_remove(key).is_some() {
            told.notes
                .push(format!("`{key}` at the root of its schema was left out"));
        }
    }
    root.insert("type".to_owned(), Value::from("object"));
    let mut schema = Value::Object(root);
    clean::clean(&mut schema, wire, "the root", &mut told.notes);
    let schema = match schema {
        Value::Object(map) => Value::Object(ordered(map)),
        other => other,
    };
    let mut notes: Vec<String> = Vec::new();
    for note in told.notes {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    Ok(Portable {
        schema,
        notes,
        remarks: told.remarks,
    })
}

/// The root with its type first and its properties always there; what is required is known.
fn ordered(mut root: Map<String, Value>) -> Map<String, Value> {
    let properties = root.shift_remove("properties").unwrap_or_else(|| json!({}));
    let mut ordered = Map::new();
    ordered.insert("type".to_owned(), Value::from("object"));
    if let (Some(Value::Array(required)), Value::Object(known)) =
        (root.get_mut("required"), &properties)
    {
        required.retain(|name| name.as_str().is_some_and(|name| known.contains_key(name)));
        if required.is_empty() {
            root.shift_remove("required");
        }
    }
    ordered.insert("properties".to_owned(), properties);
    root.shift_remove("type");
    ordered.extend(root);
    ordered
}
