//! Anthropic Messages.

use serde_json::{Value, json};
use toolpost_core::{Completeness, Form, Part, RawArgs, Reply};

use crate::Wire;
use crate::document::{
    Document, Stream, args_at, error_in, items_at, list_at, piece_at, spoken_by_model, text_at,
};
use crate::turn::{Ended, Found, Gathering, WireError, close};

/// The picture formats that the API takes.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

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
    let kind = text_at(value, "type");
    kind.starts_with("message_") || kind.starts_with("content_block_") || kind == "ping"
}

/// A message, its content, one block of it, or the conversation that it ends.
fn whole(value: &Value) -> Result<Gathering, WireError> {
    if let Some(message) = error_in(value) {
        return Err(WireError::provider(&message));
    }
    let mut gathering = Gathering::default();
    match value {
        Value::Array(items) if !items.is_empty() && items.iter().all(is_message) => {
            conversation(items, &mut gathering)?;
        }
        Value::Array(items) if is_blocks(items) => blocks(items, &mut gathering),
        Value::Object(map) if map.contains_key("content") => message(value, &mut gathering)?,
        Value::Object(_) if text_at(value, "type") == "tool_use" => block(value, &mut gathering),
        _ => return Err(WireError::stranger(Wire::Anthropic, value)),
    }
    Ok(gathering)
}

fn is_message(item: &Value) -> bool {
    item.get("role").is_some() && item.get("content").is_some()
}

fn is_blocks(items: &[Value]) -> bool {
    let is_block = |item: &Value| item.get("type").is_some() && !is_message(item);
    items.iter().all(is_block)
}

fn message(message: &Value, gathering: &mut Gathering) -> Result<(), WireError> {
    spoken_by_model(message)?;
    match message.get("content") {
        Some(Value::Array(items)) if is_blocks(items) => blocks(items, gathering),
        Some(Value::String(_)) if message.get("role").is_some() => gathering.spoke(),
        _ => return Err(WireError::stranger(Wire::Anthropic, message)),
    }
    stopped(text_at(message, "stop_reason"), gathering);
    Ok(())
}

/// Reads a conversation's last message of the assistant, without the calls that a message after it answers.
fn conversation(messages: &[Value], gathering: &mut Gathering) -> Result<(), WireError> {
    let by_model = |message: &Value| text_at(message, "role") == "assistant";
    let last = messages.iter().rposition(by_model);
    let (last, after) = last
        .and_then(|last| messages.get(last..)?.split_first())
        .ok_or_else(|| WireError::hollow("message of the role `assistant`"))?;
    message(last, gathering)?;
    let results = after
        .iter()
        .flat_map(|message| items_at(message, "content"));
    let answered = results.map(|result| text_at(result, "tool_use_id"));
    gathering.without(&answered.collect());
    if messages.len() > 1 {
        gathering.notice(format!(
            "The document holds {} messages; only the last one of the assistant was read.",
            messages.len()
        ));
    }
    Ok(())
}

fn blocks(items: &[Value], gathering: &mut Gathering) {
    for item in items {
        block(item, gathering);
    }
}

fn block(block: &Value, gathering: &mut Gathering) {
    match text_at(block, "type") {
        "tool_use" => gathering.call(Found {
            id: text_at(block, "id").to_owned(),
            name: text_at(block, "name").to_owned(),
            args: args_at(block, "input").unwrap_or(RawArgs::Value(Value::Null)),
            form: Form::Function,
            completeness: Completeness::Whole,
        }),
        "server_tool_use" | "mcp_tool_use" => gathering.hosted(text_at(block, "name")),
        "text" | "thinking" | "redacted_thinking" | "compaction" => gathering.spoke(),
        kind if kind.ends_with("_tool_result") => gathering.spoke(),
        kind => gathering.unknown("A block of the type", kind),
    }
}

/// What a stop reason says about the calls before it.
fn stopped(reason: &str, gathering: &mut Gathering) {
    match reason {
        "max_tokens" => gathering.cut_off("it reached its length limit (`max_tokens`)"),
        "model_context_window_exceeded" => gathering.cut_off("the model's context window is full"),
        "refusal" => gathering.cut_off("the provider ended it (`refusal`)"),
        _ => {}
    }
}

/// A block of a stream, as far as it came.
#[derive(Debug)]
struct Growing {
    index: u64,
    start: Value,
    json: String,
    closed: bool,
}

/// A stream as it is put together.
#[derive(Debug, Default)]
struct Assembly {
    gathering: Gathering,
    /// The blocks in the order in which they began. An index may come again: it then means the newer block.
    growing: Vec<Growing>,
    /// Where the blocks of the present message begin.
    since: usize,
    messages: usize,
    ended: bool,
    error: Option<String>,
}

