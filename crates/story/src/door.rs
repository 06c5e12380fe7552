//! The ways in: what a story is run through.

use serde_json::{Map, Value};

use crate::disk::Place;
use crate::story::{Call, Ending, Policy};
use toolpost::Dialect;

/// A way into toolpost.
pub trait Door: Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &'static str;

    /// Starts a session in a story's place.
    ///
    /// # Errors
    /// It cannot be started.
    fn start<'a>(
        &'a self,
        place: &'a Place,
        policy: &'a Policy,
    ) -> Result<Box<dyn Visit + 'a>, DoorError>;
}

/// A session behind a door.
pub trait Visit {
    /// Makes the calls of one batch and waits for their replies, in order.
    ///
    /// # Errors
    /// The door itself failed. A call that fails is a reply.
    fn batch(&mut self, dialect: Dialect, calls: &[Call]) -> Result<Vec<Replied>, DoorError>;

    /// Ends the session.
    ///
    /// # Errors
    /// It did not end well.
    fn leave(self: Box<Self>) -> Result<(), DoorError>;
}

/// What came of a call.
#[derive(Debug, Clone)]
pub struct Replied {
    /// How it ended.
    pub ending: Ending,
    /// What the model reads.
    pub text: String,
    /// What programs read.
    pub state: Map<String, Value>,
    /// What a person sees, where the door shows it.
    pub view: Option<String>,
}

/// A door that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DoorError(
    /// Why, in one sentence.
    pub String,
);

impl DoorError {
    /// Says what was tried and why it failed.
    pub(crate) fn because(tried: &str, err: impl std::fmt::Display) -> Self {
        Self(format!("{tried}: {err}"))
    }
}

/// The environment that commands get, the same behind every door.
pub(crate) fn environment(place: &Place) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    let path = toolpost::host::environment();
    let mut environment: Vec<_> = path.into_iter().filter(|(key, _)| key == "PATH").collect();
    environment.push(("HOME".into(), place.home().into()));
    environment.push(("LANG".into(), "C.UTF-8".into()));
    environment
}
