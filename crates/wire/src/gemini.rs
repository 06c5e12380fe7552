//! Gemini `generateContent`.

use serde_json::{Map, Value, json};
use toolpost_core::{Completeness, Form, Part, RawArgs, Reply};

use crate::Wire;
use crate::document::{Document, Stream, args_at, error_in, list_at, spoken_by_model, text_at};
use crate::turn::{Ended, Found, Gathering, WireError, close, given_id};

pub(crate) fn read(document: Document) -> Result<Gathering, WireError> {
    match unwrapped(document) {
        Document::Whole(Value::Array(items)) if items.iter().any(is_chunk) => {
            stream(&Stream::of(items))
        }
        Document::Whole(value) => whole(&value),
        Document::Stream(chunks) => stream(&chunks),
    }
}

/// Takes responses out of the envelope `{"response": …}` in which some of Google's endpoints send them.
fn unwrapped(document: Document) -> Document {
    let bare = |value: Value| match value {
        Value::Object(mut map) if map.get("response").is_some_and(is_chunk) => {
            map.remove("response").unwrap_or_default()
        }
        value => value,
    };
    match document {
        Document::Whole(Value::Array(items)) => {
            Document::Whole(Value::Array(items.into_iter().map(bare).collect()))
        }
        Document::Whole(value) => Document::Whole(bare(value)),
        Document::Stream(mut stream) => {
            stream.values = stream.values.into_iter().map(bare).collect();
            Document::Stream(stream)
        }
    }
}

/// The value under a key, in the API's spelling or that of the Python library.
fn either<'v>(value: &'v Value, camel: &str, snake: &str) -> Option<&'v Value> {
    value
        .get(camel)
        .or_else(|| value.get(snake))
        .filter(|found| !found.is_null())
}

fn is_chunk(value: &Value) -> bool {
    value.get("candidates").is_some()
        || either(value, "usageMetadata", "usage_metadata").is_some()
        || either(value, "promptFeedback", "prompt_feedback").is_some()
        || value.get("error").is_some()
}

fn is_part(value: &Value) -> bool {
    let keys = [
        "text",
        "functionCall",
        "function_call",
        "thought",
        "inlineData",
        "executableCode",
    ];
    keys.iter().any(|key| value.get(key).is_some())
}

/// A response, a candidate, its content, or the content's parts.
fn whole(value: &Value) -> Result<Gathering, WireError> {
    if let Some(message) = error_in(value) {
        return Err(WireError::provider(&message));
    }
    let mut gathering = Gathering::default();
    match value {
        Value::Array(items) if items.iter().all(is_part) => parts(items, &mut gathering),
        Value::Object(map) if map.contains_key("parts") => content(value, &mut gathering)?,
        Value::Object(map) if map.contains_key("content") && !map.contains_key("type") => {
            candidate(value, &mut gathering)?;
        }
        Value::Object(_) if is_chunk(value) => {
            let over = response(value, &mut gathering)?;
            if !over && list_at(value, "candidates")?.is_empty() {
                return Err(WireError::hollow("candidate"));
            }
        }
        Value::Object(_) if is_part(value) => parts(std::slice::from_ref(value), &mut gathering),
        _ => return Err(WireError::stranger(Wire::Gemini, value)),
    }
    Ok(gathering)
}

/// Reads a response or a chunk of one; whether it says that the reply is over.
fn response(value: &Value, gathering: &mut Gathering) -> Result<bool, WireError> {
    let feedback = either(value, "promptFeedback", "prompt_feedback");
    let blocked = feedback.and_then(|feedback| either(feedback, "blockReason", "block_reason"));
    if let Some(reason) = blocked.and_then(Value::as_str) {
        gathering.notice(format!(
            "The provider did not answer the prompt (`{reason}`)."
        ));
        return Ok(true);
    }
    let candidates = list_at(value, "candidates")?;
    let place = |candidate: &Value| {
        let index = candidate.get("index").and_then(Value::as_u64);
        index.unwrap_or_default()
    };
    let first = candidates.iter().find(|candidate| place(candidate) == 0);
    if candidates.len() > 1 || first.is_none() && !candidates.is_empty() {
        gathering.notice("The reply holds several candidates; only the first was read.");
    }
    match first {
        Some(first) => candidate(first, gathering),
        None => Ok(false),
    }
}

