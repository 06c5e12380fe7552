//! What a tool made.

use std::path::PathBuf;

use crate::{Sighting, View, Words};

/// What programs read of a call, by key.
pub type State = serde_json::Map<String, serde_json::Value>;

/// How a tool's own output type becomes words, state and a view.
pub trait Present: Send + 'static {
    /// What a model reads in the plain dialect.
    fn words(&self) -> Words;

    /// What programs read.
    fn state(&self) -> State {
        State::new()
    }

    /// What a person sees.
    fn view(&self) -> View {
        View::note(self.words().text())
    }

    /// What the session is to remember.
    fn changes(&self) -> Changes {
        Changes::default()
    }
}

/// A text is its own words.
impl Present for String {
    fn words(&self) -> Words {
        Words::payload(self.clone())
    }
}

/// What a tool made, as plain data in the words of the face that was called.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// What a model reads.
    pub words: Words,
    /// What programs read.
    pub state: State,
    /// What a person sees.
    pub view: View,
    /// What the session is to remember.
    pub changes: Changes,
}

/// What an output changes in its session. The runtime applies it.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// The new working directory.
    pub cwd: Option<PathBuf>,
    /// Contents that the session has now seen.
    pub seen: Vec<Sighting>,
    /// Files whose content this call changed.
    pub touched: Vec<PathBuf>,
    /// Sentences that go with the reply, in the runtime's voice.
    pub notices: Vec<String>,
}
