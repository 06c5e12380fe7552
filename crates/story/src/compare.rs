//! Whether a state holds what it must.

use serde_json::{Map, Value};

use crate::vary::matches;

/// What of the wanted values is not in a state, one sentence each.
pub(crate) fn missing(wanted: &Map<String, Value>, state: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    in_map(wanted, state, "state", &mut found);
    found
}

fn in_map(
    wanted: &Map<String, Value>,
    got: &Map<String, Value>,
    at: &str,
    found: &mut Vec<String>,
) {
    for (key, value) in wanted {
        let at = format!("{at}.{key}");
        match got.get(key) {
            Some(got) => in_value(value, got, &at, found),
            None => found.push(format!("`{at}` is not there.")),
        }
    }
}

fn in_value(wanted: &Value, got: &Value, at: &str, found: &mut Vec<String>) {
    match (wanted, got) {
        (Value::Object(wanted), Value::Object(got)) => in_map(wanted, got, at, found),
        (Value::Array(wanted), Value::Array(got)) if wanted.len() == got.len() => {
            for (place, (wanted, got)) in wanted.iter().zip(got).enumerate() {
                in_value(wanted, got, &format!("{at}[{place}]"), found);
            }
        }
        (Value::String(pattern), Value::String(text)) if matches(pattern, text) => {}
        (Value::String(pattern), Value::Number(number)) if stands_for(pattern, number) => {}
        _ if wanted == got => {}
        _ => found.push(format!("`{at}` is {got}, not {wanted}.")),
    }
}

/// Whether a word for what varies stands for a number.
fn stands_for(pattern: &str, number: &serde_json::Number) -> bool {
    let text = number.to_string();
    pattern != text && matches(pattern, &text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::missing;

    #[test]
    fn a_state_holds_what_it_must() {
        let state = json!({
            "exit_code": 1, "ms": 12, "text": "took 5 ms\n",
            "matches": [{"path": "a", "line": 1}], "deep": {"x": null},
        });
        let check = |wanted: Value, expected: &[&str]| {
            let found = missing(wanted.as_object().unwrap(), state.as_object().unwrap());
            assert_eq!(found, expected, "{wanted}");
        };
        check(json!({}), &[]);
        check(json!({"exit_code": 1}), &[]);
        check(json!({"exit_code": 0}), &["`state.exit_code` is 1, not 0."]);
        check(
            json!({"exit_code": "1"}),
            &["`state.exit_code` is 1, not \"1\"."],
        );
        check(json!({"gone": 1}), &["`state.gone` is not there."]);
        check(json!({"ms": "[MS]", "text": "took [MS] ms\n"}), &[]);
        check(
            json!({"text": "[MS]"}),
            &["`state.text` is \"took 5 ms\\n\", not \"[MS]\"."],
        );
        check(json!({"matches": [{"line": 1}]}), &[]);
        check(
            json!({"matches": [{"line": 2}]}),
            &["`state.matches[0].line` is 1, not 2."],
        );
        check(
            json!({"matches": []}),
            &["`state.matches` is [{\"path\":\"a\",\"line\":1}], not []."],
        );
        check(json!({"deep": {"x": null}}), &[]);
        check(
            json!({"deep": {"y": null}}),
            &["`state.deep.y` is not there."],
        );
    }
}
