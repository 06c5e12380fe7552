//! `OpenAI` Chat Completions, as `OpenAI` and its many imitators speak it.

use serde_json::{Value, json};
use toolpost_core::{Completeness, Form, Part, RawArgs, Reply};

use crate::Wire;
use crate::document::{
    Document, End, Stream, args_at, args_text_at, error_in, free_at, items_at, list_at, piece_at,
    speaks, spoken_by_model, text_at,
};
use crate::turn::{Ended, Found, Gathering, WireError, close};

pub(crate) fn read(document: Document) -> Result<Gathering, WireError> {
    match document {
        Document::Whole(value) if is_chunk(&value) => stream(&Stream::of(vec![value])),
        Document::Whole(Value::Array(items)) if items.iter().any(is_chunk) => {
            stream(&Stream::of(items))
        }
        Document::Whole(value) => whole(&value),
        Document::Stream(chunks) => stream(&chunks),
    }
}

fn is_chunk(value: &Value) -> bool {
    let object = text_at(value, "object");
    let delta = items_at(value, "choices")
        .first()
        .is_some_and(|choice| choice.get("delta").is_some());
    object == "chat.completion.chunk" || delta
}

/// A completion, a choice of it, its message, or the message's calls.
fn whole(value: &Value) -> Result<Gathering, WireError> {
    if let Some(message) = error_in(value) {
        return Err(WireError::provider(&message));
    }
    let mut gathering = Gathering::default();
    let is_call = |item: &Value| item.get("function").is_some() || item.get("custom").is_some();
    if let Value::Array(items) = value
        && items.iter().all(is_call)
    {
        items.iter().for_each(|item| call(item, &mut gathering));
        return Ok(gathering);
    }
    let choices = list_at(value, "choices")?;
    if choices.is_empty() && value.get("choices").is_some() {
        return Err(WireError::hollow("choice"));
    }
    several(choices.len(), &mut gathering);
    let choice = choices.first().unwrap_or(value);
    let message = choice.get("message").unwrap_or(choice);
    if message.get("role").is_none() && message.get("tool_calls").is_none() {
        return Err(WireError::stranger(Wire::OpenAiChat, value));
    }
    spoken_by_model(message)?;
    list_at(message, "tool_calls")?
        .iter()
        .for_each(|item| call(item, &mut gathering));
    said(message, &mut gathering);
    stopped(text_at(choice, "finish_reason"), &mut gathering);
    Ok(gathering)
}

/// What a message or a piece of one holds beside calls.
fn said(message: &Value, gathering: &mut Gathering) {
    const WORDS: [&str; 5] = [
        "content",
        "refusal",
        "reasoning",
        "reasoning_content",
        "audio",
    ];
    if speaks(message, &WORDS) {
        gathering.spoke();
    }
    let strange = |kind: &&str| kind.contains("tool_use") || kind.contains("call");
    for kind in items_at(message, "content")
        .iter()
        .map(|part| text_at(part, "type"))
        .filter(strange)
    {
        gathering.unknown("A part of the content, of the type", kind);
    }
    legacy(message, gathering);
}

fn several(choices: usize, gathering: &mut Gathering) {
    if choices > 1 {
        gathering.notice(format!(
            "The reply holds {choices} choices; only the first was read."
        ));
    }
}

fn legacy(message: &Value, gathering: &mut Gathering) {
    if let Some(old) = message.get("function_call").filter(|old| old.is_object()) {
        let name = text_at(old, "name");
        gathering.notice(format!(
            "`{name}` was called in the retired form `function_call` and was passed over; offer it under `tools`."
        ));
    }
}

fn call(item: &Value, gathering: &mut Gathering) {
    let (part, args, form) = match item.get("custom") {
        Some(custom) => (custom, free_at(custom, "input"), Form::Custom),
        None => {
            let function = item.get("function").unwrap_or(&Value::Null);
            (
                function,
                args_text_at(function, "arguments"),
                Form::Function,
            )
        }
    };
    gathering.call(Found {
        id: text_at(item, "id").to_owned(),
        name: text_at(part, "name").to_owned(),
        args,
        form,
        completeness: Completeness::Whole,
    });
}

/// What a finish reason says about the calls before it.
fn stopped(reason: &str, gathering: &mut Gathering) {
    match reason {
        "length" => gathering.cut_off("it reached its length limit (`length`)"),
        "content_filter" => gathering.cut_off("the provider ended it (`content_filter`)"),
        _ => {}
    }
}

/// A call of a stream, as far as it came.
#[derive(Debug, Default)]
struct Growing {
    index: Option<u64>,
    id: String,
    name: String,
    text: String,
    value: Option<RawArgs>,
    custom: bool,
}

