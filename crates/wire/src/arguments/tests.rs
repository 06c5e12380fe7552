use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolpost_core::{Code, Completeness, RawArgs, ToolError};

use super::{Decoded, Expected, decode};

fn expected<'a>(schema: &'a Value, spellings: &'a [(Cow<'a, str>, Cow<'a, str>)]) -> Expected<'a> {
    Expected {
        schema,
        spellings,
        courtesy: &["why"],
        free_field: Some("patch"),
    }
}

fn run(raw: &RawArgs, schema: &Value) -> Result<Decoded, ToolError> {
    let pairs = [
        ("file_path", "path"),
        ("old_string", "old"),
        ("filename", "path"),
    ];
    let spellings = pairs.map(|(other, own)| (Cow::Borrowed(other), Cow::Borrowed(own)));
    decode(raw, Completeness::Whole, &expected(schema, &spellings))
}

fn text(raw: &str) -> RawArgs {
    RawArgs::Text(raw.to_owned())
}

/// An object schema of these properties, closed.
fn closed(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Decodes to a value with as many repairs.
fn fine(raw: &str, schema: &Value, value: Value, repairs: usize) {
    let decoded = run(&text(raw), schema).unwrap_or_else(|err| panic!("{raw}: {err:?}"));
    assert_eq!(decoded.value, value, "{raw}");
    assert_eq!(
        decoded.repairs.len(),
        repairs,
        "{raw}: {:?}",
        decoded.repairs
    );
}

/// Is refused with a code, and names these words.
fn refused(raw: &str, schema: &Value, code: Code, words: &[&str]) {
    let err = run(&text(raw), schema).expect_err(raw);
    assert_eq!(err.code, code, "{raw}: {err:?}");
    for word in words {
        assert!(
            err.fact.contains(word),
            "{raw}: `{word}` is not in `{}`",
            err.fact
        );
    }
    assert!(err.fact.ends_with('.') && !err.hint.is_empty(), "{err:?}");
}

fn file() -> Value {
    closed(
        json!({
            "path": {"type": "string"}, "content": {"type": "string"}, "limit": {"type": "integer", "minimum": 1},
            "ratio": {"type": "number"}, "all": {"type": "boolean"}, "mode": {"type": "string", "enum": ["lines", "block"]},
            "names": {"type": "array", "items": {"type": "string"}}, "why": {"type": "string"},
            "edits": {"type": "array", "items": {
                "type": "object", "properties": {"old": {"type": "string"}, "new": {"type": "string"}, "all": {"type": "boolean"}},
                "required": ["old", "new"], "additionalProperties": false,
            }},
            "env": {"type": "object", "additionalProperties": {"type": "string"}},
            "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        }),
        &["path", "why"],
    )
}

#[test]
fn sound_arguments_pass_unchanged() {
    let check = |raw: &str| fine(raw, &file(), serde_json::from_str(raw).unwrap(), 0);
    check(r#"{"path": "a"}"#);
    check(r#"{"path": "", "content": "{\"a\":1}", "limit": 3, "ratio": 0.5, "all": true}"#);
    check(r#"{"path": "true", "content": "[1]", "names": ["1", "null", "{}"]}"#);
    check(r#"{"path": "a", "maybe": null, "env": {"A": "1"}}"#);
    check(r#"{"path": "a", "edits": [{"old": "1", "new": "false"}]}"#);
}

#[test]
fn what_has_one_meaning_is_mended() {
    let check = |raw: &str, value: Value, repairs: usize| fine(raw, &file(), value, repairs);
    check(
        r#"{"path":"a","names":"[\"x\"]"}"#,
        json!({"path": "a", "names": ["x"]}),
        1,
    );
    check(
        r#"{"path":"a","edits":"[{\"old\":\"a\",\"new\":\"b\",\"all\":\"true\"}]"}"#,
        json!({"path": "a", "edits": [{"old": "a", "new": "b", "all": true}]}),
        2,
    );
    check(
        r#"{"path":"a","env":"{\"A\":\"1\"}"}"#,
        json!({"path": "a", "env": {"A": "1"}}),
        1,
    );
    check(r#""{\"path\":\"a\"}""#, json!({"path": "a"}), 1);
    check(
        r#"{"path":"a","limit":"10"}"#,
        json!({"path": "a", "limit": 10}),
        1,
    );
    check(
        r#"{"path":"a","limit":3.0}"#,
        json!({"path": "a", "limit": 3}),
        1,
    );
    check(
        r#"{"path":"a","ratio":"-1.5e1"}"#,
        json!({"path": "a", "ratio": -15.0}),
        1,
    );
    check(
        r#"{"path":"a","maybe":"7"}"#,
        json!({"path": "a", "maybe": 7}),
        1,
    );
    check(
        r#"{"path":"a","all":"True"}"#,
        json!({"path": "a", "all": true}),
        1,
    );
    check(
        r#"{"path":1.10,"content":12}"#,
        json!({"path": "1.10", "content": "12"}),
        2,
    );
    check(r#"{"path":"a","limit":null}"#, json!({"path": "a"}), 1);
    check(r#"{"path":"a","unknown":null}"#, json!({"path": "a"}), 1);
    check(r#"{"path":"a","why":null}"#, json!({"path": "a"}), 1);
    check("```json\n{\"path\":\"a\"}\n```", json!({"path": "a"}), 1);
    check("{\"path\":\"a\nb\",}", json!({"path": "a\nb"}), 2);
}

#[test]
fn other_spellings_are_taken() {
    let check = |raw: &str, value: Value| fine(raw, &file(), value, 1);
    check(r#"{"file_path":"a"}"#, json!({"path": "a"}));
    check(r#"{"file_path":"a","path":"a"}"#, json!({"path": "a"}));
    check(r#"{"file_path":"a","path":null}"#, json!({"path": "a"}));
    check(r#"{"file_path":null,"path":"a"}"#, json!({"path": "a"}));
    check(
        r#"{"path":"a","edits":[{"old_string":"x","new":"y"}]}"#,
        json!({"path": "a", "edits": [{"old": "x", "new": "y"}]}),
    );
    fine(
        r#"{"file_path":"a","filename":"a"}"#,
        &file(),
        json!({"path": "a"}),
        2,
    );
    refused(
        r#"{"file_path":"a","path":"b"}"#,
        &file(),
        Code::Invalid,
        &["file_path", "path"],
    );
    let own = closed(
        json!({"path": {"type": "string"}, "file_path": {"type": "string"}}),
        &[],
    );
    fine(r#"{"file_path":"a"}"#, &own, json!({"file_path": "a"}), 0);
}

#[test]
fn what_might_mean_something_else_is_refused() {
    let check = |raw: &str, words: &[&str]| refused(raw, &file(), Code::Invalid, words);
    check(
        r#"{"path":"a","limit":""}"#,
        &["limit", "an integer", "a text"],
    );
    check(r#"{"path":"a","limit":"ten"}"#, &["limit", "ten"]);
    check(r#"{"path":"a","limit":"007"}"#, &["limit"]);
    check(r#"{"path":"a","limit":" 5"}"#, &["limit"]);
    check(r#"{"path":"a","limit":"5.5"}"#, &["limit"]);
    check(r#"{"path":"a","limit":5.5}"#, &["limit", "an integer"]);
    check(r#"{"path":"a","limit":true}"#, &["limit", "a boolean"]);
    check(
        r#"{"path":"a","limit":123456789012345678901}"#,
        &["limit", "too long"],
    );
    check(r#"{"path":"a","limit":0}"#, &["limit", "at least 1"]);
    check(r#"{"path":"a","all":"yes"}"#, &["all", "a boolean"]);
    check(r#"{"path":"a","all":1}"#, &["all", "a boolean"]);
    check(r#"{"path":"a","names":"x"}"#, &["names", "an array"]);
    check(
        r#"{"path":"a","names":"[\"x\""}"#,
        &["names", "an array", "ends too early"],
    );
    check(
        r#"{"path":"a","names":"['x']"}"#,
        &["names", "an array", "not valid"],
    );
    check(
        r#"{"path":"a","names":"{}"}"#,
        &["names", "an array", "other JSON"],
    );
    check(
        r#"{"path":"a","names":[1.5,{}]}"#,
        &["names[1]", "a text", "an object"],
    );
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let check = |raw: &str, words: &[&str]| refused(raw, &file(), Code::Invalid, words);
    check(r#"{"path":true}"#, &["path", "a text"]);
    check(r#"{"path":null}"#, &["path", "null"]);
    check(
        r#"{"path":"a","mode":"line"}"#,
        &["mode", "`lines`", "nearest is `lines`"],
    );
    check(
        r#"{"path":"a","pth":"b"}"#,
        &["pth", "`path`, `content`", "nearest is `path`"],
    );
    check(r#"{"content":"x"}"#, &["`path` is required"]);
    check(
        r#"{"Path":"x"}"#,
        &["`path` is required", "`Path` is not known"],
    );
    check(
        r#"{"path":"a","edits":[{"old":"x"}]}"#,
        &["edits[0].new", "required"],
    );
    check(r#"{"path":"a","path":"b"}"#, &["path", "twice"]);
    check(
        r#"{"path":"a","edits":[{"old":"a","old":"a"}]}"#,
        &["old", "edits[0]"],
    );
    check("", &["path"]);
    check("null", &["path"]);
    check("[]", &["a JSON object", "an array"]);
    check("42", &["a number", "`path`"]);
    check(r#""\"{}\"""#, &["a text"]);
    check(&("[".repeat(500) + &"]".repeat(500)), &["deeper"]);
}

#[test]
fn nothing_at_all_means_no_arguments() {
    let none = json!({"type": "object", "properties": {}});
    fine("", &none, json!({}), 1);
    fine(" \n", &none, json!({}), 1);
    fine("null", &none, json!({}), 1);
    fine("{}", &none, json!({}), 0);
}

#[test]
fn broken_text_is_told_by_line_and_column() {
    let check = |raw: &str, words: &[&str]| refused(raw, &file(), Code::Parse, words);
    check(
        "{\n  'path': 'a'}",
        &["line 2", "column 3", "`'`", "a key in double quotes"],
    );
    check(r#"{"path":"a"}{"path":"b"}"#, &["column 13", "complete"]);
    check(r#"{"path":"say "hi""}"#, &["column 15", "`h`"]);
    check(r#"{"path":"C:\dir"}"#, &["escape"]);
    check("path: a", &["`p`"]);
    check("```json\nnothing\n```", &["line 1"]);
    let err = run(&text(r#"{"é":'x'}"#), &file()).unwrap_err();
    assert_eq!(err.quote, "{\"é\":'x'}\n     ^");
}

#[test]
fn truncation_is_told_by_place() {
    let check = |raw: &str, words: &[&str]| refused(raw, &file(), Code::Truncated, words);
    check(
        r#"{"path":"a.txt","content":"hel"#,
        &["truncated", "cut off", "`content`", "1 unclosed `{`"],
    );
    check(
        r#"{"path":"a","edits":[{"old":"x","#,
        &["`edits[0]`", "2 unclosed `{`", "1 unclosed `[`"],
    );
    check(r#"{"path":"a"#, &["`path`"]);
    check("```json\n{\"path\":\"a", &["`path`"]);
    check("```json\n{\"path\":\"a\"}\n", &["fence"]);
}

#[test]
fn a_reply_that_was_cut_off_is_never_decoded() {
    let check = |raw: RawArgs| {
        let err = decode(&raw, Completeness::CutOff, &expected(&file(), &[])).unwrap_err();
        assert_eq!(err.code, Code::Truncated);
        assert!(err.fact.contains("cut off") && err.hint.contains("smaller pieces"));
    };
    check(text(r#"{"path":"a"}"#));
    check(text(r#"{"path":"a"#));
    check(text(""));
    check(RawArgs::Value(json!({"path": "a"})));
    check(RawArgs::Free("*** Begin Patch".to_owned()));
}

#[test]
fn values_that_were_read_already_are_judged_alike() {
    let value = |value: Value| run(&RawArgs::Value(value), &file());
    let decoded = value(json!({"file_path": "a", "limit": "2"})).unwrap();
    assert_eq!(decoded.value, json!({"path": "a", "limit": 2}));
    assert_eq!(decoded.repairs.len(), 2);
    assert_eq!(
        value(json!("{\"path\":\"a\"}")).unwrap().value,
        json!({"path": "a"})
    );
    assert_eq!(
        value(json!({"path": 12})).unwrap().value,
        json!({"path": "12"})
    );
    assert_eq!(value(json!({"path": 1.5})).unwrap_err().code, Code::Invalid);
    assert_eq!(value(json!([])).unwrap_err().code, Code::Invalid);
}

#[test]
fn free_text_is_literal() {
    let schema = closed(json!({"patch": {"type": "string"}}), &["patch"]);
    let raw = RawArgs::Free(" {\"a\":1}\n\\n ".to_owned());
    let decoded = run(&raw, &schema).unwrap();
    assert_eq!(decoded.value, json!({"patch": " {\"a\":1}\n\\n "}));
    assert!(decoded.repairs.is_empty());
}

#[test]
fn unions_are_looked_through_and_texts_in_them_left_alone() {
    let schema = json!({"type": "object", "properties": {
        "force": {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": null},
        "either": {"anyOf": [{"type": "string"}, {"type": "array"}]},
        "target": {"oneOf": [
            {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": false},
            {"type": "object", "properties": {"slug": {"type": "string"}}, "required": ["slug"], "additionalProperties": false},
        ]},
        "ref": {"$ref": "#/$defs/count"},
        "any": {},
    }, "$defs": {"count": {"type": "integer"}}});
    fine(r#"{"force":"true"}"#, &schema, json!({"force": true}), 1);
    fine(r#"{"force":null}"#, &schema, json!({"force": null}), 0);
    fine(r#"{"force":"null"}"#, &schema, json!({"force": null}), 1);
    fine(r#"{"either":"[1]"}"#, &schema, json!({"either": "[1]"}), 0);
    fine(
        r#"{"target":{"id":"7"}}"#,
        &schema,
        json!({"target": {"id": 7}}),
        1,
    );
    fine(
        r#"{"target":"{\"slug\":\"7\"}"}"#,
        &schema,
        json!({"target": {"slug": "7"}}),
        1,
    );
    fine(r#"{"ref":"7"}"#, &schema, json!({"ref": 7}), 1);
    fine(
        r#"{"any":"7","more":"[]"}"#,
        &schema,
        json!({"any": "7", "more": "[]"}),
        0,
    );
    refused(
        r#"{"target":{"name":"x"}}"#,
        &schema,
        Code::Invalid,
        &["target", "none of the forms"],
    );
    refused(
        r#"{"force":"maybe"}"#,
        &schema,
        Code::Invalid,
        &["force", "a boolean or null", "maybe"],
    );
}

#[test]
fn at_most_five_problems_are_told_and_a_broken_schema_tells_none() {
    let all: Vec<String> = (0..9).map(|number| format!("p{number}")).collect();
    let names: Vec<&str> = all.iter().map(String::as_str).collect();
    let schema = json!({"type": "object", "required": names});
    let err = run(&text("{}"), &schema).unwrap_err();
    assert_eq!(err.state["problems"].as_array().unwrap().len(), 5);
    assert!(err.fact.contains("4 more"));
    fine(
        r#"{"a":1}"#,
        &json!({"type": "object", "properties": {"a": {"type": 7}}}),
        json!({"a": 1}),
        0,
    );
    fine(
        r#"{"a":1}"#,
        &json!({"$ref": "https://e.example/schema"}),
        json!({"a": 1}),
        0,
    );
    let old =
        json!({"properties": {"a": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}}});
    refused(r#"{"a":0}"#, &old, Code::Invalid, &["`a`"]);
}

#[test]
fn encoded_values_are_bounded_too() {
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/l"}}, "$defs": {"l": {"type": "array", "items": {"$ref": "#/$defs/l"}}}});
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let inside =
        |depth: usize| json!({"a": format!("[{}]", Value::from(nested(depth)))}).to_string();
    assert!(run(&text(&inside(20)), &schema).is_ok());
    assert_eq!(
        run(&text(&inside(99)), &schema).unwrap_err().code,
        Code::Invalid
    );
}

#[test]
fn a_bare_text_for_a_free_form_tool_is_told_how_to_be_sent() {
    let schema = closed(json!({"patch": {"type": "string"}}), &["patch"]);
    let err = run(&text("*** Begin Patch"), &schema).unwrap_err();
    assert!(err.hint.contains(r#"{"patch": "#), "{}", err.hint);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        prop_oneof![
            Just("true"),
            Just("7"),
            Just("[\"x\"]"),
            Just("{\"old\":\"a\",\"new\":\"b\"}")
        ]
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let key = prop_oneof![
            "[a-z]{1,4}",
            Just("old".to_owned()),
            Just("new".to_owned()),
            Just("all".to_owned()),
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn any_arguments() -> impl Strategy<Value = Value> {
    let keys = prop::sample::select(vec![
        "path",
        "file_path",
        "content",
        "limit",
        "ratio",
        "all",
        "mode",
        "names",
        "edits",
        "env",
        "maybe",
        "zzz",
    ]);
    prop::collection::btree_map(keys, any_json(), 0..5).prop_map(|map| {
        let fields = map.into_iter().map(|(key, value)| (key.to_owned(), value));
        Value::Object(fields.chain([("path".to_owned(), json!("p"))]).collect())
    })
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(raw in "\\PC{0,60}", jsonish in r#"[\[\]{}",:\\a0 \n]{0,60}"#) {
        for raw in [raw, jsonish] {
            let free = json!({});
            if let Ok(decoded) = run(&text(&raw), &free) {
                prop_assert!(decoded.value.is_object());
            }
            let _ = run(&text(&raw), &file());
        }
    }

    #[test]
    fn what_is_decoded_fits_the_schema(args in any_arguments()) {
        let schema = file();
        let mut lenient = schema.clone();
        lenient["required"] = json!(["path"]);
        let validator = jsonschema::validator_for(&lenient).unwrap();
        for raw in [text(&args.to_string()), RawArgs::Value(args.clone())] {
            if let Ok(decoded) = run(&raw, &schema) {
                prop_assert!(validator.is_valid(&decoded.value));
                if decoded.repairs.is_empty() {
                    prop_assert_eq!(&decoded.value, &args);
                }
            } else {
                prop_assert!(!validator.is_valid(&args));
            }
        }
    }

    #[test]
    fn one_level_of_encoding_is_taken_out(args in any_arguments()) {
        let plain = run(&text(&args.to_string()), &file());
        let twice = run(&text(&Value::from(args.to_string()).to_string()), &file());
        match (plain, twice) {
            (Ok(plain), Ok(twice)) => {
                prop_assert_eq!(plain.value, twice.value);
                prop_assert_eq!(plain.repairs.len() + 1, twice.repairs.len());
            }
            (Err(plain), Err(twice)) => prop_assert_eq!(plain.fact, twice.fact),
            (plain, twice) => prop_assert!(false, "{plain:?} {twice:?}"),
        }
    }

    #[test]
    fn a_prefix_is_never_runnable(args in any_arguments(), cut in 0.0..1.0_f64) {
        let whole = args.to_string();
        let ends: Vec<usize> = whole.char_indices().map(|(at, _)| at).skip(1).collect();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in a short text")]
        let end = ends[((ends.len() - 1) as f64 * cut) as usize];
        let err = run(&text(whole.get(..end).unwrap()), &file()).unwrap_err();
        prop_assert_eq!(err.code, Code::Truncated);
    }
}
