//! What a story is made of.

use std::fmt;

use serde_json::{Map, Value};
use toolpost::core::Code;
use toolpost::{Config, Dialect, Mode, Status};

use crate::fence::{Fence, Site};

/// A promise: what there is, what is called, what comes of it.
#[derive(Debug, Clone)]
pub struct Story {
    /// The file that it stands in, as messages name it.
    pub file: String,
    /// Its heading, unique in the file.
    pub heading: String,
    /// The heading's line, from 1.
    pub line: usize,
    /// What its session may do.
    pub policy: Policy,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// What a session may do, in the terms of the command line.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The mode; `headless` where a story says nothing.
    pub mode: Mode,
    /// Settings as `-c` takes them: `key=value`, each of them sound.
    pub settings: Vec<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            mode: Mode::Headless,
            settings: Vec::new(),
        }
    }
}

impl Policy {
    /// The settings as the library takes them.
    #[must_use]
    pub fn config(&self) -> Config {
        let mut config = Config::default();
        for setting in &self.settings {
            // Each was tried when the story was read.
            let _ = config.add_flag(setting);
        }
        config
    }
}

/// What happens next.
#[derive(Debug, Clone)]
pub enum Step {
    /// Something is put into the workspace.
    Given {
        /// Where.
        path: String,
        /// What.
        given: Given,
        /// The block's line.
        line: usize,
    },
    /// Calls are made and answered.
    Batch(Batch),
    /// A file has a content.
    Then {
        /// The file.
        path: String,
        /// Its content.
        content: Vec<u8>,
        /// The block that says so.
        block: Block,
    },
    /// Nothing is there any more.
    Gone {
        /// Where.
        path: String,
        /// The block's line.
        line: usize,
    },
}

/// What is put into the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// A file with this content.
    File(Vec<u8>),
    /// A folder.
    Folder,
}

/// The calls of one reply of a model, and how they are answered.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The family whose names are used.
    pub dialect: Dialect,
    /// The calls.
    pub calls: Vec<Call>,
    /// The line of the first block about a question, if there is one.
    pub asks: Option<usize>,
    /// What comes of each, in the same order.
    pub replies: Vec<Expected>,
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The tool's name.
    pub name: String,
    /// The arguments.
    pub args: Args,
    /// The block's line.
    pub line: usize,
}

/// The arguments of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Args {
    /// A JSON object.
    Json(Map<String, Value>),
    /// Text that is none, as a model may write it.
    Raw(String),
    /// The bare text of a free-form tool.
    Free(String),
}

/// What comes of a call.
#[derive(Debug, Clone)]
pub struct Expected {
    /// How it ends.
    pub ending: Ending,
    /// What the model reads.
    pub text: Block,
    /// What the state must contain.
    pub state: Option<State>,
    /// What a person sees.
    pub view: Option<Block>,
}

/// What a reply's state must contain.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The values; what is not named is free.
    pub values: Map<String, Value>,
    /// The block's line.
    pub line: usize,
}

/// How a call ends: its status, and the code where it is not called like the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    status: Status,
    code: Option<Code>,
}

impl Ending {
    /// Makes an ending.
    #[must_use]
    pub fn new(status: Status, code: Option<Code>) -> Self {
        let code = code.filter(|code| code.name() != status.name());
        Self { status, code }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.status.name())?;
        self.code
            .map_or(Ok(()), |code| write!(out, " {}", code.name()))
    }
}

/// A fenced text that may grow stale.
#[derive(Debug, Clone)]
pub struct Block {
    /// The line where it opens, from 1.
    pub line: usize,
    /// The lines between the fences, each with its line break.
    pub text: String,
    pub(crate) site: Site,
}

impl From<Fence> for Block {
    fn from(fence: Fence) -> Self {
        Self {
            line: fence.line,
            text: fence.body,
            site: fence.site,
        }
    }
}