fn stream(events: &Stream) -> Result<Gathering, WireError> {
    let known = |event: &Value| is_event(event) || error_in(event).is_some();
    if !events.values.iter().any(known) {
        return Err(events.stranger(Wire::Anthropic));
    }
    let mut assembly = Assembly::default();
    for event in &events.values {
        assembly.add(event)?;
    }
    let Assembly {
        mut gathering,
        growing,
        messages,
        ended,
        error,
        ..
    } = assembly;
    for block in growing {
        grown(block, &mut gathering);
    }
    if messages > 1 {
        gathering.notice(format!(
            "The stream holds {messages} messages; the calls of all of them were read."
        ));
    }
    close(gathering, Ended::when(ended, events.end), error)
}

impl Assembly {
    fn add(&mut self, event: &Value) -> Result<(), WireError> {
        let part = |key: &str| event.get(key).unwrap_or(&Value::Null);
        match text_at(event, "type") {
            "message_start" => {
                spoken_by_model(part("message"))?;
                blocks(list_at(part("message"), "content")?, &mut self.gathering);
                if self.messages > 0 && !self.ended {
                    self.gathering
                        .cut_off("another message began before its end");
                }
                self.messages += 1;
                self.since = self.growing.len();
                self.ended = false;
            }
            "content_block_start" => self.growing.push(Growing {
                index: index_of(event),
                start: part("content_block").clone(),
                json: String::new(),
                closed: false,
            }),
            "content_block_delta" => {
                let piece = piece_at(part("delta"), "partial_json");
                match self.block(event) {
                    Some(block) => block.json.push_str(piece),
                    None if piece.is_empty() => {}
                    None => self
                        .gathering
                        .cut_off("a piece of arguments came for a block that never began"),
                }
            }
            "content_block_stop" => {
                if let Some(block) = self.block(event) {
                    block.closed = true;
                }
            }
            "message_delta" => {
                let reason = text_at(part("delta"), "stop_reason");
                self.ended |= !reason.is_empty();
                stopped(reason, &mut self.gathering);
            }
            "message_stop" => self.ended = true,
            "ping" => {}
            kind => match error_in(event) {
                Some(error) => self.error = self.error.take().or(Some(error)),
                None => self.gathering.unknown("An event of the type", kind),
            },
        }
        Ok(())
    }

    /// The block that an event is about.
    fn block(&mut self, event: &Value) -> Option<&mut Growing> {
        let index = index_of(event);
        let present = self.growing.get_mut(self.since..)?;
        present.iter_mut().rfind(|block| block.index == index)
    }
}

fn index_of(event: &Value) -> u64 {
    let index = event.get("index").and_then(Value::as_u64);
    index.unwrap_or_default()
}

/// A block of a stream at the stream's end.
fn grown(growing: Growing, gathering: &mut Gathering) {
    let Growing {
        start,
        json,
        closed,
        ..
    } = growing;
    if text_at(&start, "type") != "tool_use" {
        block(&start, gathering);
        return;
    }
    let args = if json.is_empty() {
        args_at(&start, "input").unwrap_or(RawArgs::Value(Value::Null))
    } else {
        RawArgs::Text(json)
    };
    gathering.call(Found {
        id: text_at(&start, "id").to_owned(),
        name: text_at(&start, "name").to_owned(),
        args,
        form: Form::Function,
        completeness: match closed {
            true => Completeness::Whole,
            false => Completeness::CutOff,
        },
    });
}

/// One user message with a result for each call.
pub(crate) fn write(replies: &[Reply]) -> Value {
    let results: Vec<Value> = replies.iter().map(result).collect();
    json!({ "role": "user", "content": results })
}

/// The API refuses empty text blocks, and anything but text in a result that is an error.
fn result(reply: &Reply) -> Value {
    let failed = reply.is_error();
    let content: Vec<Value> = reply
        .body
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) if text.trim().is_empty() => None,
            Part::Text(text) => Some(json!({ "type": "text", "text": text })),
            Part::Image { media_type, base64 }
                if !failed && PICTURES.contains(&media_type.as_str()) =>
            {
                Some(json!({
                    "type": "image",
                    "source": { "type": "base64", "media_type": media_type, "data": base64 },
                }))
            }
            Part::Image { media_type, .. } => {
                let note = format!("[a picture of type {media_type}, which cannot be shown here]");
                Some(json!({ "type": "text", "text": note }))
            }
        })
        .collect();
    let mut result = json!({ "type": "tool_result", "tool_use_id": reply.id.0 });
    if let Value::Object(map) = &mut result {
        if !content.is_empty() {
            map.insert("content".to_owned(), Value::Array(content));
        }
        if failed {
            map.insert("is_error".to_owned(), Value::Bool(true));
        }
    }
    result
}
