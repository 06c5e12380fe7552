use proptest::prelude::*;
use serde_json::{Value, json};
use toolpost_wire::{Wire, read};

use crate::common::stream;

#[test]
fn a_provider_s_error_is_no_reply() {
    let check = |wire: Wire, document: String, word: &str| {
        let err = read(wire, document.as_bytes()).unwrap_err();
        assert!(
            err.fact.contains(word) && err.fact.ends_with('.') && !err.hint.is_empty(),
            "{err:?}"
        );
    };
    let anthropic =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    check(Wire::Anthropic, anthropic.to_string(), "Overloaded");
    check(Wire::Anthropic, stream(&[anthropic]), "Overloaded");
    let openai =
        json!({"error": {"message": "Bad key.", "type": "invalid_request_error", "code": null}});
    check(Wire::OpenAiChat, openai.to_string(), "Bad key");
    check(
        Wire::OpenAiChat,
        stream(std::slice::from_ref(&openai)),
        "Bad key",
    );
    check(Wire::OpenAiResponses, openai.to_string(), "Bad key");
    check(
        Wire::OpenAiResponses,
        stream(&[json!({"type": "error", "message": "Oops", "code": "x"})]),
        "Oops",
    );
    check(
        Wire::OpenAiResponses,
        json!({"status": "failed", "output": [], "error": {"message": "Oops"}}).to_string(),
        "Oops",
    );
    let gemini = json!({"error": {"code": 400, "message": "Bad", "status": "INVALID_ARGUMENT"}});
    check(Wire::Gemini, gemini.to_string(), "INVALID_ARGUMENT");
    check(
        Wire::Gemini,
        json!([gemini]).to_string(),
        "INVALID_ARGUMENT",
    );
}

#[test]
fn what_is_no_reply_is_told_with_the_wire_that_it_looks_like() {
    let check = |wire: Wire, document: &Value, hint: &str| {
        for text in [document.to_string(), stream(std::slice::from_ref(document))] {
            let err = read(wire, text.as_bytes()).unwrap_err();
            assert!(err.hint.contains(hint), "{text}: {err:?}");
        }
    };
    let chat = json!({"choices": [{"message": {"role": "assistant"}}]});
    check(Wire::Anthropic, &chat, "`openai-chat`");
    check(Wire::Gemini, &chat, "`openai-chat`");
    check(Wire::OpenAiResponses, &chat, "`openai-chat`");
    check(
        Wire::OpenAiChat,
        &json!({"type": "message_start", "message": {}}),
        "`anthropic`",
    );
    check(Wire::OpenAiChat, &json!({"candidates": []}), "`gemini`");
    check(
        Wire::Anthropic,
        &json!({"object": "response", "output": []}),
        "`openai-responses`",
    );
    check(Wire::Gemini, &json!({"hello": 1}), "as it came");
    check(
        Wire::OpenAiChat,
        &json!({"type": "response.created"}),
        "`openai-responses`",
    );
    for wire in Wire::ALL {
        for text in ["", "  ", "hello", "{", "\u{0}", "data: x", "17"] {
            assert!(
                read(*wire, text.as_bytes()).is_err()
                    || *wire == Wire::Plain && text.trim().is_empty(),
                "{wire:?} {text:?}"
            );
        }
        assert!(read(*wire, b"\xff\xfe{}").is_err());
    }
}

/// The words that decide how a document is read.
const WORDS: [&str; 11] = [
    "tool_use",
    "message_start",
    "content_block_start",
    "content_block_delta",
    "message_delta",
    "function_call",
    "response.completed",
    "response.output_item.added",
    "custom_tool_call",
    "x",
    "error",
];
/// The keys that are looked at.
const KEYS: [&str; 28] = [
    "type",
    "content",
    "role",
    "choices",
    "message",
    "delta",
    "tool_calls",
    "function",
    "custom",
    "index",
    "id",
    "name",
    "arguments",
    "input",
    "output",
    "item",
    "response",
    "candidates",
    "parts",
    "functionCall",
    "args",
    "error",
    "params",
    "content_block",
    "finish_reason",
    "output_index",
    "promptFeedback",
    "method",
];

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<u8>().prop_map(Value::from),
        prop::sample::select(WORDS.to_vec()).prop_map(Value::from),
    ];

    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(KEYS.to_vec()), inner, 0..5).prop_map(
                |map| {
                    Value::Object(
                        map.into_iter()
                            .map(|(key, value)| (key.to_owned(), value))
                            .collect(),
                    )
                }
            ),
        ]
    })
}

proptest! {
    #[test]
    fn no_document_panics(bytes in prop::collection::vec(any::<u8>(), 0..80), values in prop::collection::vec(any_value(), 1..4)) {
        let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
        for wire in Wire::ALL {
            let _ = read(*wire, &bytes);
            for text in [stream(&values), lines.clone(), values[0].to_string()] {
                if let Ok(turn) = read(*wire, text.as_bytes()) {
                    let ids: std::collections::HashSet<_> = turn.calls.iter().map(|call| &call.id).collect();
                    prop_assert_eq!(ids.len(), turn.calls.len());
                    prop_assert!(ids.iter().all(|id| !id.0.is_empty()));
                }
            }
        }
    }
}
