use proptest::prelude::*;
use serde_json::{Value, json};
use toolpost_wire::Wire;

use crate::common::{check, check_cuts, pieces, shown, stream};

const WIRE: Wire = Wire::OpenAiResponses;

fn output() -> Value {
    json!([
        {"type": "reasoning", "id": "r", "summary": []},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hm."}]},
        {"type": "function_call", "id": "f", "call_id": "c1", "name": "shell", "arguments": "{\"a\": 1}", "status": "completed"},
        {"type": "custom_tool_call", "id": "g", "call_id": "c2", "name": "apply_patch", "input": "*** Begin Patch"},
        {"type": "function_call", "call_id": "c3", "namespace": "mcp__x", "name": "y", "arguments": ""},
    ])
}

const CALLS: [&str; 3] = [
    r#"c1 shell {"a": 1}"#,
    "c2 apply_patch <*** Begin Patch>",
    "c3 mcp__x__y ",
];

#[test]
fn responses_are_read_in_every_form_that_people_keep() {
    check(
        WIRE,
        &json!({"object": "response", "status": "completed", "error": null, "output": output()})
            .to_string(),
        &CALLS,
    );
    check(WIRE, &output().to_string(), &CALLS);
    check(WIRE, &output()[2].to_string(), &CALLS[..1]);
    check(
        WIRE,
        &json!({"object": "response", "status": "completed", "output": []}).to_string(),
        &[],
    );
    let mut history = output().as_array().unwrap().clone();
    history.push(json!({"type": "function_call_output", "call_id": "c1", "output": "done"}));
    check(WIRE, &Value::Array(history).to_string(), &CALLS[1..]);
}

#[test]
fn unfinished_responses_are_cut_off() {
    let one = json!([output()[2]]);
    let cut = [format!("{} !", CALLS[0])];
    let cut = [cut[0].as_str()];
    let incomplete = json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": one});
    let turn = check(WIRE, &incomplete.to_string(), &cut);
    assert!(turn.notices[0].contains("max_output_tokens"));
    check(
        WIRE,
        &json!({"status": "in_progress", "output": one}).to_string(),
        &cut,
    );
    let mut item = output()[2].clone();
    item["status"] = json!("incomplete");
    check(
        WIRE,
        &json!({"status": "completed", "output": [item, output()[3]]}).to_string(),
        &[cut[0], CALLS[1]],
    );
}

#[test]
fn the_provider_s_own_tools_are_named_and_passed_over() {
    let items = json!([
        {"type": "web_search_call", "id": "w", "status": "completed"},
        {"type": "mcp_call", "id": "m", "name": "x", "arguments": "{}"},
        {"type": "web_search_call", "id": "w2", "status": "completed"},
        output()[2],
    ]);
    let turn = check(WIRE, &items.to_string(), &CALLS[..1]);
    assert_eq!(turn.notices.len(), 2);
    assert!(turn.notices[0].contains("web_search_call") && turn.notices[1].contains("mcp_call"));
}

#[test]
fn calls_that_the_caller_has_to_answer_are_told_so() {
    for kind in [
        "shell_call",
        "local_shell_call",
        "apply_patch_call",
        "computer_call",
        "mcp_approval_request",
    ] {
        let items = json!([{"type": kind, "call_id": "k", "action": {}}, output()[2]]);
        let turn = check(WIRE, &items.to_string(), &CALLS[..1]);
        let told = &turn.notices[0];
        assert!(
            told.contains(&format!("does not answer `{kind}` (`k`)")),
            "{told}"
        );
        assert!(told.contains("the caller has to"), "{told}");
    }
}

#[test]
fn what_is_not_understood_is_told() {
    let told = |document: Value, calls: &[&str], word: &str| {
        let turn = check(WIRE, &document.to_string(), calls);
        assert!(turn.notices[0].contains(word), "{:?}", turn.notices);
    };
    told(json!([]), &[], "nothing");
    let news = json!([{"type": "news"}, output()[2]]);
    told(news, &CALLS[..1], "`news` is not known");
    let answer = json!({"type": "function_call_output", "call_id": "c1"});
    told(json!([output()[2], answer]), &[], "`c1` is answered");
    let bare = json!([{"type": "function_call", "name": "x", "arguments": "{}"}, {"type": "function_call_output"}]);
    told(bare, &["? x {}"], "without an id");
    let strange = json!([{"role": "assistant", "tool_calls": [{"id": "1"}]}]);
    let err = toolpost_wire::read(WIRE, strange.to_string().as_bytes()).unwrap_err();
    assert!(err.hint.contains("openai-chat"), "{err:?}");
}

