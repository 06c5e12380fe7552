//! What a schema wants at one place, seen through references and combinators.
//!
//! It only serves mending: what it does not understand counts as "anything", and then nothing is mended. Whether a value
//! fits is for the validator alone to say.

use serde_json::{Map, Value};

/// How many alternatives are told apart before the place counts as "anything".
const ALTERNATIVES: usize = 32;
/// How many references and combinators are looked through.
const STEPS: usize = 24;

/// A set of JSON types. An integer is its own type here: `number` admits it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const FRACTION: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    const NONE: Self = Self(0);
    const ALL: Self = Self(127);

    pub(super) fn admit(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::INTEGER.or(Self::FRACTION),
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::ALL,
        }
    }

    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => Self::INTEGER.or(Self::FRACTION),
            Value::Number(_) => Self::INTEGER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The types as a sentence names them: `an integer or null`.
    pub(super) fn words(self) -> String {
        let names = [
            (Self::STRING, "a text"),
            (Self::FRACTION, "a number"),
            (Self::INTEGER, "an integer"),
            (Self::BOOLEAN, "a boolean"),
            (Self::ARRAY, "an array"),
            (Self::OBJECT, "an object"),
            (Self::NULL, "null"),
        ];
        let told: Vec<&str> = names
            .into_iter()
            .filter(|(kind, _)| self.admit(*kind))
            .filter(|(kind, _)| *kind != Self::INTEGER || !self.admit(Self::FRACTION))
            .map(|(_, name)| name)
            .collect();
        told.join(" or ")
    }
}

/// A set of subschemas that all hold.
type All<'s> = Vec<&'s Value>;

/// What is wanted at a place: one of the alternatives.
#[derive(Debug, Clone)]
pub(super) struct Wanted<'s> {
    root: &'s Value,
    alternatives: Vec<All<'s>>,
}

impl<'s> Wanted<'s> {
    /// What a whole schema wants.
    pub(super) fn of(root: &'s Value) -> Self {
        Self {
            root,
            alternatives: expand(root, root, STEPS).unwrap_or_else(anything),
        }
    }

    /// The types that are admitted.
    pub(super) fn types(&self) -> Types {
        let each = self.alternatives.iter().map(|all| types_of_all(all));
        each.fold(Types::NONE, Types::or)
    }

    /// What is wanted of the item at a place of an array.
    pub(super) fn item(&self, index: usize) -> Self {
        self.step(Types::ARRAY, |schema| {
            let listed = |key: &str| schema.get(key)?.as_array()?.get(index);
            listed("prefixItems")
                .or_else(|| listed("items"))
                .or_else(|| schema.get("items").filter(|items| !items.is_array()))
        })
    }

    /// What is wanted under a key of an object.
    pub(super) fn property(&self, key: &str) -> Self {
        self.step(Types::OBJECT, |schema| {
            let own = schema.get("properties").and_then(|known| known.get(key));
            let open = schema.get("patternProperties").is_some();
            own.or_else(|| schema.get("additionalProperties").filter(|_| !open))
        })
    }

    /// Whether the key is named by an alternative.
    pub(super) fn knows(&self, key: &str) -> bool {
        let named = |schema: &Value| {
            let known = schema.get("properties").and_then(Value::as_object);
            known.is_some_and(|known| known.contains_key(key))
        };
        self.objects().any(|all| all.iter().copied().any(named))
    }

    /// Whether every alternative does without the key.
    pub(super) fn optional(&self, key: &str) -> bool {
        let demands = |schema: &Value| {
            let required = schema.get("required").and_then(Value::as_array);
            required.is_some_and(|names| names.iter().any(|name| name == key))
        };
        !self.objects().any(|all| all.iter().copied().any(demands))
    }

    /// Whether no alternative takes the key, whatever stands under it.
    pub(super) fn refuses(&self, key: &str) -> bool {
        let closed = |schema: &Value| {
            ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|word| schema.get(word) == Some(&Value::Bool(false)))
        };
        let patterns = |schema: &Value| schema.get("patternProperties").is_some();
        let mut objects = self.objects().peekable();
        objects.peek().is_some()
            && !self.knows(key)
            && objects
                .all(|all| all.iter().copied().any(closed) && !all.iter().copied().any(patterns))
    }

    /// The keys that are named, in order.
    pub(super) fn keys(&self) -> Vec<&'s str> {
        let mut keys = Vec::new();
        let schemas = self.objects().flatten().copied();
        let named = schemas.filter_map(|schema| schema.get("properties")?.as_object());
        for key in named.flat_map(Map::keys) {
            if !keys.contains(&key.as_str()) {
                keys.push(key.as_str());
            }
        }
        keys
    }

    fn objects(&self) -> impl Iterator<Item = &All<'s>> {
        let object = |all: &&All<'s>| types_of_all(all).admit(Types::OBJECT);
        self.alternatives.iter().filter(object)
    }

    /// Goes one level down in every alternative of a type.
    fn step(&self, kind: Types, part: impl Fn(&'s Value) -> Option<&'s Value>) -> Self {
        let mut below: Vec<All<'s>> = Vec::new();
        for all in &self.alternatives {
            if !types_of_all(all).admit(kind) {
                continue;
            }
            let parts = all.iter().filter_map(|schema| part(schema));
            let Some(mut found) = product(self.root, parts, STEPS) else {
                return self.with(anything());
            };
            below.append(&mut found);
            if below.len() > ALTERNATIVES {
                return self.with(anything());
            }
        }
        self.with(below)
    }

    fn with(&self, alternatives: Vec<All<'s>>) -> Self {
        Self {
            root: self.root,
            alternatives,
        }
    }
}

