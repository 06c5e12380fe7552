use proptest::prelude::*;
use serde_json::{Value, json};
use toolpost_wire::Wire;

use crate::common::{check, check_cuts, pieces, shown, stream};

const WIRE: Wire = Wire::OpenAiChat;

fn calls() -> Value {
    json!([
        {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{\"path\": \"a\"}"}},
        {"id": "c2", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}},
        {"id": "c3", "type": "function", "function": {"name": "list", "arguments": {"path": "."}}},
        {"id": "c4", "type": "function", "function": {"name": "noop"}},
    ])
}

const CALLS: [&str; 4] = [
    r#"c1 read {"path": "a"}"#,
    "c2 patch <*** Begin>",
    r#"c3 list {"path":"."}"#,
    "c4 noop ",
];

#[test]
fn completions_are_read_in_every_form_that_people_keep() {
    let message = json!({"role": "assistant", "content": null, "tool_calls": calls()});
    let choice = json!({"index": 0, "message": message, "finish_reason": "tool_calls"});
    check(
        WIRE,
        &json!({"object": "chat.completion", "choices": [choice]}).to_string(),
        &CALLS,
    );
    check(WIRE, &choice.to_string(), &CALLS);
    check(WIRE, &message.to_string(), &CALLS);
    check(WIRE, &calls().to_string(), &CALLS);
    check(
        WIRE,
        &json!({"role": "assistant", "content": "Done."}).to_string(),
        &[],
    );
}

#[test]
fn what_was_cut_off_or_not_read_is_told() {
    let message = json!({"role": "assistant", "tool_calls": [calls()[0]]});
    for reason in ["length", "content_filter"] {
        let choice = json!({"message": message, "finish_reason": reason});
        check(
            WIRE,
            &json!({"choices": [choice]}).to_string(),
            &[&format!("{} !", CALLS[0])],
        );
    }
    let choice = json!({"message": message, "finish_reason": "tool_calls"});
    let turn = check(
        WIRE,
        &json!({"choices": [choice, choice]}).to_string(),
        &CALLS[..1],
    );
    assert!(turn.notices[0].contains("only the first"));
    let old = json!({"role": "assistant", "function_call": {"name": "old", "arguments": "{}"}});
    assert!(check(WIRE, &old.to_string(), &[]).notices[0].contains("`old`"));
}

#[test]
fn what_is_not_understood_is_told() {
    let refused = |document: Value, word: &str| {
        let err = toolpost_wire::read(WIRE, document.to_string().as_bytes()).unwrap_err();
        assert!(err.fact.contains(word), "{document}: {err:?}");
    };
    refused(json!({"choices": []}), "no choice");
    refused(json!({"choices": {}}), "`choices` is not an array");
    let message = |calls: Value| json!({"role": "assistant", "tool_calls": calls});
    refused(message(json!({})), "`tool_calls` is not an array");
    refused(
        json!({"choices": [{"message": message(json!("x"))}]}),
        "`tool_calls` is not an array",
    );
    refused(
        json!({"choices": [{"delta": {"tool_calls": {}}}]}),
        "`tool_calls` is not an array",
    );
    refused(json!({"role": "user", "tool_calls": calls()}), "`user`");
    let told = |document: Value, calls: &[&str], word: &str| {
        let turn = check(WIRE, &document.to_string(), calls);
        assert!(turn.notices[0].contains(word), "{:?}", turn.notices);
    };
    told(message(json!(null)), &[], "nothing");
    told(message(json!(["x"])), &["?  "], "without an id");
    told(
        json!({"role": "assistant", "content": [{"type": "tool_use", "id": "1"}]}),
        &[],
        "`tool_use` is not known",
    );
    let said = json!({"role": "assistant", "content": "Done."});
    assert!(check(WIRE, &said.to_string(), &[]).notices.is_empty());
}

#[test]
fn calls_without_an_id_of_their_own_are_told() {
    let call = |id: Value| json!({"id": id, "function": {"name": "x", "arguments": "{}"}});
    let calls = json!([call(json!("a")), call(json!("a")), call(json!(null))]);
    let turn = check(WIRE, &calls.to_string(), &["a x {}", "? x {}", "? x {}"]);
    for (call, notice) in turn.calls.iter().skip(1).zip(&turn.notices) {
        assert!(notice.contains(&call.id.0), "{notice}");
    }
    assert!(turn.notices[0].contains("the id `a`") && turn.notices[1].contains("without an id"));
}

