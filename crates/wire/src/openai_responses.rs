//! `OpenAI` Responses.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};
use toolpost_core::{Completeness, Form, Part, Reply};

use crate::Wire;
use crate::document::{Document, Stream, args_text_at, error_in, free_at, items_at, text_at};
use crate::reader;
use crate::turn::{Ended, Found, Gathering, WireError, close};

/// Items that carry no call.
const SILENT: [&str; 4] = ["message", "reasoning", "compaction", "mcp_list_tools"];

pub(crate) fn read(document: Document) -> Result<Gathering, WireError> {
    match document {
        Document::Whole(value) if is_event(&value) => stream(&Stream::of(vec![value])),
        Document::Whole(Value::Array(items)) if items.first().is_some_and(is_event) => {
            stream(&Stream::of(items))
        }
        Document::Whole(value) => whole(&value),
        Document::Stream(events) => stream(&events),
    }
}

fn is_event(value: &Value) -> bool {
    text_at(value, "type").starts_with("response.")
}

/// A response, its output, or one item of it.
fn whole(value: &Value) -> Result<Gathering, WireError> {
    if let Some(message) = error_in(value) {
        return Err(WireError::provider(&message));
    }
    let mut gathering = Gathering::default();
    match value {
        Value::Array(items) if items.iter().all(is_item) => output(items, &mut gathering),
        Value::Object(map)
            if map.get("output").is_some_and(Value::is_array) && !is_answer(value) =>
        {
            output(items_at(value, "output"), &mut gathering);
            stopped(value, &mut gathering);
        }
        Value::Object(_) if is_item(value) => output(std::slice::from_ref(value), &mut gathering),
        _ => return Err(WireError::stranger(Wire::OpenAiResponses, value)),
    }
    Ok(gathering)
}

fn is_item(item: &Value) -> bool {
    let kind = text_at(item, "type");
    let known = SILENT.contains(&kind)
        || kind.ends_with("_call")
        || kind.ends_with("_output")
        || kind.starts_with("mcp_");
    known || item.get("role").is_some()
}

fn is_answer(item: &Value) -> bool {
    text_at(item, "type").ends_with("_call_output")
}

/// Reads items. A call whose answer stands beside it is done with.
fn output(items: &[Value], gathering: &mut Gathering) {
    let answered: HashSet<&str> = items
        .iter()
        .filter(|item| is_answer(item))
        .map(|item| text_at(item, "call_id"))
        .collect();
    for found in items {
        if !answered.contains(text_at(found, "call_id")) {
            item(found, gathering);
        }
    }
}

fn item(item: &Value, gathering: &mut Gathering) {
    let kind = text_at(item, "type");
    let (args, form) = match kind {
        "function_call" => (args_text_at(item, "arguments"), Form::Function),
        "custom_tool_call" => (free_at(item, "input"), Form::Custom),
        _ if kind.ends_with("_call") || kind == "mcp_approval_request" => {
            return gathering.hosted(kind);
        }
        _ => return,
    };
    let unfinished = matches!(text_at(item, "status"), "incomplete" | "in_progress");
    gathering.call(Found {
        id: [text_at(item, "call_id"), text_at(item, "id")]
            .into_iter()
            .find(|id| !id.is_empty())
            .unwrap_or_default()
            .to_owned(),
        name: name(item),
        args,
        form,
        completeness: match unfinished {
            true => Completeness::CutOff,
            false => Completeness::Whole,
        },
    });
}

/// A tool inside a namespace is named with it.
fn name(item: &Value) -> String {
    let name = text_at(item, "name");
    match text_at(item, "namespace").trim_end_matches('_') {
        "" => name.to_owned(),
        space => format!("{space}__{name}"),
    }
}

/// What a response's status says about its calls.
fn stopped(response: &Value, gathering: &mut Gathering) {
    match text_at(response, "status") {
        "incomplete" => {
            let details = response.get("incomplete_details").unwrap_or(&Value::Null);
            let reason = match text_at(details, "reason") {
                "" => "incomplete",
                reason => reason,
            };
            gathering.cut_off(&format!("the response is incomplete (`{reason}`)"));
        }
        status @ ("in_progress" | "queued" | "cancelled" | "failed") => {
            gathering.cut_off(&format!("the response's status is `{status}`"));
        }
        _ => {}
    }
}