/// Reads a candidate; whether it says that it is over.
fn candidate(candidate: &Value, gathering: &mut Gathering) -> Result<bool, WireError> {
    match candidate.get("content") {
        None | Some(Value::Null) => {}
        Some(found) => content(found, gathering)?,
    }
    let reason = either(candidate, "finishReason", "finish_reason").and_then(Value::as_str);
    match reason.unwrap_or_default() {
        "" | "FINISH_REASON_UNSPECIFIED" => return Ok(false),
        "STOP" => {}
        "MAX_TOKENS" => gathering.cut_off("it reached its length limit (`MAX_TOKENS`)"),
        "MALFORMED_FUNCTION_CALL" => gathering.cut_off(
            "the model wrote a call that the provider could not read (`MALFORMED_FUNCTION_CALL`); ask it again",
        ),
        other => gathering.cut_off(&format!("the provider ended it (`{other}`)")),
    }
    Ok(true)
}

fn content(content: &Value, gathering: &mut Gathering) -> Result<(), WireError> {
    if !content.is_object() {
        return Err(WireError::misshapen("content", "an object"));
    }
    spoken_by_model(content)?;
    parts(list_at(content, "parts")?, gathering);
    Ok(())
}

/// The keys of parts that hold no call.
const SILENT: [&str; 14] = [
    "text",
    "thought",
    "thoughtSignature",
    "thought_signature",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
    "codeExecutionResult",
    "code_execution_result",
    "functionResponse",
    "function_response",
    "videoMetadata",
    "video_metadata",
];

fn parts(parts: &[Value], gathering: &mut Gathering) {
    for part in parts {
        if let Some(call) = either(part, "functionCall", "function_call") {
            gathering.call(found(call));
        } else if either(part, "executableCode", "executable_code").is_some() {
            gathering.hosted("code_execution");
        } else if SILENT.iter().any(|key| part.get(key).is_some()) {
            gathering.spoke();
        } else {
            let key = part.as_object().and_then(|part| part.keys().next());
            gathering.unknown("A part with the key", key.map_or("", String::as_str));
        }
    }
}

/// A call. One that comes in pieces of arguments is not put together, and so never whole.
fn found(call: &Value) -> Found {
    let pieces = either(call, "partialArgs", "partial_args").is_some();
    let goes_on = either(call, "willContinue", "will_continue") == Some(&Value::Bool(true));
    Found {
        id: text_at(call, "id").to_owned(),
        name: text_at(call, "name").to_owned(),
        args: args_at(call, "args").unwrap_or_else(|| RawArgs::Value(json!({}))),
        form: Form::Function,
        completeness: match pieces || goes_on {
            true => Completeness::CutOff,
            false => Completeness::Whole,
        },
    }
}

fn stream(chunks: &Stream) -> Result<Gathering, WireError> {
    if !chunks.values.iter().any(is_chunk) {
        return Err(chunks.stranger(Wire::Gemini));
    }
    let mut gathering = Gathering::default();
    let mut ended = false;
    let mut error = None;
    for chunk in &chunks.values {
        error = error.or_else(|| error_in(chunk));
        ended |= response(chunk, &mut gathering)?;
    }
    close(gathering, Ended::when(ended, chunks.end), error)
}

/// One user content with a response for each call, in the calls' order. Pictures stand after all of them, which every
/// model takes.
pub(crate) fn write(replies: &[Reply]) -> Value {
    let responses = replies
        .iter()
        .map(|reply| json!({ "functionResponse": response_to(reply) }));
    let pictures = replies
        .iter()
        .flat_map(|reply| &reply.body.parts)
        .filter_map(|part| match part {
            Part::Image { media_type, base64 } => {
                Some(json!({ "inlineData": { "mimeType": media_type, "data": base64 } }))
            }
            Part::Text(_) => None,
        });
    let parts: Vec<Value> = responses.chain(pictures).collect();
    json!({ "role": "user", "parts": parts })
}

/// The name under which a call without one is answered.
const NAMELESS: &str = "unnamed";

fn response_to(reply: &Reply) -> Value {
    let mut answer = Map::new();
    if let Some(id) = given_id(&reply.id.0) {
        answer.insert("id".to_owned(), Value::from(id));
    }
    // The API refuses an answer without a name, also where the call had none.
    let name = match reply.name.trim() {
        "" => NAMELESS,
        _ => reply.name.as_str(),
    };
    answer.insert("name".to_owned(), Value::from(name));
    let told = reply.body.parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Image { media_type, .. } => {
            format!("[a picture of type {media_type}: it stands below]")
        }
    });
    let told = told.collect::<Vec<_>>().join("\n");
    let key = if reply.is_error() { "error" } else { "output" };
    answer.insert("response".to_owned(), json!({ key: told }));
    Value::Object(answer)
}
