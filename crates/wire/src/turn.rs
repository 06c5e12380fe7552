//! What a model's reply holds for us.

use std::collections::HashSet;

use serde_json::Value;
use toolpost_core::{CallId, Completeness, Form, RawArgs, RawCall};

use crate::Wire;

/// How an id begins that the provider did not give. On wires where a call may come without one, the answer then goes
/// back without one too. What follows is made from the document, so that calls of different replies differ.
pub const SYNTHETIC_ID: &str = "tp-synthetic-";

/// The calls of one reply.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    /// The calls, in order, their ids unique.
    pub calls: Vec<RawCall>,
    /// What the caller should know beside them, in sentences.
    pub notices: Vec<String>,
}

/// Why a document could not be read as a provider's reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fact}")]
pub struct WireError {
    /// What is wrong, in one sentence.
    pub fact: String,
    /// What to do about it; empty when there is nothing.
    pub hint: String,
}

impl WireError {
    pub(crate) fn new(fact: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            fact: fact.into(),
            hint: hint.into(),
        }
    }

    /// The provider reported an error instead of a reply.
    pub(crate) fn provider(message: &str) -> Self {
        let message = message.trim().trim_end_matches('.');
        Self::new(
            format!("The provider reported an error instead of a reply: {message}."),
            "Mend the request, or send it again later; there is nothing to run.",
        )
    }

    /// Something in the document has another shape than this wire knows.
    pub(crate) fn misshapen(key: &str, wanted: &str) -> Self {
        Self::new(
            format!("The reply's `{key}` is not {wanted}, so calls in it cannot be read."),
            "Pass the provider's reply as it came.",
        )
    }

    /// The reply is there, and holds no answer of the model.
    pub(crate) fn hollow(what: &str) -> Self {
        Self::new(
            format!("The reply holds no {what}, so the model has not answered."),
            "Ask the model again.",
        )
    }

    /// The document is something else than this provider's reply.
    pub(crate) fn stranger(wire: Wire, value: &Value) -> Self {
        let hint = match resembles(value).filter(|other| *other != wire) {
            Some(other) => format!("It looks like `{}`: pass that as the wire.", other.name()),
            None => {
                "Pass the provider's reply as it came, or the wire that it belongs to.".to_owned()
            }
        };
        Self::new(
            format!("The document is not a reply of the wire `{}`.", wire.name()),
            hint,
        )
    }
}

/// The wire that a document seems to come from.
fn resembles(value: &Value) -> Option<Wire> {
    let first = match value {
        Value::Array(items) => items.first()?,
        value => value,
    };
    let has = |key: &str| first.get(key).is_some();
    let kind = first
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match kind {
        "tool_use" | "message_start" => return Some(Wire::Anthropic),
        "message" if has("stop_reason") => return Some(Wire::Anthropic),
        "function_call" | "custom_tool_call" => return Some(Wire::OpenAiResponses),
        _ if kind.starts_with("response.") => return Some(Wire::OpenAiResponses),
        _ => {}
    }
    if has("choices") || has("tool_calls") {
        Some(Wire::OpenAiChat)
    } else if has("output") {
        Some(Wire::OpenAiResponses)
    } else if has("candidates") || has("parts") || has("functionCall") {
        Some(Wire::Gemini)
    } else if has("jsonrpc") {
        Some(Wire::Mcp)
    } else if has("tool") {
        Some(Wire::Plain)
    } else {
        None
    }
}

/// A call as it was found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) args: RawArgs,
    pub(crate) form: Form,
    pub(crate) completeness: Completeness,
}

/// Gathers the calls of a reply and gives each its own id.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    calls: Vec<Found>,
    notices: Vec<String>,
    cut_off: bool,
    spoke: bool,
}

impl Gathering {
    /// The reply holds something that is no call: text, thoughts, results.
    pub(crate) fn spoke(&mut self) {
        self.spoke = true;
    }

