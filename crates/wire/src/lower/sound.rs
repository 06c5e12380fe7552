//! Schemas of older drafts, and slips in them, brought into draft 2020-12, which providers check a list against.

use serde_json::{Map, Value, json};

use super::walk::{LISTS, MAPS};

/// How many unsound words are taken out of a schema before it is given up.
const ROUNDS: usize = 24;
/// Types by the names that other languages have for them.
const TYPES: [(&str, &str); 10] = [
    ("str", "string"),
    ("text", "string"),
    ("int", "integer"),
    ("long", "integer"),
    ("float", "number"),
    ("double", "number"),
    ("bool", "boolean"),
    ("list", "array"),
    ("dict", "object"),
    ("map", "object"),
];
/// The types that there are.
const KNOWN: [&str; 7] = [
    "string", "integer", "number", "boolean", "array", "object", "null",
];

/// The type that a name stands for, in whatever case or language.
pub(super) fn type_named(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let known = KNOWN.iter().copied().find(|known| *known == name);
    known.or_else(|| {
        TYPES
            .iter()
            .find(|(other, _)| *other == name)
            .map(|(_, own)| *own)
    })
}

/// Brings a schema's own words into the newest draft, and takes out what is of the wrong kind.
pub(super) fn modern(map: &mut Map<String, Value>, place: &str, notes: &mut Vec<String>) {
    tuple(map);
    for (bound, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        match map.get(exclusive) {
            Some(Value::Bool(true)) => {
                let limit = map.shift_remove(bound);
                map.shift_remove(exclusive);
                if let Some(limit) = limit {
                    map.insert(exclusive.to_owned(), limit);
                }
            }
            Some(Value::Bool(false)) => {
                map.shift_remove(exclusive);
            }
            _ => {}
        }
    }
    types(map, place, notes);
    wrong_kinds(map, place, notes);
    demanded(map);
}

/// A list under `items` is what `prefixItems` is today.
fn tuple(map: &mut Map<String, Value>) {
    if map.get("items").is_some_and(Value::is_array) {
        let items = map.shift_remove("items").unwrap_or_default();
        map.entry("prefixItems").or_insert(items);
        if let Some(rest) = map
            .shift_remove("additionalItems")
            .filter(|rest| !rest.is_boolean())
        {
            map.insert("items".to_owned(), rest);
        }
    }
}

fn types(map: &mut Map<String, Value>, place: &str, notes: &mut Vec<String>) {
    let Some(kind) = map.get_mut("type") else {
        return;
    };
    let named = match kind {
        Value::String(name) => type_named(name).map(Value::from),
        Value::Array(names) => {
            let mut known: Vec<Value> = Vec::new();
            for name in names
                .iter()
                .filter_map(Value::as_str)
                .filter_map(type_named)
            {
                if !known.iter().any(|other| other == name) {
                    known.push(Value::from(name));
                }
            }
            (!known.is_empty()).then_some(Value::Array(known))
        }
        _ => None,
    };
    match named {
        Some(named) => *kind = named,
        None => {
            notes.push(format!(
                "the type {kind} of `{place}` is none and was left out"
            ));
            map.shift_remove("type");
        }
    }
}

/// Takes out keywords whose values are of the wrong kind.
fn wrong_kinds(map: &mut Map<String, Value>, place: &str, notes: &mut Vec<String>) {
    let mut wrong: Vec<String> = Vec::new();
    for (key, value) in map.iter_mut() {
        let key = key.as_str();
        let sound = match key {
            _ if MAPS.contains(&key) => value.is_object(),
            _ if LISTS.contains(&key) || key == "enum" => {
                value.as_array().is_some_and(|items| !items.is_empty())
            }
            "required" => match value {
                Value::Array(names) => {
                    names.retain(Value::is_string);
                    true
                }
                _ => false,
            },
            "description" => value.is_string(),
            _ => true,
        };
        if !sound {
            wrong.push(key.to_owned());
        }
    }
    for key in wrong {
        map.shift_remove(&key);
        notes.push(format!(
            "`{key}` of `{place}` was not sound and was left out"
        ));
    }
}

/// What an object demands has to be one of its properties.
fn demanded(map: &mut Map<String, Value>) {
    let is_object = map.get("type").is_some_and(|kind| kind == "object");
    let Some(Value::Array(names)) = map.get("required").cloned() else {
        return;
    };
    if names.is_empty() {
        map.shift_remove("required");
        return;
    }
    if is_object {
        map.entry("properties").or_insert_with(|| json!({}));
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for name in names.iter().filter_map(Value::as_str) {
            properties.entry(name).or_insert_with(|| json!({}));
        }
    }
}

