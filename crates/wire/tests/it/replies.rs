use serde_json::{Value, json};
use toolpost_core::{
    Body, Bounded, CallId, Code, Failure, Form, Part, Repair, Reply, Status, Tone,
};
use toolpost_wire::{SYNTHETIC_ID, Wire, write};

fn reply(id: &str, parts: Vec<Part>) -> Reply {
    let body = Body {
        parts,
        ..Body::default()
    };
    Reply {
        id: CallId(id.to_owned()),
        name: "read".to_owned(),
        form: Form::Function,
        status: Status::Ok,
        body: Bounded::seal(body),
    }
}

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn picture(media_type: &str) -> Part {
    Part::Image {
        media_type: media_type.to_owned(),
        base64: "AAAA".to_owned(),
    }
}

fn failed(id: &str, parts: Vec<Part>) -> Reply {
    let failure = Failure {
        code: Code::NotFound,
        fact: "`a` is not there.".to_owned(),
        hint: "List the folder.".to_owned(),
        quote: String::new(),
        by: None,
    };
    let body = Body {
        parts,
        failure: Some(failure),
        ..Body::default()
    };
    Reply {
        status: Status::Error,
        body: Bounded::seal(body),
        ..reply(id, Vec::new())
    }
}

/// Two answers, the second a failure, and one with a picture.
fn three() -> Vec<Reply> {
    vec![
        reply("a", vec![text("one"), text("two")]),
        failed("b", vec![text("`a` is not there.")]),
        reply("c", vec![text("see"), picture("image/png")]),
    ]
}

fn check(wire: Wire, replies: &[Reply], expected: Value) {
    assert_eq!(write(wire, replies).unwrap(), expected, "{wire:?}");
}

#[test]
fn nothing_is_appended_for_nothing() {
    for wire in Wire::ALL {
        assert_eq!(write(*wire, &[]), None);
    }
}

#[test]
fn anthropic_gets_one_user_message() {
    check(
        Wire::Anthropic,
        &three(),
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
            {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "`a` is not there."}], "is_error": true},
            {"type": "tool_result", "tool_use_id": "c", "content": [
                {"type": "text", "text": "see"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
            ]},
        ]}),
    );
}

