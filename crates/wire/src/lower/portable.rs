//! A schema in the form that every provider takes.

use serde_json::{Map, Value, json};

use super::choices::{self, Told};
use super::{clean, references, sound};
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
    sound::settle(&mut schema, &mut told.notes)?;
    let mut schema = match schema {
        Value::Object(map) => Value::Object(ordered(map)),
        other => other,
    };
    if wire == Wire::Anthropic {
        nameable(&mut schema, &mut told.notes)?;
    }
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

/// The root with its type first and its properties always there.
fn ordered(mut root: Map<String, Value>) -> Map<String, Value> {
    let properties = root.shift_remove("properties");
    root.shift_remove("type");
    let mut ordered = Map::new();
    ordered.insert("type".to_owned(), Value::from("object"));
    ordered.insert(
        "properties".to_owned(),
        properties.unwrap_or_else(|| json!({})),
    );
    ordered.extend(root);
    ordered
}

/// Leaves out parameters whose names Anthropic refuses: it takes 1 to 64 letters, digits, `_`, `.` and `-`. An error says
/// that one of them is required.
fn nameable(schema: &mut Value, notes: &mut Vec<String>) -> Result<(), String> {
    const NAME_CHARS: usize = 64;
    let legal = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let sound = |name: &str| (1..=NAME_CHARS).contains(&name.len()) && name.chars().all(legal);
    let required = schema.get("required").cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return Ok(());
    };
    let strange: Vec<String> = properties
        .keys()
        .filter(|name| !sound(name))
        .cloned()
        .collect();
    for name in strange {
        let demanded = required
            .as_array()
            .is_some_and(|names| names.iter().any(|other| *other == name));
        if demanded {
            return Err(format!(
                "its required parameter `{name}` has a name that this wire refuses"
            ));
        }
        properties.shift_remove(&name);
        notes.push(format!(
            "the parameter `{name}` has a name that this wire refuses and was left out"
        ));
    }
    Ok(())
}