    /// Something is not understood.
    pub(crate) fn unknown(&mut self, what: &str, kind: &str) {
        let kind = short(kind);
        self.notice(format!(
            "{what} `{kind}` is not known and was passed over; if it holds a call, it is not answered."
        ));
    }

    /// Passes over calls that the document answers itself.
    pub(crate) fn without(&mut self, answered: &HashSet<&str>) {
        let (done, open) = std::mem::take(&mut self.calls)
            .into_iter()
            .partition(|call: &Found| !call.id.is_empty() && answered.contains(call.id.as_str()));
        self.calls = open;
        let done: Vec<Found> = done;
        for call in done {
            self.notice(format!(
                "The call `{}` is answered in the document already and was passed over.",
                call.id
            ));
        }
    }

    pub(crate) fn call(&mut self, call: Found) {
        self.calls.push(call);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Says something once.
    pub(crate) fn notice(&mut self, notice: impl Into<String>) {
        let notice = notice.into();
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }

    /// A tool that the provider runs itself was named.
    pub(crate) fn hosted(&mut self, name: &str) {
        self.notice(format!(
            "`{name}` is the provider's own tool and was passed over."
        ));
    }

    /// No call of the reply can be trusted to be whole.
    pub(crate) fn cut_off(&mut self, why: &str) {
        self.cut_off = true;
        self.notice(format!("The reply was cut off: {why}."));
    }

    /// The turn, once all is gathered. `document` is what the calls came from.
    pub(crate) fn turn(mut self, wire: Wire, document: &[u8]) -> Turn {
        if !self.spoke && self.calls.is_empty() && self.notices.is_empty() {
            self.notice("The reply holds nothing: neither text nor a call.");
        }
        let calls = std::mem::take(&mut self.calls);
        let mut names = Names::of(wire, &calls, document);
        let named = calls.into_iter().enumerate().map(|(place, call)| {
            let (id, notice) = names.name(place, &call);
            self.notices.extend(notice);
            RawCall {
                id: CallId(id),
                name: call.name,
                args: call.args,
                completeness: match self.cut_off {
                    true => Completeness::CutOff,
                    false => call.completeness,
                },
                form: call.form,
            }
        });
        Turn {
            calls: named.collect(),
            notices: self.notices,
        }
    }
}

/// Gives each call its own id: the one it came with, where no call before has it.
struct Names {
    wire: Wire,
    used: HashSet<String>,
    given: HashSet<String>,
    stem: String,
    next: usize,
}

impl Names {
    fn of(wire: Wire, calls: &[Found], document: &[u8]) -> Self {
        let hash = blake3::hash(document).to_hex();
        Self {
            wire,
            used: HashSet::new(),
            given: calls.iter().map(|call| call.id.clone()).collect(),
            stem: hash.chars().take(8).collect(),
            next: 1,
        }
    }

    /// A call's id, and what the caller has to know when it is a new one.
    fn name(&mut self, place: usize, call: &Found) -> (String, Option<String>) {
        if !call.id.is_empty() && self.used.insert(call.id.clone()) {
            return (call.id.clone(), None);
        }
        let id = self.made_up(&call.id);
        let came = match call.id.as_str() {
            "" => "came without an id".to_owned(),
            given => format!("came with the id `{given}` of a call before it"),
        };
        let whole = format!("Call {} (`{}`) {came}", place + 1, call.name);
        let notice = match self.wire {
            Wire::Anthropic | Wire::OpenAiChat | Wire::OpenAiResponses => Some(format!(
                "{whole} and is answered as `{id}`: write this id into the model's message too, or the provider will \
                 refuse the answer."
            )),
            Wire::Gemini if !call.id.is_empty() => {
                Some(format!("{whole} and is answered under that id too."))
            }
            Wire::Gemini | Wire::Mcp | Wire::Plain => None,
        };
        (id, notice)
    }