fn chunk(calls: &Value, finish: Option<&str>) -> Value {
    json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"tool_calls": calls}, "finish_reason": finish}]})
}

/// A stream of two calls whose pieces are mixed.
fn chunks(args: &str, size: usize, finish: Option<&str>) -> Vec<Value> {
    let mut chunks = vec![
        json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"role": "assistant", "content": null}, "finish_reason": null}]}),
        chunk(
            &json!([{"index": 0, "id": "c1", "type": "function", "function": {"name": "read", "arguments": ""}}]),
            None,
        ),
        chunk(
            &json!([{"index": 1, "id": "c2", "type": "custom", "custom": {"name": "patch", "input": ""}}]),
            None,
        ),
    ];
    for piece in pieces(args, size) {
        chunks.push(chunk(&json!([{"index": 0, "function": {"arguments": piece}}, {"index": 1, "custom": {"input": piece}}]), None));
    }
    chunks.push(json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}));
    chunks.push(json!({"object": "chat.completion.chunk", "choices": [], "usage": {}}));
    chunks
}

#[test]
fn streams_are_put_together() {
    let args = r#"{"path": "é"}"#;
    let found = [format!("c1 read {args}"), format!("c2 patch <{args}>")];
    let found = [found[0].as_str(), found[1].as_str()];
    let chunks = chunks(args, 4, Some("tool_calls"));
    let sent = format!("{}data: [DONE]\n\n", stream(&chunks));
    check(WIRE, &sent, &found);
    check(WIRE, &Value::Array(chunks.clone()).to_string(), &found);
    check_cuts(WIRE, &sent);
    let open = stream(&chunks[..chunks.len() - 2]);
    check(
        WIRE,
        &open,
        &[&format!("{} !", found[0]), &format!("{} !", found[1])],
    );
    check(
        WIRE,
        &stream(&self::chunks("{", 1, Some("length"))),
        &["c1 read { !", "c2 patch <{> !"],
    );
}

#[test]
fn imitators_who_number_their_calls_badly_are_understood() {
    let first = json!({"index": 0, "id": "a", "function": {"name": "x", "arguments": "{}"}});
    let second = json!({"index": 0, "id": "b", "function": {"name": "y", "arguments": "{}"}});
    let found = ["a x {}", "b y {}"];
    check(
        WIRE,
        &stream(&[
            chunk(&json!([first]), None),
            chunk(&json!([second]), Some("stop")),
        ]),
        &found,
    );
    let nameless =
        |name: &str| json!([{"index": 0, "function": {"name": name, "arguments": "{}"}}]);
    check(
        WIRE,
        &stream(&[
            chunk(&nameless("x"), None),
            chunk(&nameless("y"), Some("stop")),
        ]),
        &["? x {}", "? y {}"],
    );
    let bare = |id: &str, name: &str, text: &str| json!([{"id": id, "function": {"name": name, "arguments": text}}]);
    let events = [
        chunk(&bare("a", "x", "{"), None),
        chunk(&json!([{"function": {"arguments": "}"}}]), None),
        chunk(&bare("b", "y", "{}"), Some("stop")),
    ];
    check(WIRE, &stream(&events), &found);
    let repeated = [
        chunk(&bare("a", "x", "{"), None),
        chunk(&bare("a", "x", "}"), Some("stop")),
    ];
    check(WIRE, &stream(&repeated), &found[..1]);
}

proptest! {
    #[test]
    fn pieces_of_any_size_make_the_same_turn(args in "\\PC{1,40}", size in 1..50_usize) {
        let sent = stream(&chunks(&args, size, Some("tool_calls")));
        let turn = toolpost_wire::read(WIRE, sent.as_bytes()).unwrap();
        prop_assert_eq!(shown(&turn), [format!("c1 read {args}"), format!("c2 patch <{args}>")]);
    }
}
