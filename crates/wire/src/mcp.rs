//! The Model Context Protocol: a request `tools/call` in, its result out.

use serde_json::{Value, json};
use toolpost_core::{Completeness, Form, Part, RawArgs, Reply};

use crate::Wire;
use crate::document::{Document, args_at, text_at};
use crate::turn::{Found, Gathering, WireError};

/// Reads requests, or their parameters alone.
pub(crate) fn read(document: Document) -> Result<Gathering, WireError> {
    let requests = match document {
        Document::Whole(Value::Array(requests)) => requests,
        Document::Whole(request) => vec![request],
        Document::Stream(stream) => stream.values,
    };
    let mut gathering = Gathering::default();
    for request in &requests {
        let params = request.get("params").unwrap_or(request);
        let other = !matches!(text_at(request, "method"), "" | "tools/call");
        if other || text_at(params, "name").is_empty() {
            return Err(WireError::stranger(Wire::Mcp, request));
        }
        gathering.call(Found {
            id: match request.get("id") {
                Some(Value::String(id)) => id.clone(),
                Some(id @ Value::Number(_)) => id.to_string(),
                _ => String::new(),
            },
            name: text_at(params, "name").to_owned(),
            args: args_at(params, "arguments").unwrap_or_else(|| RawArgs::Value(json!({}))),
            form: Form::Function,
            completeness: Completeness::Whole,
        });
    }
    Ok(gathering)
}

/// The result of one call, or an array of results for several.
pub(crate) fn write(replies: &[Reply]) -> Value {
    match replies {
        [reply] => result(reply),
        several => Value::Array(several.iter().map(result).collect()),
    }
}

fn result(reply: &Reply) -> Value {
    let content = reply.body.parts.iter().map(|part| match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Image { media_type, base64 } => {
            json!({ "type": "image", "data": base64, "mimeType": media_type })
        }
    });
    let content: Vec<Value> = content.collect();
    json!({ "content": content, "isError": reply.is_error() })
}
