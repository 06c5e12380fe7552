//! What comes in: one JSON value, values one after the other, or an event stream.

use serde_json::Value;
use toolpost_core::RawArgs;

use crate::reader::{self, Fault};
use crate::turn::WireError;
use crate::{Wire, sse};

/// A document, taken apart as far as all providers have it in common.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Document {
    /// One value.
    Whole(Value),
    /// Several, as they came.
    Stream(Stream),
}

/// Values that came one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Stream {
    /// The values.
    pub(crate) values: Vec<Value>,
    /// How it ended.
    pub(crate) end: End,
    /// Why it could not be read on.
    pub(crate) fault: Option<WireError>,
}

impl Stream {
    /// Values that were sent as one array.
    pub(crate) fn of(values: Vec<Value>) -> Self {
        Self {
            values,
            ..Self::default()
        }
    }

    /// The stream breaks off here.
    pub(crate) fn broken(&mut self, text: &str, fault: &Fault) {
        self.end = End::Broken;
        self.fault = Some(unreadable(text, fault));
    }

    /// Why it is no stream of this wire: it is another's, or what was to come could not be read.
    pub(crate) fn stranger(&self, wire: Wire) -> WireError {
        let told = self.fault.clone().filter(|_| self.end == End::Broken);
        told.unwrap_or_else(|| {
            WireError::stranger(wire, self.values.first().unwrap_or(&Value::Null))
        })
    }
}

/// How a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum End {
    /// After a value; whether it was the last is for the provider's format to say.
    #[default]
    Open,
    /// With the mark `[DONE]`.
    Done,
    /// Inside a value, or with something that is no value.
    Broken,
}

impl Document {
    /// Takes bytes apart.
    pub(crate) fn open(bytes: &[u8]) -> Result<Self, WireError> {
        let text = text(bytes)?;
        if text.trim().is_empty() {
            return Err(WireError::new(
                "The document is empty.",
                "Pass the provider's reply as it came.",
            ));
        }
        let fault = match reader::read(text) {
            Ok(value) => return Ok(Self::Whole(value)),
            Err(fault) => fault,
        };
        let stream = if sse::is_likely(text) {
            sse::read(text)
        } else {
            sequence(text)
        };
        if !stream.values.is_empty() || stream.end == End::Done {
            return Ok(Self::Stream(stream));
        }
        Err(unreadable(text, &fault))
    }
}

/// The text of the bytes; a character that is cut at the very end is left out, since the stream then broke there.
fn text(bytes: &[u8]) -> Result<&str, WireError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let fault = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(fault) => fault,
    };
    let sound = bytes.get(..fault.valid_up_to()).unwrap_or_default();
    if fault.error_len().is_none()
        && let Ok(text) = std::str::from_utf8(sound)
    {
        return Ok(text);
    }
    Err(WireError::new(
        format!(
            "The document is not UTF-8: byte {} is no text.",
            fault.valid_up_to() + 1
        ),
        "Pass the provider's reply as it came.",
    ))
}

fn unreadable(text: &str, fault: &Fault) -> WireError {
    let Fault { offset, wanted } = *fault;
    let rest = text.get(offset..).unwrap_or_default();
    let Some(found) = rest.chars().next() else {
        return WireError::new(
            "The document ends in the middle of a JSON value.",
            "Ask the model again, and pass the whole reply.",
        );
    };
    let before = text.get(..offset).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before
        .chars()
        .rev()
        .take_while(|letter| *letter != '\n')
        .count()
        + 1;
    let fact = if before.trim().is_empty() {
        format!("The document is neither JSON nor an event stream: it begins with `{found}`.")
    } else {
        format!(
            "The document cannot be read as JSON: at line {line}, column {column}, `{found}` stands where {wanted} \
             should."
        )
    };
    WireError::new(fact, "Pass the provider's reply as it came.")
}

/// Values one after the other, or the items of an array that has no end.
fn sequence(text: &str) -> Stream {
    let mut stream = Stream::default();
    let mut rest = text.trim_start();
    rest = rest.strip_prefix('[').unwrap_or(rest);
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n', ',', ']']);
        if rest.is_empty() {
            return stream;
        }
        match reader::read_first(rest) {
            Ok((value, end)) => {
                rest = rest.get(end..).unwrap_or_default();
                stream.values.push(value);
            }
            Err(fault) => {
                let offset = text.len() - rest.len() + fault.offset;
                stream.broken(text, &Fault { offset, ..fault });
                return stream;
            }
        }
    }
}

/// The text under a key, or nothing.
pub(crate) fn text_at<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The items under a key, or none.
pub(crate) fn items_at<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    let items = value.get(key).and_then(Value::as_array);
    items.map(Vec::as_slice).unwrap_or_default()
}

/// The items under a key, or none where nothing is there.
pub(crate) fn list_at<'v>(value: &'v Value, key: &str) -> Result<&'v [Value], WireError> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(WireError::misshapen(key, "an array")),
    }
}