fn stream(events: &Stream) -> Result<Gathering, WireError> {
    let failed = |event: &Value| text_at(event, "type") == "error" || error_in(event).is_some();
    if !events
        .values
        .iter()
        .any(|event| is_event(event) || failed(event))
    {
        return Err(events.stranger(Wire::OpenAiResponses));
    }
    let mut items: BTreeMap<u64, Value> = BTreeMap::new();
    let mut last = None;
    let mut error = None;
    for event in &events.values {
        let index = event.get("output_index").and_then(Value::as_u64);
        let index = index.unwrap_or(items.len() as u64);
        match text_at(event, "type") {
            "response.output_item.added" | "response.output_item.done" => {
                let mut item = event.get("item").cloned().unwrap_or_default();
                let done = text_at(event, "type").ends_with("done");
                mark(&mut item, done);
                items.insert(index, item);
            }
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled" => {
                last = event.get("response");
                error = error.or_else(|| last.and_then(error_in));
            }
            "error" => {
                error = error
                    .or_else(|| error_in(event))
                    .or_else(|| Some(text_at(event, "message").to_owned()))
            }
            kind => grow(kind, event, items.get_mut(&index)),
        }
    }
    let mut gathering = Gathering::default();
    let told = last
        .map(|response| items_at(response, "output"))
        .unwrap_or_default();
    if told.is_empty() {
        let items: Vec<Value> = items.into_values().collect();
        output(&items, &mut gathering);
    } else {
        output(told, &mut gathering);
    }
    if let Some(response) = last
        && error.is_none()
    {
        stopped(response, &mut gathering);
    }
    close(gathering, Ended::when(last.is_some(), events.end), error)
}

/// An item that was announced is unfinished until it is said to be done.
fn mark(item: &mut Value, done: bool) {
    let Value::Object(map) = item else { return };
    if !done {
        map.insert("status".to_owned(), Value::from("in_progress"));
    }
}

/// Adds a piece to its item.
fn grow(kind: &str, event: &Value, item: Option<&mut Value>) {
    let field = match kind.strip_prefix("response.") {
        Some("function_call_arguments.delta") => "arguments",
        Some("custom_tool_call_input.delta") => "input",
        _ => return,
    };
    if let Some(Value::Object(map)) = item {
        let whole = map.entry(field).or_insert_with(|| Value::from(""));
        match (whole, event.get("delta")) {
            (Value::String(text), Some(Value::String(piece))) => text.push_str(piece),
            // A piece that cannot be read spoils the whole, which then says so.
            (whole, Some(piece)) if reader::lifted(piece).is_some() => *whole = piece.clone(),
            _ => {}
        }
    }
}

/// An output item for each call, in the form in which the call came. Both take pictures beside text.
pub(crate) fn write(replies: &[Reply]) -> Value {
    Value::Array(replies.iter().map(answer).collect())
}

fn answer(reply: &Reply) -> Value {
    let kind = match reply.form {
        Form::Function => "function_call_output",
        Form::Custom => "custom_tool_call_output",
    };
    let shows = |part: &Part| matches!(part, Part::Image { .. });
    let output = if reply.body.parts.iter().any(shows) {
        Value::Array(reply.body.parts.iter().filter_map(content).collect())
    } else {
        Value::from(reply.text())
    };
    json!({ "type": kind, "call_id": reply.id.0, "output": output })
}

fn content(part: &Part) -> Option<Value> {
    match part {
        Part::Text(text) if text.is_empty() => None,
        Part::Text(text) => Some(json!({ "type": "input_text", "text": text })),
        Part::Image { media_type, base64 } => Some(json!({
            "type": "input_image",
            "detail": "auto",
            "image_url": format!("data:{media_type};base64,{base64}"),
        })),
    }
}
