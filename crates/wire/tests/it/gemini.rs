use serde_json::{Value, json};
use toolpost_wire::{SYNTHETIC_ID, Wire};

use crate::common::{check, check_cuts, stream};

const WIRE: Wire = Wire::Gemini;

fn parts() -> Value {
    json!([
        {"text": "thinking", "thought": true},
        {"functionCall": {"name": "read_file", "args": {"file_path": "a"}}, "thoughtSignature": "x"},
        {"functionCall": {"id": "g1", "name": "glob"}},
    ])
}

const CALLS: [&str; 2] = [r#"? read_file {"file_path":"a"}"#, "g1 glob {}"];

fn response(parts: &Value, reason: Option<&str>) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    if let Some(reason) = reason {
        candidate["finishReason"] = json!(reason);
    }
    json!({"candidates": [candidate], "usageMetadata": {}, "modelVersion": "m"})
}

#[test]
fn responses_are_read_in_every_form_that_people_keep() {
    let whole = response(&parts(), Some("STOP"));
    check(WIRE, &whole.to_string(), &CALLS);
    check(WIRE, &whole["candidates"][0].to_string(), &CALLS);
    check(WIRE, &whole["candidates"][0]["content"].to_string(), &CALLS);
    check(WIRE, &parts().to_string(), &CALLS);
    let snake = json!({"candidates": [{"content": {"parts": [{"function_call": {"id": null, "name": "glob", "args": {}}}]}, "finish_reason": "STOP"}]});
    check(WIRE, &snake.to_string(), &["? glob {}"]);
    check(WIRE, &json!({"response": whole}).to_string(), &CALLS);
    check(WIRE, &stream(&[json!({"response": whole})]), &CALLS);
    check(
        WIRE,
        &response(&json!([{"text": "Done."}]), Some("STOP")).to_string(),
        &[],
    );
}

#[test]
fn synthetic_ids_are_known_by_their_beginning() {
    let turn = check(WIRE, &parts().to_string(), &CALLS);
    assert!(turn.calls[0].id.0.starts_with(SYNTHETIC_ID));
    let other = check(WIRE, &json!([parts()[1]]).to_string(), &CALLS[..1]);
    assert_ne!(
        turn.calls[0].id, other.calls[0].id,
        "calls of different replies differ"
    );
}

#[test]
fn what_was_cut_off_or_not_answered_is_told() {
    let cut = CALLS.map(|call| format!("{call} !"));
    let cut = [cut[0].as_str(), cut[1].as_str()];
    for reason in ["MAX_TOKENS", "SAFETY", "RECITATION"] {
        let turn = check(WIRE, &response(&parts(), Some(reason)).to_string(), &cut);
        assert!(turn.notices[0].contains(reason));
    }
    let malformed = check(
        WIRE,
        &response(&json!([]), Some("MALFORMED_FUNCTION_CALL")).to_string(),
        &[],
    );
    assert!(malformed.notices[0].contains("could not read"));
    let blocked = check(
        WIRE,
        &json!({"promptFeedback": {"blockReason": "SAFETY"}}).to_string(),
        &[],
    );
    assert!(blocked.notices[0].contains("SAFETY"));
    let code = check(
        WIRE,
        &json!([{"executableCode": {"code": "1"}}]).to_string(),
        &[],
    );
    assert!(code.notices[0].contains("code_execution"));
    let piece = json!([{"functionCall": {"name": "x", "willContinue": true}}]);
    check(WIRE, &piece.to_string(), &["? x {} !"]);
}

#[test]
fn what_is_not_understood_is_told() {
    let refused = |document: Value, word: &str| {
        let err = toolpost_wire::read(WIRE, document.to_string().as_bytes()).unwrap_err();
        assert!(err.fact.contains(word), "{document}: {err:?}");
    };
    refused(json!({"candidates": []}), "no candidate");
    refused(json!({"candidates": {}}), "`candidates` is not an array");
    refused(json!({"parts": {}}), "`parts` is not an array");
    refused(
        json!({"candidates": [{"content": parts()}]}),
        "`content` is not an object",
    );
    refused(json!({"role": "user", "parts": parts()}), "`user`");
    let told = |document: Value, word: &str| {
        let turn = check(WIRE, &document.to_string(), &[]);
        assert!(turn.notices[0].contains(word), "{:?}", turn.notices);
    };
    told(json!({"role": "model", "parts": null}), "nothing");
    told(response(&json!(null), Some("STOP")), "nothing");
    told(
        response(&json!([{"functionCalls": []}]), Some("STOP")),
        "`functionCalls` is not known",
    );
    told(
        json!({"candidates": [{"index": 1, "content": {"parts": parts()}}]}),
        "only the first",
    );
}

#[test]
fn calls_with_one_id_are_both_read_and_told() {
    let call = json!({"functionCall": {"id": "g", "name": "x", "args": {}}});
    let turn = check(
        WIRE,
        &json!([call, call]).to_string(),
        &["g x {}", "? x {}"],
    );
    assert!(turn.notices[0].contains("the id `g`"));
    let bare = check(WIRE, &parts().to_string(), &CALLS);
    assert!(bare.notices.is_empty(), "an id is optional here");
}

#[test]
fn streams_are_put_together() {
    let chunks = [
        response(&json!([parts()[0]]), None),
        response(&json!([parts()[1]]), None),
        response(&json!([parts()[2]]), Some("STOP")),
        json!({"usageMetadata": {}}),
    ];
    let cut = CALLS.map(|call| format!("{call} !"));
    check(WIRE, &stream(&chunks), &CALLS);
    check(WIRE, &Value::Array(chunks.to_vec()).to_string(), &CALLS);
    check(WIRE, &stream(&chunks[..2]), &[&cut[0]]);
    check_cuts(WIRE, &stream(&chunks));
    check_cuts(WIRE, &Value::Array(chunks.to_vec()).to_string());
    let failed = json!([response(&parts(), None), {"error": {"code": 503, "message": "Overloaded", "status": "UNAVAILABLE"}}]);
    let turn = check(WIRE, &failed.to_string(), &[&cut[0], &cut[1]]);
    assert!(turn.notices[0].contains("Overloaded"));
}
