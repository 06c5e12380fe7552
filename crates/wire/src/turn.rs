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
}

impl Gathering {
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
    pub(crate) fn turn(self, document: &[u8]) -> Turn {
        let Self {
            calls,
            notices,
            cut_off,
        } = self;
        let mut used: HashSet<String> = HashSet::new();
        let given: HashSet<String> = calls.iter().map(|call| call.id.clone()).collect();
        let hash = blake3::hash(document).to_hex();
        let stem: String = hash.chars().take(8).collect();
        let mut next = 1_usize;
        let calls = calls.into_iter().map(|call| {
            let mut id = call.id;
            while id.is_empty() || !used.insert(id.clone()) {
                id = format!("{SYNTHETIC_ID}{stem}-{next}");
                if given.contains(&id) {
                    id.clear();
                }
                next += 1;
            }
            let completeness = match cut_off {
                true => Completeness::CutOff,
                false => call.completeness,
            };
            RawCall {
                id: CallId(id),
                name: call.name,
                args: call.args,
                completeness,
                form: call.form,
            }
        });
        Turn {
            calls: calls.collect(),
            notices,
        }
    }
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
        let turn = gathering.turn(b"x");
        let ids: Vec<&str> = turn.calls.iter().map(|call| call.id.0.as_str()).collect();
        assert_eq!((ids[0], ids[3], ids[4]), ("a", taken.as_str(), "b"));
        assert!(ids[1].starts_with(SYNTHETIC_ID) && ids[2].starts_with(SYNTHETIC_ID));
        let unique: std::collections::HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), 5);
    }

    fn gathered(ids: &[&str]) -> Vec<String> {
        let mut gathering = Gathering::default();
        ids.iter().for_each(|id| gathering.call(found(id)));
        gathering
            .turn(b"x")
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