/// Takes out whatever else the draft does not allow; an error says what cannot be taken out.
pub(super) fn settle(schema: &mut Value, notes: &mut Vec<String>) -> Result<(), String> {
    if is_plain(schema) {
        return Ok(());
    }
    for _ in 0..ROUNDS {
        let pointer = match jsonschema::draft202012::meta::validate(schema) {
            Ok(()) => return Ok(()),
            Err(fault) => fault.instance_path().to_string(),
        };
        let Some((parent, key)) = pointer.rsplit_once('/') else {
            break;
        };
        let key = key.replace("~1", "/").replace("~0", "~");
        let removed = match schema.pointer_mut(parent) {
            Some(Value::Object(map)) => map.shift_remove(&key),
            Some(Value::Array(items)) => key
                .parse()
                .ok()
                .filter(|place| *place < items.len())
                .map(|place: usize| items.remove(place)),
            _ => None,
        };
        if removed.is_none() {
            break;
        }
        notes.push(format!(
            "`{}` was not sound and was left out",
            pointer.trim_start_matches('/')
        ));
    }
    Err("its schema is not sound".to_owned())
}

/// Whether a schema holds only words in forms that are sound beyond doubt, as ours do. Then nobody has to judge it.
fn is_plain(schema: &Value) -> bool {
    let Value::Object(map) = schema else {
        return false;
    };
    map.iter().all(|(key, value)| match key.as_str() {
        "type" => value.as_str().is_some_and(|name| KNOWN.contains(&name)),
        "description" | "title" => value.is_string(),
        "properties" => value
            .as_object()
            .is_some_and(|parts| parts.values().all(is_plain)),
        "items" => is_plain(value),
        "additionalProperties" => value.is_boolean() || is_plain(value),
        "anyOf" | "oneOf" => value
            .as_array()
            .is_some_and(|parts| !parts.is_empty() && parts.iter().all(is_plain)),
        "enum" => value.as_array().is_some_and(|values| !values.is_empty()),
        "minimum" | "maximum" => value.is_number(),
        "minItems" | "maxItems" | "minLength" | "maxLength" => value.is_u64(),
        "default" => true,
        "required" => value.as_array().is_some_and(|names| {
            let texts: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            let unique: std::collections::HashSet<&&str> = texts.iter().collect();
            texts.len() == names.len() && unique.len() == texts.len()
        }),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{is_plain, modern, settle};
    use serde_json::{Value, json};

    #[test]
    fn older_drafts_become_new() {
        let check = |mut schema: Value, expected: Value, notes: usize| {
            let mut told = Vec::new();
            modern(schema.as_object_mut().unwrap(), "p", &mut told);
            assert_eq!((schema, told.len()), (expected, notes));
        };
        check(
            json!({"minimum": 0, "exclusiveMinimum": true}),
            json!({"exclusiveMinimum": 0}),
            0,
        );
        check(
            json!({"maximum": 0, "exclusiveMaximum": false}),
            json!({"maximum": 0}),
            0,
        );
        check(
            json!({"exclusiveMinimum": 3}),
            json!({"exclusiveMinimum": 3}),
            0,
        );
        check(
            json!({"items": [{}], "additionalItems": false}),
            json!({"prefixItems": [{}]}),
            0,
        );
        check(
            json!({"items": [{}], "additionalItems": {"a": 1}}),
            json!({"prefixItems": [{}], "items": {"a": 1}}),
            0,
        );
        check(json!({"type": "Str"}), json!({"type": "string"}), 0);
        check(
            json!({"type": ["int", "integer", "odd"]}),
            json!({"type": ["integer"]}),
            0,
        );
        check(json!({"type": "any"}), json!({}), 1);
        check(
            json!({"required": true, "enum": [], "properties": null}),
            json!({}),
            3,
        );
        check(
            json!({"type": "object", "required": ["a", 3]}),
            json!({"type": "object", "required": ["a"], "properties": {"a": {}}}),
            0,
        );
    }

    #[test]
    fn what_the_draft_does_not_allow_is_taken_out() {
        let check = |mut schema: Value, expected: Value, notes: usize| {
            let mut told = Vec::new();
            settle(&mut schema, &mut told).unwrap();
            assert_eq!((schema, told.len()), (expected, notes));
        };
        check(
            json!({"minLength": "3", "properties": {"a": {"maximum": "x"}}}),
            json!({"properties": {"a": {}}}),
            2,
        );
        check(
            json!({"pattern": 3, "type": "string"}),
            json!({"type": "string"}),
            1,
        );
        check(json!({"required": ["a", "a"]}), json!({}), 1);
        check(
            json!({"uniqueItems": true}),
            json!({"uniqueItems": true}),
            0,
        );
        let many: serde_json::Map<String, Value> = (0..40)
            .map(|at| (format!("p{at}"), json!({"minimum": "x"})))
            .collect();
        assert!(settle(&mut json!({"properties": many}), &mut Vec::new()).is_err());
    }

    #[test]
    fn plain_schemas_are_known() {
        assert!(is_plain(
            &json!({"type": "object", "properties": {"a": {"type": "string", "enum": ["x"]}}, "required": ["a"]})
        ));
        assert!(!is_plain(
            &json!({"type": "object", "required": ["a", "a"]})
        ));
        assert!(!is_plain(&json!({"minLength": "3"})));
        assert!(!is_plain(&json!({"not": {}})));
    }
}