fn anything<'s>() -> Vec<All<'s>> {
    vec![Vec::new()]
}

/// The alternatives of a schema; `None` when they are too many or too deep to tell.
fn expand<'s>(root: &'s Value, schema: &'s Value, steps: usize) -> Option<Vec<All<'s>>> {
    let steps = steps.checked_sub(1)?;
    let Value::Object(map) = schema else {
        let never = schema == &Value::Bool(false);
        return Some(if never { Vec::new() } else { anything() });
    };
    let mut found: Vec<All<'s>> = vec![vec![schema]];
    if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| root.pointer(pointer))?;
        found = join(found, expand(root, target, steps)?)?;
    }
    if let Some(Value::Array(parts)) = map.get("allOf") {
        found = join(found, product(root, parts.iter(), steps)?)?;
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = map.get(key) else {
            continue;
        };
        let mut either = Vec::new();
        for branch in branches {
            either.append(&mut expand(root, branch, steps)?);
        }
        found = join(found, either)?;
    }
    Some(found)
}

/// All of several schemas at once.
fn product<'s>(
    root: &'s Value,
    schemas: impl Iterator<Item = &'s Value>,
    steps: usize,
) -> Option<Vec<All<'s>>> {
    let mut found = anything();
    for schema in schemas {
        found = join(found, expand(root, schema, steps)?)?;
    }
    Some(found)
}

fn join<'s>(left: Vec<All<'s>>, right: Vec<All<'s>>) -> Option<Vec<All<'s>>> {
    if left.len().saturating_mul(right.len()) > ALTERNATIVES {
        return None;
    }
    let pairs = left.iter().flat_map(|one| {
        right
            .iter()
            .map(move |other| [one.as_slice(), other].concat())
    });
    Some(pairs.collect())
}

fn types_of_all(all: &[&Value]) -> Types {
    all.iter()
        .fold(Types::ALL, |types, schema| types.and(types_of(schema)))
}

/// The types that a schema's own words admit, combinators left aside.
fn types_of(schema: &Value) -> Types {
    let mut types = match schema.get("type") {
        Some(Value::String(name)) => Types::named(name),
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .map(Types::named)
            .fold(Types::NONE, Types::or),
        _ => Types::ALL,
    };
    if schema.get("nullable") == Some(&Value::Bool(true)) {
        types = types.or(Types::NULL);
    }
    if let Some(constant) = schema.get("const") {
        types = types.and(Types::of(constant));
    }
    if let Some(Value::Array(values)) = schema.get("enum") {
        let listed = values.iter().map(Types::of);
        types = types.and(listed.fold(Types::NONE, Types::or));
    }
    types
}

#[cfg(test)]
mod tests {
    use super::{Types, Wanted};
    use serde_json::{Value, json};

    fn words(schema: &Value) -> String {
        Wanted::of(schema).types().words()
    }

    #[test]
    fn types_are_seen_through_combinators() {
        let check =
            |schema: Value, expected: &str| assert_eq!(words(&schema), expected, "{schema}");
        check(json!({"type": "integer"}), "an integer");
        check(json!({"type": "number"}), "a number");
        check(json!({"type": ["string", "null"]}), "a text or null");
        check(
            json!({"anyOf": [{"type": "boolean"}, {"type": "null"}]}),
            "a boolean or null",
        );
        check(
            json!({"oneOf": [{"type": "array"}, {"anyOf": [{"type": "object"}]}]}),
            "an array or an object",
        );
        check(
            json!({"allOf": [{"type": ["string", "integer"]}, {"type": ["integer", "null"]}]}),
            "an integer",
        );
        check(json!({"enum": ["a", 1]}), "a text or an integer");
        check(json!({"const": true}), "a boolean");
        check(
            json!({"type": "string", "nullable": true}),
            "a text or null",
        );
        check(
            json!({"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}}),
            "an integer",
        );
        check(json!(false), "");
    }

    #[test]
    fn what_is_not_understood_is_anything() {
        let all = words(&json!({}));
        let check = |schema: Value| assert_eq!(words(&schema), all, "{schema}");
        check(json!(true));
        check(json!({"$ref": "#"}));
        check(json!({"$ref": "https://e.example/s"}));
        check(json!({"type": "strange"}));
        let many: Vec<Value> = (0..40).map(|_| json!({"type": "integer"})).collect();
        check(json!({"anyOf": many}));
    }

    #[test]
    fn places_below_are_found() {
        let schema = json!({
            "type": "object",
            "properties": {"edits": {"type": "array", "items": {"$ref": "#/$defs/edit"}}},
            "required": ["edits"],
            "additionalProperties": false,
            "$defs": {"edit": {"type": "object", "properties": {"old": {"type": "string"}}}},
        });
        let root = Wanted::of(&schema);
        let edit = root.property("edits").item(3);
        assert_eq!(edit.property("old").types(), Types::STRING);
        assert_eq!(edit.keys(), ["old"]);
        assert!(root.knows("edits") && !root.knows("old") && edit.knows("old"));
        assert!(!root.optional("edits") && edit.optional("old"));
        assert!(root.refuses("other") && !root.refuses("edits") && !edit.refuses("other"));
    }

    #[test]
    fn a_key_is_what_any_alternative_says() {
        let schema = json!({"anyOf": [
            {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
            {"type": "object", "properties": {"id": {"type": "string"}}},
            {"type": "null"},
        ]});
        let root = Wanted::of(&schema);
        assert_eq!(root.property("id").types().words(), "a text or an integer");
        assert!(!root.optional("id"));
    }
}
