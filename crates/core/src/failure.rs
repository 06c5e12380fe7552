//! The two ways of not succeeding: tried and could not, or not tried.

use serde::{Deserialize, Serialize};

use crate::{Code, State, Status};

/// A tool tried, or looked, and could not.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolError {
    /// Why, for programs.
    pub code: Code,
    /// Why, in one sentence with a full stop; what it names stands in backticks.
    pub fact: String,
    /// What to do next, as an imperative that names the call. Empty when there is nothing to do.
    pub hint: String,
    /// What helps to go on, as it stands in the file: the text near the target, the lines that matched.
    pub quote: String,
    /// What programs rely on, for example the index of the failing edit.
    pub state: Box<State>,
}

impl ToolError {
    /// Makes an error out of a code and its sentence.
    #[must_use]
    pub fn new(code: Code, fact: impl Into<String>) -> Self {
        Self {
            code,
            fact: fact.into(),
            hint: String::new(),
            quote: String::new(),
            state: Box::default(),
        }
    }

    /// Says what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Quotes text that helps to go on.
    #[must_use]
    pub fn quote(mut self, quote: impl Into<String>) -> Self {
        self.quote = quote.into();
        self
    }

    /// Adds a value that programs rely on.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<serde_json::Value>) -> Self {
        self.state.insert(key.to_owned(), value.into());
        self
    }
}

/// A call was not tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// Who refused.
    pub by: By,
    /// Why, for programs.
    pub code: Code,
    /// Why, in one sentence with a full stop.
    pub fact: String,
    /// What to do next. Empty when there is nothing to do.
    pub hint: String,
}

/// Who refused a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// No such tool is offered.
    Registry,
    /// The arguments are not sound.
    Schema,
    /// A rule or a mode.
    Policy,
    /// A person.
    Person,
    /// A hook.
    Hook,
    /// A limit.
    Budget,
    /// The caller took it back.
    Cancel,
}

/// Why a call did not end well, as it goes back.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Why, for programs.
    pub code: Code,
    /// Why, in one sentence.
    pub fact: String,
    /// What to do next.
    pub hint: String,
    /// What helps to go on.
    pub quote: String,
    /// Who refused, when the call was not tried.
    pub by: Option<By>,
}

impl Failure {
    /// The status that goes with the code.
    #[must_use]
    pub fn status(&self) -> Status {
        self.code.status()
    }

    /// The failure as a model reads it: fact, quote, hint.
    #[must_use]
    pub fn words(&self) -> String {
        let parts = [&self.fact, &self.quote, &self.hint];
        let told: Vec<&str> = parts
            .into_iter()
            .map(String::as_str)
            .filter(|part| !part.is_empty())
            .collect();
        if self.quote.is_empty() {
            told.join(" ")
        } else {
            told.join("\n")
        }
    }
}

impl From<ToolError> for Failure {
    fn from(err: ToolError) -> Self {
        Self {
            code: err.code,
            fact: err.fact,
            hint: err.hint,
            quote: err.quote,
            by: None,
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let Refusal {
            by,
            code,
            fact,
            hint,
        } = refusal;
        Self {
            code,
            fact,
            hint,
            quote: String::new(),
            by: Some(by),
        }
    }
}
