use proptest::prelude::*;
use serde_json::{Value, json};
use toolpost_wire::Wire;

use crate::common::{check, check_cuts, pieces, shown, stream};

const WIRE: Wire = Wire::Anthropic;

fn blocks() -> Value {
    json!([
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "a"}},
        {"type": "text", "text": "And:"},
        {"type": "tool_use", "id": "toolu_2", "name": "Bash", "input": {}},
    ])
}

const CALLS: [&str; 2] = [r#"toolu_1 Read {"file_path":"a"}"#, "toolu_2 Bash {}"];

#[test]
fn messages_are_read_in_every_form_that_people_keep() {
    let message = json!({"type": "message", "role": "assistant", "content": blocks(), "stop_reason": "tool_use"});
    check(WIRE, &message.to_string(), &CALLS);
    check(
        WIRE,
        &json!({"role": "assistant", "content": blocks()}).to_string(),
        &CALLS,
    );
    check(WIRE, &blocks().to_string(), &CALLS);
    check(WIRE, &blocks()[2].to_string(), &CALLS[..1]);
    check(
        WIRE,
        &json!({"role": "assistant", "content": "Done."}).to_string(),
        &[],
    );
    check(WIRE, &json!({"type": "message", "content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"}).to_string(), &[]);
    check(WIRE, "[]", &[]);
}

#[test]
fn a_message_that_was_cut_off_is_cut_off_in_all_its_calls() {
    for reason in ["max_tokens", "model_context_window_exceeded", "refusal"] {
        let message = json!({"type": "message", "content": blocks(), "stop_reason": reason});
        let turn = check(
            WIRE,
            &message.to_string(),
            &[&format!("{} !", CALLS[0]), &format!("{} !", CALLS[1])],
        );
        assert!(turn.notices[0].contains("cut off"));
    }
}

#[test]
fn the_provider_s_own_tools_are_named_and_passed_over() {
    let content = json!([
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
        {"type": "mcp_tool_use", "id": "m", "name": "lookup", "server_name": "x", "input": {}},
        {"type": "tool_use", "id": "t", "name": "Read", "input": {}},
    ]);
    let turn = check(WIRE, &content.to_string(), &["t Read {}"]);
    assert_eq!(turn.notices.len(), 2);
    assert!(turn.notices[0].contains("web_search") && turn.notices[1].contains("lookup"));
}

#[test]
fn ids_are_made_up_where_they_lack_or_repeat() {
    let content = json!([
        {"type": "tool_use", "id": "a", "name": "x", "input": {}},
        {"type": "tool_use", "id": "a", "name": "y", "input": {}},
        {"type": "tool_use", "name": "z"},
    ]);
    let turn = check(
        WIRE,
        &content.to_string(),
        &["a x {}", "? y {}", "? z null"],
    );
    assert!(turn.notices[0].contains("Call 2 (`y`) came with the id `a`"));
    assert!(turn.notices[1].contains("Call 3 (`z`) came without an id"));
    for (call, notice) in turn.calls.iter().skip(1).zip(&turn.notices) {
        assert!(notice.contains(&call.id.0), "{notice}");
    }
}

#[test]
fn the_last_message_of_a_conversation_is_read() {
    let said =
        |role: &str, content: Value| json!({"type": "message", "role": role, "content": content});
    let alone = json!([said("assistant", blocks())]);
    assert!(check(WIRE, &alone.to_string(), &CALLS).notices.is_empty());
    let earlier = json!([{"type": "tool_use", "id": "old", "name": "x", "input": {}}]);
    let mut messages = vec![
        said("user", json!("Go.")),
        said("assistant", earlier),
        said(
            "user",
            json!([{"type": "tool_result", "tool_use_id": "old"}]),
        ),
        said("assistant", blocks()),
    ];
    let turn = check(WIRE, &json!(messages).to_string(), &CALLS);
    assert!(turn.notices[0].contains("only the last one"));
    let answer = json!([{"type": "tool_result", "tool_use_id": "toolu_1"}]);
    messages.push(said("user", answer));
    let turn = check(WIRE, &json!(messages).to_string(), &CALLS[1..]);
    assert!(turn.notices[0].contains("`toolu_1` is answered"));
}

#[test]
fn what_is_not_understood_is_told() {
    let refused = |document: Value, word: &str| {
        let err = toolpost_wire::read(WIRE, document.to_string().as_bytes()).unwrap_err();
        assert!(err.fact.contains(word), "{document}: {err:?}");
    };
    refused(json!({"role": "user", "content": blocks()}), "`user`");
    refused(
        json!([{"role": "user", "content": blocks()}]),
        "no message of the role `assistant`",
    );
    refused(json!({"role": "assistant", "content": {}}), "not a reply");
    refused(
        json!([{"role": "assistant", "content": "x"}, {"type": "text"}]),
        "not a reply",
    );
    let told = |document: Value, word: &str| {
        let turn = check(WIRE, &document.to_string(), &[]);
        assert!(turn.notices[0].contains(word), "{:?}", turn.notices);
    };
    told(json!([]), "nothing");
    told(json!({"role": "assistant", "content": []}), "nothing");
    told(json!([{"type": "tool_usage"}]), "`tool_usage` is not known");
}

#[test]
fn no_block_of_a_stream_takes_another_s_place() {
    let begun = |index: u64, id: &str| {
        json!({"type": "content_block_start", "index": index,
               "content_block": {"type": "tool_use", "id": id, "name": "x", "input": {}}})
    };
    let end = |index: u64| json!({"type": "content_block_stop", "index": index});
    let start = json!({"type": "message_start", "message": {"content": []}});
    let stop = json!({"type": "message_stop"});
    let again = [begun(0, "a"), begun(0, "b"), end(0), stop.clone()];
    check(WIRE, &stream(&again), &["a x {} !", "b x {}"]);
    let one = [start.clone(), begun(0, "a"), end(0), stop.clone()];
    let two = [start, begun(0, "b"), end(0), stop.clone()];
    let turn = check(
        WIRE,
        &stream(&[one.clone(), two.clone()].concat()),
        &["a x {}", "b x {}"],
    );
    assert!(turn.notices[0].contains("2 messages"));
    let turn = check(
        WIRE,
        &stream(&[&one[..3], &two[..]].concat()),
        &["a x {} !", "b x {} !"],
    );
    assert!(turn.notices[0].contains("another message began"));
    let piece = json!({"type": "content_block_delta", "index": 7, "delta": {"partial_json": "{}"}});
    let strange = json!({"type": "message_news"});
    let turn = check(
        WIRE,
        &stream(&[begun(0, "a"), end(0), piece, strange, stop]),
        &["a x {} !"],
    );
    assert!(turn.notices[0].contains("never began"));
    assert!(turn.notices[1].contains("`message_news`"));
}

/// A stream of two calls, the arguments of the first in pieces.
fn events(args: &str, size: usize, reason: &str) -> Vec<Value> {
    let mut events = vec![
        json!({"type": "message_start", "message": {"type": "message", "content": [], "stop_reason": null}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Let me"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t1", "name": "Read", "input": {}}}),
    ];
    events.extend(pieces(args, size).into_iter().map(|piece| {
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": piece}})
    }));
    events.extend([
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "t2", "name": "Glob", "input": {}}}),
        json!({"type": "content_block_stop", "index": 2}),
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {}}),
        json!({"type": "message_stop"}),
    ]);
    events
}

