//! References inside a schema, replaced by what they refer to.

use serde_json::{Map, Value, json};

use super::walk::each_below;

/// How many subschemas a schema may hold once its references are replaced.
const PARTS: usize = 3_000;
/// How deep a schema may be nested.
const DEPTH: usize = 48;

/// Replaces references and takes out definitions. What refers to itself is described once; what cannot be found, is too
/// deep or too much, becomes "anything". Either is told.
pub(super) fn inline(schema: &Value, notes: &mut Vec<String>) -> Value {
    let mut inliner = Inliner {
        root: schema,
        open: Vec::new(),
        left: PARTS,
        notes,
    };
    let mut whole = schema.clone();
    inliner.visit(&mut whole, DEPTH);
    whole
}

struct Inliner<'a> {
    root: &'a Value,
    open: Vec<String>,
    left: usize,
    notes: &'a mut Vec<String>,
}

impl Inliner<'_> {
    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn visit(&mut self, schema: &mut Value, depth: usize) {
        let Value::Object(map) = schema else { return };
        let (Some(left), Some(depth)) = (self.left.checked_sub(1), depth.checked_sub(1)) else {
            self.note(
                "its schema is too large or too deep, and some of it is not described".to_owned(),
            );
            *schema = json!({});
            return;
        };
        self.left = left;
        map.shift_remove("$defs");
        map.shift_remove("definitions");
        let reference = map
            .shift_remove("$ref")
            .or_else(|| map.shift_remove("$dynamicRef"));
        let Some(Value::String(reference)) = reference else {
            each_below(map, &mut |_, part| self.visit(part, depth));
            return;
        };
        each_below(map, &mut |_, part| self.visit(part, depth));
        let siblings = std::mem::take(map);
        *schema = self.target(&reference, siblings, depth);
    }

    /// What a reference refers to, with what stood beside it on top.
    fn target(&mut self, reference: &str, siblings: Map<String, Value>, depth: usize) -> Value {
        let found = reference
            .strip_prefix('#')
            .and_then(|pointer| self.root.pointer(&pointer.replace("%24", "$")))
            .cloned();
        let Some(mut found) = found else {
            self.note(format!(
                "`{reference}` could not be found and is not described"
            ));
            return Value::Object(siblings);
        };
        if self.open.iter().any(|open| open == reference) {
            self.note(format!(
                "`{reference}` refers to itself and is described once"
            ));
            return on_top(outline(&found), siblings);
        }
        self.open.push(reference.to_owned());
        self.visit(&mut found, depth);
        self.open.pop();
        on_top(found, siblings)
    }
}

/// A schema's type and description alone.
fn outline(schema: &Value) -> Value {
    let kept = ["type", "description"].into_iter();
    let kept = kept.filter_map(|key| Some((key.to_owned(), schema.get(key)?.clone())));
    Value::Object(kept.collect())
}

fn on_top(below: Value, siblings: Map<String, Value>) -> Value {
    match below {
        Value::Object(mut map) => {
            map.extend(siblings);
            Value::Object(map)
        }
        other if siblings.is_empty() => other,
        _ => Value::Object(siblings),
    }
}