fn stream(chunks: &Stream) -> Result<Gathering, WireError> {
    let known = |chunk: &Value| chunk.get("choices").is_some() || error_in(chunk).is_some();
    if !chunks.values.iter().any(known) {
        return Err(chunks.stranger(Wire::OpenAiChat));
    }
    let mut gathering = Gathering::default();
    let mut growing: Vec<Growing> = Vec::new();
    let mut ended = chunks.end == End::Done;
    let mut error = None;
    for chunk in &chunks.values {
        error = error.or_else(|| error_in(chunk));
        for choice in list_at(chunk, "choices")? {
            ended |= piece(choice, &mut growing, &mut gathering)?;
        }
    }
    growing
        .into_iter()
        .for_each(|call| gathering.call(grown(call)));
    close(gathering, Ended::when(ended, chunks.end), error)
}

/// Reads a choice of a chunk; whether it says that it is over.
fn piece(
    choice: &Value,
    growing: &mut Vec<Growing>,
    gathering: &mut Gathering,
) -> Result<bool, WireError> {
    let index = choice.get("index").and_then(Value::as_u64);
    if index.unwrap_or_default() > 0 {
        several(2, gathering);
        return Ok(false);
    }
    let delta = choice.get("delta").or_else(|| choice.get("message"));
    let delta = delta.unwrap_or(&Value::Null);
    spoken_by_model(delta)?;
    for piece in list_at(delta, "tool_calls")? {
        grow(piece, growing);
    }
    said(delta, gathering);
    let reason = text_at(choice, "finish_reason");
    stopped(reason, gathering);
    Ok(!reason.is_empty())
}

/// Adds a piece to its call. Some imitators leave the index out, or give every call the same one; a new id, or another
/// name, under a known index is then a new call.
fn grow(piece: &Value, growing: &mut Vec<Growing>) {
    let index = piece.get("index").and_then(Value::as_u64);
    let id = text_at(piece, "id");
    let place = match index {
        Some(_) => growing.iter().rposition(|call| call.index == index),
        None => growing.len().checked_sub(1),
    };
    let known = place.and_then(|place| growing.get(place));
    let (part, field) = match piece.get("custom") {
        Some(custom) => (custom, "input"),
        None => (piece.get("function").unwrap_or(&Value::Null), "arguments"),
    };
    let name = text_at(part, "name");
    let another = |new: &str, known: &str| !new.is_empty() && !known.is_empty() && new != known;
    let is_new = known.is_none_or(|call| another(id, &call.id) || another(name, &call.name));
    if is_new {
        growing.push(Growing {
            index,
            ..Growing::default()
        });
    }
    let place = if is_new {
        growing.len().checked_sub(1)
    } else {
        place
    };
    let Some(call) = place.and_then(|place| growing.get_mut(place)) else {
        return;
    };
    if call.id.is_empty() {
        id.clone_into(&mut call.id);
    }
    call.custom |= field == "input";
    if call.name.is_empty() {
        name.clone_into(&mut call.name);
    }
    match part.get(field) {
        Some(Value::String(text)) => call.text.push_str(text),
        Some(Value::Null) | None => {}
        // A piece that cannot be read is kept as it is written, and spoils what it is added to.
        Some(_) if !call.text.is_empty() || call.value.is_some() => {
            call.text.push_str(piece_at(part, field))
        }
        Some(_) => call.value = args_at(part, field),
    }
}

fn grown(call: Growing) -> Found {
    let (args, form) = match (call.custom, call.value) {
        (custom, Some(RawArgs::Text(mut written))) => {
            written.push_str(&call.text);
            let form = if custom { Form::Custom } else { Form::Function };
            (RawArgs::Text(written), form)
        }
        (true, _) => (RawArgs::Free(call.text), Form::Custom),
        (false, Some(value)) if call.text.is_empty() => (value, Form::Function),
        (false, _) => (RawArgs::Text(call.text), Form::Function),
    };
    Found {
        id: call.id,
        name: call.name,
        args,
        form,
        completeness: Completeness::Whole,
    }
}

/// A tool message for each call. Those take text only, so pictures follow in one user message after all of them.
pub(crate) fn write(replies: &[Reply]) -> Value {
    let mut messages: Vec<Value> = replies.iter().map(message).collect();
    let pictures: Vec<Value> = replies.iter().flat_map(pictures).collect();
    if !pictures.is_empty() {
        messages.push(json!({ "role": "user", "content": pictures }));
    }
    Value::Array(messages)
}

fn message(reply: &Reply) -> Value {
    let told = reply.body.parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Image { media_type, .. } => {
            format!("[a picture of type {media_type}: it follows in the next user message]")
        }
    });
    let content = told.collect::<Vec<_>>().join("\n");
    json!({ "role": "tool", "tool_call_id": reply.id.0, "content": content })
}

fn pictures(reply: &Reply) -> Vec<Value> {
    let shown = reply.body.parts.iter().filter_map(|part| match part {
        Part::Image { media_type, base64 } => Some(json!({
            "type": "image_url",
            "image_url": { "url": format!("data:{media_type};base64,{base64}") },
        })),
        Part::Text(_) => None,
    });
    let shown: Vec<Value> = shown.collect();
    if shown.is_empty() {
        return shown;
    }
    let title = format!("What `{}` (call {}) shows:", reply.name, reply.id);
    let title = json!({ "type": "text", "text": title });
    std::iter::once(title).chain(shown).collect()
}