#[test]
fn streams_are_put_together() {
    let args = r#"{"file_path": "é"}"#;
    let found = [format!("t1 Read {args}"), "t2 Glob {}".to_owned()];
    let found = [found[0].as_str(), found[1].as_str()];
    let events = events(args, 3, "tool_use");
    check(WIRE, &stream(&events), &found);
    check(WIRE, &Value::Array(events.clone()).to_string(), &found);
    let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
    check(WIRE, &lines, &found);
    check_cuts(WIRE, &stream(&events));
    check_cuts(WIRE, &lines);
}

#[test]
fn a_stream_without_its_end_is_cut_off() {
    let whole = events("{}", 2, "tool_use");
    let turn = check(WIRE, &stream(&whole[..7]), &["t1 Read {} !"]);
    assert!(turn.notices[0].contains("ended early"));
    check(
        WIRE,
        &stream(&events("{\"a", 2, "max_tokens")),
        &["t1 Read {\"a !", "t2 Glob {} !"],
    );
    let failed =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let mut broken = whole[..8].to_vec();
    broken.push(failed);
    let turn = check(WIRE, &stream(&broken), &["t1 Read {} !"]);
    assert!(turn.notices[0].contains("Overloaded"));
}

proptest! {
    #[test]
    fn pieces_of_any_size_make_the_same_turn(args in "\\PC{1,40}", size in 1..50_usize) {
        let turn = toolpost_wire::read(WIRE, stream(&events(&args, size, "tool_use")).as_bytes()).unwrap();
        prop_assert_eq!(shown(&turn)[0].clone(), format!("t1 Read {args}"));
    }
}