    fn made_up(&mut self, given: &str) -> String {
        loop {
            let mut id = format!("{SYNTHETIC_ID}{}-{}", self.stem, self.next);
            self.next += 1;
            if self.wire == Wire::Gemini && !given.is_empty() {
                id = format!("{id}{REPEATS}{given}");
            }
            if !self.given.contains(&id) && self.used.insert(id.clone()) {
                return id;
            }
        }
    }
}

/// What stands in a synthetic id before the id that the call came with.
const REPEATS: char = '=';

/// The id that a call came with, if it came with one.
pub(crate) fn given_id(id: &str) -> Option<&str> {
    match id.strip_prefix(SYNTHETIC_ID) {
        None => Some(id),
        Some(made_up) => made_up.split_once(REPEATS).map(|(_, given)| given),
    }
}

/// The beginning of a name, short enough for a sentence.
fn short(name: &str) -> String {
    const SHOWN_CHARS: usize = 60;
    name.chars().take(SHOWN_CHARS).collect()
}

/// Ends the reading of a stream: an error without calls is the answer, and what has no proper end is cut off.
pub(crate) fn close(
    mut gathering: Gathering,
    ended: Ended,
    error: Option<String>,
) -> Result<Gathering, WireError> {
    match error {
        Some(error) if gathering.is_empty() => return Err(WireError::provider(&error)),
        Some(error) => {
            let error = error.trim_end_matches('.');
            gathering.cut_off(&format!("the provider reported an error ({error})"));
        }
        None if ended == Ended::Early => gathering.cut_off("its stream ended early"),
        None => {}
    }
    Ok(gathering)
}

/// Whether a stream came to its proper end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It did.
    Properly,
    /// It broke off.
    Early,
}

impl Ended {
    /// Properly, when the format's own mark was seen and nothing was broken.
    pub(crate) fn when(marked: bool, end: crate::document::End) -> Self {
        if marked && end != crate::document::End::Broken {
            Self::Properly
        } else {
            Self::Early
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Gathering, SYNTHETIC_ID, WireError};
    use crate::Wire;
    use serde_json::json;
    use toolpost_core::{Completeness, Form, RawArgs};

    #[test]
    fn every_call_has_its_own_id() {
        let mut gathering = Gathering::default();
        let taken = gathered(&["", "a"]).first().unwrap().clone();
        for id in ["a", "", "a", &taken, "b"] {
            gathering.call(found(id));
        }
        let turn = gathering.turn(Wire::Anthropic, b"x");
        let ids: Vec<&str> = turn.calls.iter().map(|call| call.id.0.as_str()).collect();
        assert_eq!((ids[0], ids[3], ids[4]), ("a", taken.as_str(), "b"));
        assert!(ids[1].starts_with(SYNTHETIC_ID) && ids[2].starts_with(SYNTHETIC_ID));
        let unique: std::collections::HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), 5);
        assert_eq!(turn.notices.len(), 2);
        assert!(turn.notices[0].contains("Call 2 (`t`) came without an id"));
        assert!(turn.notices[0].contains(ids[1]) && turn.notices[1].contains(ids[2]));
        assert!(turn.notices[1].contains("Call 3 (`t`) came with the id `a`"));
    }

    fn gathered(ids: &[&str]) -> Vec<String> {
        let mut gathering = Gathering::default();
        ids.iter().for_each(|id| gathering.call(found(id)));
        gathering
            .turn(Wire::Anthropic, b"x")
            .calls
            .into_iter()
            .map(|call| call.id.0)
            .collect()
    }

    fn found(id: &str) -> Found {
        Found {
            id: id.to_owned(),
            name: "t".to_owned(),
            args: RawArgs::Text(String::new()),
            form: Form::Function,
            completeness: Completeness::Whole,
        }
    }

    #[test]
    fn a_stranger_is_told_where_it_belongs() {
        let hint = WireError::stranger(Wire::Anthropic, &json!({"choices": []})).hint;
        assert!(hint.contains("openai-chat"));
        let hint = WireError::stranger(Wire::Anthropic, &json!(3)).hint;
        assert!(hint.contains("as it came"));
    }
}
