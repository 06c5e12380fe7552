//! JSON schemas from types, in the plain form that every provider takes.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// The schema of a type: an object, nothing referred to, no titles, no formats, an optional field simply not required.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    plain(&mut schema);
    if let Value::Object(map) = &mut schema {
        map.remove("description");
        map.entry("properties")
            .or_insert_with(|| Value::Object(Map::new()));
    }
    schema
}

/// Takes out what providers refuse or models do not need, in a schema and all below it.
fn plain(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    map.remove("title");
    map.remove("format");
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|name| name != "null");
        if let [single] = types.as_slice() {
            let single = single.clone();
            map.insert("type".to_owned(), single);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    unwrap_nullable(map);
    for key in ["properties", "$defs"] {
        if let Some(Value::Object(parts)) = map.get_mut(key) {
            parts.values_mut().for_each(plain);
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(part) = map.get_mut(key) {
            plain(part);
        }
    }
    for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(parts)) = map.get_mut(key) {
            parts.iter_mut().for_each(plain);
        }
    }
}

/// Turns `anyOf: [S, null]` into S.
fn unwrap_nullable(map: &mut Map<String, Value>) {
    let Some(Value::Array(parts)) = map.get("anyOf") else {
        return;
    };
    let is_null = |part: &&Value| part.get("type").is_some_and(|name| name == "null");
    let rest: Vec<&Value> = parts.iter().filter(|part| !is_null(part)).collect();
    if rest.len() == parts.len() {
        return;
    }
    if let [Value::Object(only)] = rest.as_slice() {
        let only = only.clone();
        map.remove("anyOf");
        for (key, value) in only {
            map.entry(key).or_insert(value);
        }
    }
}

/// A whole number where a family's schema says `number`. Takes `3` and `3.0`, refuses `3.5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Number(pub i64);

impl Number {
    /// The number if it is not negative.
    #[must_use]
    pub fn at_least_zero(self) -> Option<u64> {
        u64::try_from(self.0).ok()
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(source)?;
        let whole = number.as_i64().or_else(|| whole_float(number.as_f64()?));
        whole
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom(format!("`{number}` is not a whole number")))
    }
}

/// The integer that a float is, within the range where floats are exact.
fn whole_float(float: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let whole = float.fract() == 0.0 && float.abs() <= EXACT;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the float is a whole number within the exact range"
    )]
    whole.then_some(float as i64)
}

impl JsonSchema for Number {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "number" })
    }

    fn inline_schema() -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, schema_of};
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Mode {
        Lines,
        Block,
    }

    /// What it takes.
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Input {
        /// The file.
        path: String,
        /// How many.
        limit: Option<u32>,
        offset: Option<Number>,
        mode: Option<Mode>,
        #[serde(default)]
        all: bool,
    }

    #[test]
    fn a_schema_is_plain() {
        let expected = json!({
            "type": "object",
            "properties": {
                "path": {"description": "The file.", "type": "string"},
                "limit": {"description": "How many.", "type": "integer", "minimum": 0},
                "offset": {"type": "number"},
                "mode": {"type": "string", "enum": ["lines", "block"]},
                "all": {"type": "boolean", "default": false},
            },
            "additionalProperties": false,
            "required": ["path"],
        });
        assert_eq!(schema_of::<Input>(), expected);
    }

    #[test]
    fn numbers_are_whole() {
        let check = |text: &str, expected: Option<i64>| {
            assert_eq!(
                serde_json::from_str::<Number>(text)
                    .ok()
                    .map(|number| number.0),
                expected,
                "{text}"
            );
        };
        check("3", Some(3));
        check("-3.0", Some(-3));
        check("3.5", None);
        check("1e300", None);
        check("\"3\"", None);
    }
}
