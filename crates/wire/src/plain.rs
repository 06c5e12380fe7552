//! toolpost's own lines: one JSON value a line, in and out.

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use toolpost_core::{
    By, CallId, Code, Completeness, Failure, Form, Part, RawArgs, RawCall, Refusal, Reply,
};

use crate::reader;
use crate::turn::{Turn, WireError};

/// A line that came in.
#[derive(Debug, Clone)]
pub enum Line {
    /// Calls; one alone is a batch of one. One that cannot be read does not spoil the others: it is answered in its place.
    Batch(Vec<Result<RawCall, PlainError>>),
    /// A call is taken back.
    Cancel(CallId),
    /// A question is answered.
    Answer {
        /// The call that was asked about.
        id: CallId,
        /// What was decided, as the line says it.
        verdict: String,
        /// Other arguments, where the person changed them.
        args: Option<Value>,
        /// Why, in words for the model.
        reason: Option<String>,
    },
}

/// A line, or a call of a batch, that could not be read. Nothing of it was taken.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainError {
    /// The call's id, when the line told it.
    pub id: Option<String>,
    /// What is wrong.
    pub failure: Failure,
}

impl PlainError {
    fn new(id: Option<&str>, code: Code, fact: impl Into<String>) -> Self {
        let refusal = Refusal {
            by: By::Schema,
            code,
            fact: fact.into(),
            hint: "Send one JSON value a line: `{\"id\": …, \"tool\": …, \"args\": {…}}`, an array of such calls, \
                   `{\"cancel\": id}` or `{\"answer\": {…}}`."
                .to_owned(),
        };
        Self {
            id: id.map(str::to_owned),
            failure: refusal.into(),
        }
    }

    fn invalid(id: Option<&str>, fact: impl Into<String>) -> Self {
        Self::new(id, Code::Invalid, fact)
    }
}

/// Reads a line. Arguments may be an object or the model's raw text; they are taken as they are written, so that nothing
/// is lost before they are decoded. A number serves as an id too.
///
/// # Errors
/// When it is none of the forms.
pub fn read(line: &[u8]) -> Result<Line, PlainError> {
    let text = std::str::from_utf8(line).map_err(|err| {
        let fact = format!("The line is not UTF-8 after byte {}.", err.valid_up_to());
        PlainError::new(None, Code::Parse, fact)
    })?;
    read_text(text)
}

fn read_text(line: &str) -> Result<Line, PlainError> {
    let broken = |err: serde_json::Error| {
        let fact = match err.is_eof() {
            true => "The line ends in the middle of a JSON value.".to_owned(),
            false => format!(
                "The line is not JSON: column {} cannot be read.",
                err.column()
            ),
        };
        let code = if err.is_eof() {
            Code::Truncated
        } else {
            Code::Parse
        };
        PlainError::new(None, code, fact)
    };
    let line = line.trim_start_matches('\u{feff}').trim();
    let raw: &RawValue = serde_json::from_str(line).map_err(broken)?;
    if raw.get().starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(raw.get()).map_err(broken)?;
        if items.is_empty() {
            let fact = "The batch is empty, so there is nothing to answer.";
            return Err(PlainError::invalid(None, fact));
        }
        let calls = items.into_iter().map(|item| call(&fields(item)?));
        return Ok(Line::Batch(unique(calls.collect())));
    }
    let fields = fields(raw)?;
    if let Some(id) = fields.get("cancel") {
        only(&fields, &["cancel"], None)?;
        let id =
            id_of(id).ok_or_else(|| PlainError::invalid(None, "`cancel` must be a call's id."))?;
        return Ok(Line::Cancel(CallId(id)));
    }
    if let Some(answer) = fields.get("answer") {
        only(&fields, &["answer"], None)?;
        return self::answer(answer);
    }
    Ok(Line::Batch(vec![call(&fields)]))
}

/// An object's fields, each as it is written.
type Fields<'a> = std::collections::BTreeMap<String, &'a RawValue>;

fn fields(raw: &RawValue) -> Result<Fields<'_>, PlainError> {
    let stranger = || PlainError::invalid(None, "A call must be a JSON object.");
    if !raw.get().starts_with('{') {
        return Err(stranger());
    }
    let mut fields = Fields::new();
    let mut twice = None;
    for (key, written) in reader::fields(raw.get()).map_err(|_| stranger())? {
        let value: &RawValue = serde_json::from_str(written).map_err(|_| stranger())?;
        if fields.insert(key.clone(), value).is_some() {
            twice.get_or_insert(key);
        }
    }
    match twice {
        None => Ok(fields),
        Some(key) => {
            let id = fields.get("id").and_then(|raw| id_of(raw));
            let id = id.filter(|_| key != "id");
            let fact = format!("The line names `{key}` twice, and only one of the two can hold.");
            Err(PlainError::invalid(id.as_deref(), fact))
        }
    }
}

fn call(fields: &Fields<'_>) -> Result<RawCall, PlainError> {
    let id = fields
        .get("id")
        .and_then(|raw| id_of(raw))
        .filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| {
        PlainError::invalid(None, "A call must have an `id`, a text that is not empty.")
    })?;
    only(fields, &["id", "tool", "args"], Some(&id))?;
    let name = fields.get("tool").and_then(|raw| text_of(raw));
    let name =
        name.ok_or_else(|| PlainError::invalid(Some(&id), "A call must name its `tool`."))?;
    let args = match fields.get("args") {
        None => RawArgs::Value(json!({})),
        Some(raw) => {
            text_of(raw).map_or_else(|| RawArgs::Text(raw.get().to_owned()), RawArgs::Text)
        }
    };
    Ok(RawCall {
        id: CallId(id),
        name,
        args,
        completeness: Completeness::Whole,
        form: Form::Function,
    })
}

