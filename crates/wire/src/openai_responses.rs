//! `OpenAI` Responses.

use std::collections::HashSet;

use serde_json::{Value, json};
use toolpost_core::{Completeness, Form, Part, Reply};

use crate::Wire;
use crate::document::{
    Document, Stream, args_text_at, error_in, free_at, items_at, list_at, text_at,
};
use crate::reader;
use crate::turn::{Ended, Found, Gathering, WireError, close};

/// Items that carry no call.
const SILENT: [&str; 4] = ["message", "reasoning", "compaction", "mcp_list_tools"];

/// Calls that the provider answers itself.
const HOSTED: [&str; 6] = [
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "tool_search_call",
    "mcp_call",
];

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
        Value::Array(items) if items.is_empty() || items.iter().any(is_item) => {
            output(items, &mut gathering)?;
        }
        Value::Object(map)
            if map.get("output").is_some_and(Value::is_array) && !is_answer(value) =>
        {
            output(items_at(value, "output"), &mut gathering)?;
            stopped(value, &mut gathering);
        }
        Value::Object(_) if is_item(value) => {
            output(std::slice::from_ref(value), &mut gathering)?;
        }
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
fn output(items: &[Value], gathering: &mut Gathering) -> Result<(), WireError> {
    for found in items {
        item(found, gathering)?;
    }
    let answers = items.iter().filter(|item| is_answer(item));
    let answered: HashSet<&str> = answers.map(|item| text_at(item, "call_id")).collect();
    gathering.without(&answered);
    Ok(())
}

fn item(item: &Value, gathering: &mut Gathering) -> Result<(), WireError> {
    let kind = text_at(item, "type");
    let (args, form) = match kind {
        "function_call" => (args_text_at(item, "arguments"), Form::Function),
        "custom_tool_call" => (free_at(item, "input"), Form::Custom),
        _ => return beside(kind, item, gathering),
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
    Ok(())
}

/// Reads an item that is no call of ours.
fn beside(kind: &str, item: &Value, gathering: &mut Gathering) -> Result<(), WireError> {
    match kind {
        "" | "message" if item.get("role").is_some() => {
            let another_s = |part: &Value| text_at(part, "type") == "tool_use";
            if item.get("tool_calls").is_some() || items_at(item, "content").iter().any(another_s) {
                return Err(WireError::stranger(Wire::OpenAiResponses, item));
            }
            gathering.spoke();
        }
        _ if SILENT.contains(&kind) || kind.ends_with("_output") => gathering.spoke(),
        _ if HOSTED.contains(&kind) => gathering.hosted(kind),
        _ if kind.ends_with("_call") || kind == "mcp_approval_request" => {
            let id = [text_at(item, "call_id"), text_at(item, "id")];
            let id = id.into_iter().find(|id| !id.is_empty());
            let id = id.map_or_else(String::new, |id| format!(" (`{id}`)"));
            gathering.notice(format!(
                "toolpost does not answer `{kind}`{id}; the caller has to answer it, or the provider will refuse what \
                 follows."
            ));
        }
        _ => gathering.unknown("An item of the type", kind),
    }
    Ok(())
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
    let mut assembly = Assembly::default();
    for event in &events.values {
        assembly.add(event)?;
    }
    let open = !assembly.items.is_empty() || !assembly.ended;
    assembly.flush(None)?;
    let ended = Ended::when(assembly.ended && !open, events.end);
    close(assembly.gathering, ended, assembly.error)
}

/// A stream as it is put together.
#[derive(Debug, Default)]
struct Assembly {
    gathering: Gathering,
    /// The present response's items, with their places, in the order in which they began.
    items: Vec<(u64, Value)>,
    ended: bool,
    error: Option<String>,
}

impl Assembly {
    fn add(&mut self, event: &Value) -> Result<(), WireError> {
        let index = event.get("output_index").and_then(Value::as_u64);
        match text_at(event, "type") {
            "response.output_item.added" => {
                let mut item = event.get("item").cloned().unwrap_or_default();
                mark(&mut item);
                self.items
                    .push((index.unwrap_or(self.items.len() as u64), item));
            }
            "response.output_item.done" => {
                let item = event.get("item").cloned().unwrap_or_default();
                self.done(index.unwrap_or(self.items.len() as u64), item);
            }
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled" => {
                let response = event.get("response").unwrap_or(&Value::Null);
                let error = error_in(response);
                self.flush(Some(response))?;
                if error.is_none() {
                    stopped(response, &mut self.gathering);
                }
                self.error = self.error.take().or(error);
                self.ended = true;
            }
            "error" => {
                let told = error_in(event).unwrap_or_else(|| text_at(event, "message").to_owned());
                self.error.get_or_insert(told);
            }
            kind => {
                let last = self.items.iter_mut().rfind(|(at, _)| Some(*at) == index);
                grow(kind, event, last.map(|(_, item)| item));
            }
        }
        Ok(())
    }

    /// An item is whole. It takes the place of what was announced, unless that was another one.
    fn done(&mut self, index: u64, item: Value) {
        let id = |item: &Value| text_at(item, "call_id").to_owned();
        let announced = self
            .items
            .iter_mut()
            .rfind(|(at, known)| *at == index && (id(known) == id(&item) || id(known).is_empty()));
        match announced {
            Some((_, known)) => *known = item,
            None => self.items.push((index, item)),
        }
    }

    /// A response is over, or its stream is. What it tells of its items at its end counts.
    fn flush(&mut self, response: Option<&Value>) -> Result<(), WireError> {
        let mut items: Vec<Value> = std::mem::take(&mut self.items)
            .into_iter()
            .map(|(_, item)| item)
            .collect();
        let told = response.map_or(Ok(&[][..]), |response| list_at(response, "output"))?;
        if told.is_empty() {
            return output(&items, &mut self.gathering);
        }
        let id = |item: &Value| text_at(item, "call_id").to_owned();
        items.retain(|item| !id(item).is_empty() && !told.iter().any(|told| id(told) == id(item)));
        for item in items {
            self.gathering.notice(format!(
                "The call `{}` came in the stream and is not in the response at its end; it was passed over.",
                id(&item)
            ));
        }
        output(told, &mut self.gathering)
    }
}

/// An item that was announced is unfinished until it is said to be done.
fn mark(item: &mut Value) {
    if let Value::Object(map) = item {
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
