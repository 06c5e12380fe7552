//! One call with faulty arguments is told so; the calls beside it are read.

use serde_json::json;
use toolpost_core::{Code, RawCall, ToolError};
use toolpost_wire::arguments::{Decoded, Expected, decode};
use toolpost_wire::{Wire, read};

use crate::common::stream;

/// A reply in which `ARGS` and then `{}` are the arguments of two calls. On wires that send arguments as text, `ARGS` stands
/// where an imitator would send an object.
const WIRES: [(Wire, &str); 6] = [
    (
        Wire::Anthropic,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"x","input":ARGS},
            {"type":"tool_use","id":"2","name":"y","input":{}}]}"#,
    ),
    (
        Wire::OpenAiChat,
        r#"{"choices":[{"message":{"role":"assistant","tool_calls":[
            {"id":"1","function":{"name":"x","arguments":ARGS}},{"id":"2","function":{"name":"y","arguments":"{}"}}]}}]}"#,
    ),
    (
        Wire::OpenAiResponses,
        r#"[{"type":"function_call","call_id":"1","name":"x","arguments":ARGS},
            {"type":"function_call","call_id":"2","name":"y","arguments":"{}"}]"#,
    ),
    (
        Wire::Gemini,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"id":"1","name":"x","args":ARGS}},
            {"functionCall":{"id":"2","name":"y","args":{}}}]},"finishReason":"STOP"}]}"#,
    ),
    (
        Wire::Mcp,
        r#"[{"id":"1","params":{"name":"x","arguments":ARGS}},{"id":"2","params":{"name":"y","arguments":{}}}]"#,
    ),
    (
        Wire::Plain,
        r#"[{"id":"1","tool":"x","args":ARGS},{"id":"2","tool":"y","args":{}}]"#,
    ),
];

fn decoded(call: &RawCall) -> Result<Decoded, ToolError> {
    let schema = json!({"type": "object"});
    let expected = Expected {
        schema: &schema,
        spellings: &[],
        courtesy: &[],
        free_field: None,
    };
    decode(&call.args, call.completeness, &expected)
}

/// Reads the document on each wire, with what was decoded of the first call; the second is always sound.
fn on_each_wire(args: &str, check: impl Fn(Wire, Result<Decoded, ToolError>)) {
    for (wire, document) in WIRES {
        let document = document.replace("ARGS", args);
        let document = match wire {
            Wire::Plain => document.replace('\n', " "),
            _ => document,
        };
        let turn =
            read(wire, document.as_bytes()).unwrap_or_else(|err| panic!("{wire:?}: {err:?}"));
        let names: Vec<&str> = turn.calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["x", "y"], "{wire:?}");
        assert_eq!(decoded(&turn.calls[1]).unwrap().value, json!({}));
        check(wire, decoded(&turn.calls[0]));
    }
}

#[test]
fn a_fault_in_one_call_s_arguments_is_told_to_it_alone() {
    let check = |args: &str, code: Code, word: &str| {
        on_each_wire(args, |wire, decoded| {
            let err = decoded.unwrap_err();
            assert_eq!(err.code, code, "{wire:?} {args}");
            assert!(err.fact.contains(word), "{wire:?}: {err:?}");
        });
    };
    check(r#"{"a":"x\ud83d y"}"#, Code::Parse, "column 8");
    check(r#"{"a":1,"a":2}"#, Code::Invalid, "`a` twice");
    check(r#"{"b":{"a":1,"a":1}}"#, Code::Invalid, "inside `b`");
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    check(&deep, Code::Invalid, "nested deeper");
}

#[test]
fn numbers_keep_their_spelling() {
    let args = r#"{"n":1.10, "m":12345678901234567890123}"#;
    for (wire, document) in WIRES {
        let document = document.replace("ARGS", args).replace('\n', " ");
        let turn = read(wire, document.as_bytes()).unwrap();
        let expected = toolpost_core::RawArgs::Text(args.to_owned());
        assert_eq!(turn.calls[0].args, expected, "{wire:?}");
    }
}

#[test]
fn argument_text_that_is_itself_unsound_is_told_to_its_call() {
    let text = r#""{\"a\": \"\\\ud83d\"}""#;
    for (wire, document) in WIRES.iter().take(4) {
        let document = document.replace("ARGS", text);
        let turn = read(*wire, document.as_bytes()).unwrap();
        assert_eq!(turn.calls.len(), 2);
        assert_eq!(decoded(&turn.calls[0]).unwrap_err().code, Code::Parse);
    }
    let free =
        r#"{"tool_calls":[{"id":"1","type":"custom","custom":{"name":"p","input":"\ud83d"}}]}"#;
    let turn = read(Wire::OpenAiChat, free.as_bytes()).unwrap();
    assert_eq!(turn.calls[0].form, toolpost_core::Form::Custom);
    assert_eq!(decoded(&turn.calls[0]).unwrap_err().code, Code::Parse);
    let broken = WIRES[1].1.replace("ARGS", "\"{\\\"a\\\": \\\"x\ny\\\"}\"");
    let turn = read(Wire::OpenAiChat, broken.as_bytes()).unwrap();
    assert_eq!(decoded(&turn.calls[0]).unwrap().value, json!({"a": "x\ny"}));
}

#[test]
fn a_piece_that_is_unsound_spoils_its_call_alone() {
    let event = |text: &str| format!("data: {text}\n\n");
    let anthropic: String = [
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"1","name":"x","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":\"x"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\ud83d"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"}"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"2","name":"y","input":{}}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"message_stop"}"#,
    ]
    .into_iter()
    .map(event)
    .collect();
    let chat: String = [
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"x","arguments":"\ud83d"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"2","function":{"name":"y","arguments":"{}"}}]},"finish_reason":"stop"}]}"#,
    ]
    .into_iter()
    .map(event)
    .collect();
    let responses: String = [
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"1","name":"x","arguments":"\ud83d"}}"#,
        r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"2","name":"y","arguments":"{}"}}"#,
        r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
    ]
    .into_iter()
    .map(event)
    .collect();
    for (wire, text) in [
        (Wire::Anthropic, anthropic),
        (Wire::OpenAiChat, chat),
        (Wire::OpenAiResponses, responses),
    ] {
        let turn = read(wire, text.as_bytes()).unwrap();
        let codes: Vec<Option<Code>> = turn
            .calls
            .iter()
            .map(|call| decoded(call).err().map(|err| err.code))
            .collect();
        assert_eq!(codes, [Some(Code::Parse), None], "{wire:?}");
    }
}

#[test]
fn a_document_that_cannot_be_read_says_where() {
    let check = |document: &str, word: &str| {
        let err = read(Wire::Anthropic, document.as_bytes()).unwrap_err();
        assert!(err.fact.contains(word), "{document}: {err:?}");
    };
    check("{\n \"content\": [,]}", "line 2, column 14, `,` stands");
    check(r#"{"content": [1], "content": [2]}"#, "does not have yet");
    check(r#"[{"type":"text","text":""},{"type":]"#, "column 36");
    check(&"[".repeat(100_000), "nested");
    check("<html>", "neither");
    let event = stream(&[json!({"type": "x"})]);
    check(&format!("{event}data: {{\"a\":}}\n\n"), "column 6");
}