fn answer(raw: &RawValue) -> Result<Line, PlainError> {
    let fields = fields(raw)?;
    let id = fields
        .get("id")
        .and_then(|raw| id_of(raw))
        .filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| PlainError::invalid(None, "An answer must name the call's `id`."))?;
    only(&fields, &["id", "verdict", "args", "reason"], Some(&id))?;
    let verdict = fields.get("verdict").and_then(|raw| text_of(raw));
    let verdict = verdict
        .ok_or_else(|| PlainError::invalid(Some(&id), "An answer must have a `verdict`."))?;
    let value = |key: &str| -> Option<Value> {
        let value: Value = serde_json::from_str(fields.get(key)?.get()).ok()?;
        (!value.is_null()).then_some(value)
    };
    let reason = match value("reason") {
        Some(Value::String(reason)) => Some(reason),
        None => None,
        Some(_) => {
            return Err(PlainError::invalid(
                Some(&id),
                "An answer's `reason` must be a text.",
            ));
        }
    };
    Ok(Line::Answer {
        args: value("args"),
        id: CallId(id),
        verdict,
        reason,
    })
}

fn only(fields: &Fields<'_>, known: &[&str], id: Option<&str>) -> Result<(), PlainError> {
    let stranger = fields.keys().find(|key| !known.contains(&key.as_str()));
    stranger.map_or(Ok(()), |key| {
        let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
        let fact = format!("`{key}` is not known here; known are {}.", known.join(", "));
        Err(PlainError::invalid(id, fact))
    })
}

/// Refuses calls that share an id: nobody could tell their replies apart.
fn unique(calls: Vec<Result<RawCall, PlainError>>) -> Vec<Result<RawCall, PlainError>> {
    let mut times: HashMap<CallId, usize> = HashMap::new();
    for call in calls.iter().flatten() {
        *times.entry(call.id.clone()).or_default() += 1;
    }
    let alone = |call: RawCall| match times.get(&call.id) {
        Some(2..) => {
            let id = call.id.0.as_str();
            let fact = format!("The id `{id}` stands more than once in the batch.");
            Err(PlainError::invalid(Some(id), fact))
        }
        _ => Ok(call),
    };
    calls.into_iter().map(|call| call.and_then(alone)).collect()
}

fn id_of(raw: &RawValue) -> Option<String> {
    match serde_json::from_str(raw.get()).ok()? {
        Value::String(id) => Some(id),
        // As it is written, since a number beyond 64 bits would come back as another.
        Value::Number(_) => Some(raw.get().to_owned()),
        _ => None,
    }
}

fn text_of(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// Reads a document of lines that hold calls.
pub(crate) fn read_all(document: &[u8]) -> Result<Turn, WireError> {
    let stranger = |fact: String, hint: String| WireError { fact, hint };
    let text = std::str::from_utf8(document);
    let text =
        text.map_err(|_| stranger("The document is not UTF-8.".to_owned(), String::new()))?;
    let mut calls = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match read_text(line) {
            Ok(Line::Batch(batch)) => calls.extend(batch),
            Ok(Line::Cancel(_) | Line::Answer { .. }) => {}
            Err(err) => calls.push(Err(err)),
        }
    }
    let calls: Result<Vec<RawCall>, PlainError> = unique(calls).into_iter().collect();
    let calls = calls.map_err(|err| stranger(err.failure.fact, err.failure.hint))?;
    Ok(Turn {
        calls,
        notices: Vec::new(),
    })
}

/// Writes a reply as a line's value: all text in `text`, what is not text in `content`, the failure in `error`.
#[must_use]
pub fn write(reply: &Reply) -> Value {
    let body = &reply.body;
    let pictures = body.parts.iter().filter_map(|part| match part {
        Part::Image { media_type, base64 } => {
            Some(json!({ "type": "image", "mimeType": media_type, "data": base64 }))
        }
        Part::Text(_) => None,
    });
    let mut line = Map::new();
    let mut put = |key: &str, value: Value| line.insert(key.to_owned(), value);
    put("id", Value::from(reply.id.0.as_str()));
    put("status", Value::from(reply.status.name()));
    put("text", Value::from(reply.text()));
    put("content", Value::Array(pictures.collect()));
    put("state", Value::Object(body.state.clone()));
    if let Some(error) = error(reply) {
        put("error", error);
    }
    put("repairs", json!(body.repairs));
    put("notices", json!(body.notices));
    Value::Object(line)
}

/// A reply that is not ok has an error, always.
fn error(reply: &Reply) -> Option<Value> {
    let told = reply.body.failure.as_ref().map(|failure| {
        json!({ "code": failure.code.name(), "fact": failure.fact, "hint": failure.hint })
    });
    let status = reply.status.name();
    let ok = reply.status == toolpost_core::Status::Ok;
    told.or_else(|| {
        let fact = format!("The call ended as `{status}`, and no reason was given.");
        (!ok).then(|| json!({ "code": "internal", "fact": fact, "hint": "" }))
    })
}