/// Refuses a message that is not the model's.
pub(crate) fn spoken_by_model(message: &Value) -> Result<(), WireError> {
    let role = text_at(message, "role");
    if matches!(role, "user" | "system" | "developer" | "tool" | "function") {
        return Err(WireError::new(
            format!("The message's role is `{role}`, so it is not a model's reply."),
            "Pass the message that the model wrote.",
        ));
    }
    Ok(())
}

/// Whether something stands under one of the keys.
pub(crate) fn speaks(value: &Value, keys: &[&str]) -> bool {
    let says = |said: &Value| !said.is_null() && said.as_str() != Some("");
    keys.iter().any(|key| value.get(key).is_some_and(says))
}

/// The arguments under a key as they are written; `None` when there are none. A text stays a value, since it is for the
/// wire to say what a text means.
pub(crate) fn args_at(value: &Value, key: &str) -> Option<RawArgs> {
    let args = value.get(key)?;
    Some(match reader::lifted(args) {
        Some(written) => RawArgs::Text(written.to_owned()),
        None => RawArgs::Value(args.clone()),
    })
}

/// The arguments under a key of a wire that sends them as text.
pub(crate) fn args_text_at(value: &Value, key: &str) -> RawArgs {
    match args_at(value, key) {
        Some(RawArgs::Value(Value::String(text))) => RawArgs::Text(text),
        Some(args) => args,
        None => RawArgs::Text(String::new()),
    }
}

/// The free text under a key. Where it cannot be read as it was meant, it is left to the decoder to say so.
pub(crate) fn free_at(value: &Value, key: &str) -> RawArgs {
    match args_at(value, key) {
        Some(RawArgs::Value(Value::String(text))) => RawArgs::Free(text),
        None | Some(RawArgs::Value(Value::Null)) => RawArgs::Free(String::new()),
        Some(args) => args,
    }
}

/// A piece of arguments under a key. One that cannot be read is taken as it is written, with its quotes: whatever it is
/// added to can then not be read either, and says where.
pub(crate) fn piece_at<'v>(value: &'v Value, key: &str) -> &'v str {
    let piece = value.get(key).and_then(reader::lifted);
    piece.unwrap_or_else(|| text_at(value, key))
}

/// What an error object says, when the value is or holds one.
pub(crate) fn error_in(value: &Value) -> Option<String> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let told = match error {
        Value::String(text) => text.clone(),
        error => {
            let message = text_at(error, "message");
            let kind = ["type", "status", "code"].into_iter().find_map(|key| {
                let kind = error.get(key)?.as_str()?;
                (!kind.is_empty()).then_some(kind)
            });
            match (message, kind) {
                ("", None) => "it did not say which".to_owned(),
                ("", Some(kind)) => kind.to_owned(),
                (message, None) => message.to_owned(),
                (message, Some(kind)) => format!("{message} ({kind})"),
            }
        }
    };
    Some(told)
}

#[cfg(test)]
mod tests {
    use super::{Document, End};
    use serde_json::json;

    #[test]
    fn documents_are_taken_apart() {
        let check = |bytes: &[u8], count: usize, end: End| match Document::open(bytes).unwrap() {
            Document::Whole(_) => assert_eq!(count, 0),
            Document::Stream(stream) => assert_eq!((stream.values.len(), stream.end), (count, end)),
        };
        check(b" {} ", 0, End::Open);
        check(b"\xef\xbb\xbf{}", 0, End::Open);
        check(b"{}\n{}\n", 2, End::Open);
        check(b"{}\n{\"a\":", 1, End::Broken);
        check(b"[{},\n{}", 2, End::Open);
        check(b"[{},\n{\"a\"", 1, End::Broken);
        check(b"data: {}\n\ndata: [DONE]\n\n", 1, End::Done);
        check(
            "{}\n{\"é".as_bytes().split_last().unwrap().1,
            1,
            End::Broken,
        );
    }

    #[test]
    fn what_is_no_document_is_told() {
        let check = |bytes: &[u8], word: &str| {
            let err = Document::open(bytes).unwrap_err();
            assert!(err.fact.contains(word) && !err.hint.is_empty(), "{err:?}");
        };
        check(b"", "empty");
        check(b" \n", "empty");
        check(b"{\"content\": [", "middle");
        check(b"hello", "neither");
        check(b"\xff{}", "UTF-8");
    }

    #[test]
    fn errors_are_found() {
        let check = |value, expected: Option<&str>| {
            assert_eq!(super::error_in(&value).as_deref(), expected)
        };
        check(
            json!({"error": {"message": "No.", "type": "overloaded"}}),
            Some("No. (overloaded)"),
        );
        check(
            json!({"error": {"code": 400, "message": "No", "status": "X"}}),
            Some("No (X)"),
        );
        check(json!({"error": "No"}), Some("No"));
        check(json!({"error": null}), None);
    }
}