#[test]
fn anthropic_gets_no_empty_text_and_no_picture_in_an_error() {
    let only = |reply: Reply| write(Wire::Anthropic, &[reply]).unwrap()["content"][0].clone();
    assert_eq!(
        only(reply("a", vec![text(""), text(" \n")])),
        json!({"type": "tool_result", "tool_use_id": "a"})
    );
    let kinds = |reply: Reply| -> Vec<String> {
        let content = only(reply)["content"].clone();
        content
            .as_array()
            .unwrap()
            .iter()
            .map(|block| block["type"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(kinds(failed("b", vec![picture("image/png")])), ["text"]);
    assert_eq!(kinds(reply("c", vec![picture("image/tiff")])), ["text"]);
    assert_eq!(kinds(reply("c", vec![picture("image/webp")])), ["image"]);
}

#[test]
fn a_tone_is_an_error_without_a_status() {
    let toned = Body {
        parts: vec![text("exit 1")],
        tone: Tone::Error,
        ..Body::default()
    };
    let toned = Reply {
        body: Bounded::seal(toned),
        ..reply("a", Vec::new())
    };
    assert_eq!(
        write(Wire::Anthropic, std::slice::from_ref(&toned)).unwrap()["content"][0]["is_error"],
        json!(true)
    );
    assert_eq!(
        write(Wire::Mcp, std::slice::from_ref(&toned)).unwrap()["isError"],
        json!(true)
    );
    let line = toolpost_wire::plain::write(&toned);
    assert_eq!(
        (line["status"].clone(), line.get("error")),
        (json!("ok"), None)
    );
}

#[test]
fn chat_gets_tool_messages_and_pictures_after_them() {
    check(
        Wire::OpenAiChat,
        &three(),
        json!([
            {"role": "tool", "tool_call_id": "a", "content": "one\ntwo"},
            {"role": "tool", "tool_call_id": "b", "content": "`a` is not there."},
            {"role": "tool", "tool_call_id": "c", "content": "see\n[a picture of type image/png: it follows in the next user message]"},
            {"role": "user", "content": [
                {"type": "text", "text": "What `read` (call c) shows:"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            ]},
        ]),
    );
    check(
        Wire::OpenAiChat,
        &[reply("a", vec![])],
        json!([{"role": "tool", "tool_call_id": "a", "content": ""}]),
    );
}

#[test]
fn responses_gets_outputs_in_the_form_of_the_call() {
    let mut replies = three();
    replies[0].form = Form::Custom;
    check(
        Wire::OpenAiResponses,
        &replies,
        json!([
            {"type": "custom_tool_call_output", "call_id": "a", "output": "one\ntwo"},
            {"type": "function_call_output", "call_id": "b", "output": "`a` is not there."},
            {"type": "function_call_output", "call_id": "c", "output": [
                {"type": "input_text", "text": "see"},
                {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,AAAA"},
            ]},
        ]),
    );
}

#[test]
fn gemini_gets_responses_with_the_ids_that_it_gave() {
    let mut replies = three();
    replies[0].id = CallId(format!("{SYNTHETIC_ID}00000000-1"));
    check(
        Wire::Gemini,
        &replies,
        json!({"role": "user", "parts": [
            {"functionResponse": {"name": "read", "response": {"output": "one\ntwo"}}},
            {"functionResponse": {"id": "b", "name": "read", "response": {"error": "`a` is not there."}}},
            {"functionResponse": {"id": "c", "name": "read", "response": {"output": "see\n[a picture of type image/png: it stands below]"}}},
            {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
        ]}),
    );
}

#[test]
fn mcp_gets_a_result() {
    let picture = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
    let expected = json!({"content": [{"type": "text", "text": "see"}, picture], "isError": false});
    check(Wire::Mcp, &three()[2..], expected);
    assert_eq!(
        write(Wire::Mcp, &three())
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn plain_gets_everything() {
    let mut body = (*three()[2].body).clone();
    body.state.insert("n".to_owned(), json!(1));
    body.notices.push("Note.".to_owned());
    body.repairs.push(Repair {
        at: "/n".to_owned(),
        what: "Mended.".to_owned(),
    });
    let full = Reply {
        body: Bounded::seal(body),
        ..reply("c", Vec::new())
    };
    check(
        Wire::Plain,
        &[full, three().remove(1)],
        json!([
            {
                "id": "c", "status": "ok", "text": "see", "state": {"n": 1}, "notices": ["Note."],
                "content": [{"type": "image", "mimeType": "image/png", "data": "AAAA"}],
                "repairs": [{"at": "/n", "what": "Mended."}],
            },
            {
                "id": "b", "status": "error", "text": "`a` is not there.", "content": [], "state": {}, "repairs": [], "notices": [],
                "error": {"code": "not_found", "fact": "`a` is not there.", "hint": "List the folder."},
            },
        ]),
    );
}

#[test]
fn a_reply_that_is_not_ok_always_has_an_error() {
    let lost = Reply {
        status: Status::Lost,
        ..reply("a", Vec::new())
    };
    let error = toolpost_wire::plain::write(&lost)["error"].clone();
    assert!(error["code"].is_string() && error["fact"].as_str().unwrap().contains("lost"));
}

#[test]
fn gemini_gets_the_call_s_own_id_and_always_a_name() {
    let call = json!({"functionCall": {"id": "g", "args": {}}});
    let turn = toolpost_wire::read(Wire::Gemini, json!([call, call]).to_string().as_bytes());
    let replies: Vec<Reply> = turn
        .unwrap()
        .calls
        .into_iter()
        .map(|call| Reply {
            id: call.id,
            name: call.name,
            ..reply("", vec![text("No such tool.")])
        })
        .collect();
    let parts = write(Wire::Gemini, &replies).unwrap()["parts"].clone();
    let answer = json!({"functionResponse": {"id": "g", "name": "unnamed", "response": {"output": "No such tool."}}});
    assert_eq!(parts, json!([answer, answer]));
}
