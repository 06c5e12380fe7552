//! Where in a schema its subschemas stand.

use serde_json::{Map, Value};

/// Keywords whose values are subschemas by name.
pub(super) const MAPS: [&str; 5] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];
/// Keywords whose values are lists of subschemas.
pub(super) const LISTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
/// Keywords whose values are one subschema. `items` may be a list too, in older drafts.
pub(super) const SINGLES: [&str; 11] = [
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
];
/// Keywords where a boolean says whether more is allowed, and is no subschema in need of words.
pub(super) const SWITCHES: [&str; 4] = [
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Shows every subschema directly below a schema to a function, with its place as words.
pub(super) fn each_below(schema: &mut Map<String, Value>, visit: &mut dyn FnMut(&str, &mut Value)) {
    for key in MAPS {
        if let Some(Value::Object(parts)) = schema.get_mut(key) {
            for (name, part) in parts {
                visit(name, part);
            }
        }
    }
    for key in LISTS.into_iter().chain(["items"]) {
        if let Some(Value::Array(parts)) = schema.get_mut(key) {
            for part in parts {
                visit(key, part);
            }
        }
    }
    for key in SINGLES {
        if let Some(part) = schema.get_mut(key).filter(|part| !part.is_array()) {
            if SWITCHES.contains(&key) && part.is_boolean() {
                continue;
            }
            visit(key, part);
        }
    }
}