#[test]
fn no_item_of_a_stream_takes_another_s_place() {
    let call =
        |id: &str| json!({"type": "function_call", "call_id": id, "name": "x", "arguments": "{}"});
    let done = |id: &str| json!({"type": "response.output_item.done", "output_index": 0, "item": call(id)});
    let end = |output: Value| json!({"type": "response.completed", "response": {"status": "completed", "output": output}});
    let both = ["a x {}", "b x {}"];
    check(
        WIRE,
        &stream(&[done("a"), done("b"), end(json!([]))]),
        &both,
    );
    let two = [done("a"), end(json!([])), done("b"), end(json!([]))];
    check(WIRE, &stream(&two), &both);
    check(WIRE, &stream(&two[..3]), &["a x {} !", "b x {} !"]);
    let turn = check(
        WIRE,
        &stream(&[done("a"), end(json!([call("b")]))]),
        &both[1..],
    );
    assert!(turn.notices[0].contains("`a` came in the stream"));
}

/// A stream of two calls in pieces, without its last event.
fn open(args: &str, size: usize) -> Vec<Value> {
    let items = [
        json!({"type": "function_call", "id": "f", "call_id": "c1", "name": "shell", "arguments": args, "status": "completed"}),
        json!({"type": "custom_tool_call", "id": "g", "call_id": "c2", "name": "apply_patch", "input": args, "status": "completed"}),
    ];
    let mut events = vec![
        json!({"type": "response.created", "response": {"status": "in_progress", "output": []}}),
    ];
    for (index, (item, field)) in items.iter().zip(["arguments", "input"]).enumerate() {
        let mut begun = item.clone();
        begun[field] = json!("");
        let kind = ["function_call_arguments", "custom_tool_call_input"][index];
        events.push(
            json!({"type": "response.output_item.added", "output_index": index, "item": begun}),
        );
        for piece in pieces(args, size) {
            events.push(json!({"type": format!("response.{kind}.delta"), "output_index": index, "delta": piece}));
        }
        events.push(
            json!({"type": format!("response.{kind}.done"), "output_index": index, field: args}),
        );
        events.push(
            json!({"type": "response.output_item.done", "output_index": index, "item": item}),
        );
    }
    events
}

fn ended(mut events: Vec<Value>, kind: &str, response: Value) -> Vec<Value> {
    events.push(json!({"type": format!("response.{kind}"), "response": response}));
    events
}

#[test]
fn streams_are_put_together() {
    let args = r#"{"a": "é"}"#;
    let found = [
        format!("c1 shell {args}"),
        format!("c2 apply_patch <{args}>"),
    ];
    let found = [found[0].as_str(), found[1].as_str()];
    let cut = found.map(|call| format!("{call} !"));
    let cut = [cut[0].as_str(), cut[1].as_str()];
    let whole = ended(
        open(args, 3),
        "completed",
        json!({"status": "completed", "output": []}),
    );
    check(WIRE, &stream(&whole), &found);
    check_cuts(WIRE, &stream(&whole));
    let told = json!([{"type": "function_call", "call_id": "c9", "name": "z", "arguments": "{}"}]);
    check(
        WIRE,
        &stream(&ended(
            open(args, 3),
            "completed",
            json!({"status": "completed", "output": told}),
        )),
        &["c9 z {}"],
    );
    check(WIRE, &stream(&open(args, 3)), &cut);
    check(
        WIRE,
        &stream(&ended(
            open(args, 3),
            "incomplete",
            json!({"status": "incomplete", "output": []}),
        )),
        &cut,
    );
    let failed = json!({"status": "failed", "output": [], "error": {"code": "server_error", "message": "Oops"}});
    let turn = check(WIRE, &stream(&ended(open(args, 3), "failed", failed)), &cut);
    assert!(turn.notices[0].contains("Oops"));
    check(WIRE, &stream(&open("{}", 1)[..3]), &["c1 shell { !"]);
}

proptest! {
    #[test]
    fn pieces_of_any_size_make_the_same_turn(args in "\\PC{1,40}", size in 1..50_usize) {
        // The last event of the first call is left out, so that it is the pieces that are read.
        let events: Vec<Value> = open(&args, size).into_iter().filter(|event| event["type"] != "response.output_item.done").collect();
        let turn = toolpost_wire::read(WIRE, stream(&events).as_bytes()).unwrap();
        prop_assert_eq!(shown(&turn), [format!("c1 shell {args} !"), format!("c2 apply_patch <{args}> !")]);
    }
}
