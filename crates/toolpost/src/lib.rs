//! The tool runtime of AI agents, as a library.
//!
//! A model asks for tools; toolpost does what it asked for on this machine, and gives back what to append to the
//! conversation: every call answered once, bounded, in the provider's own format. [`Toolpost`] puts the rooms together.
//!
//! # An own tool beside the built-in ones
//!
//! The crate is used by its path or its repository; beside it the example needs `serde` with `derive`, `serde_json`,
//! `schemars` 1, `tempfile`, and `tokio` with `macros` and `rt-multi-thread`.
//!
//! ```
//! use serde::Deserialize;
//! use serde_json::json;
//! use toolpost::core::{About, Effects, Hints, Kind, Look, Plan, Planned, Tool, ToolError, Cx};
//! use toolpost::{Controls, Dialect, Mode, ModelReply, Selection, SessionSpec, Toolpost, Wire};
//!
//! /// Counts the words of a text.
//! struct CountWords;
//!
//! #[derive(Deserialize, schemars::JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct Input {
//!     /// The text.
//!     text: String,
//! }
//!
//! impl Tool for CountWords {
//!     type Input = Input;
//!     type Ready = String;
//!     type Output = String;
//!     const ABOUT: About<'static> = About {
//!         kind: Kind::Read,
//!         hints: Hints::LOOKS,
//!         ..About::new("text.count", "Counts the words of a text.")
//!     };
//!
//!     async fn plan(&self, input: Input, _: &Look) -> Result<Planned<String>, ToolError> {
//!         let title = "Count words".to_owned();
//!         Ok(Planned::Ready(Plan { title, effects: Effects::NOTHING, ..Plan::default() }, input.text))
//!     }
//!
//!     async fn run(&self, text: String, _: &Cx) -> Result<String, ToolError> {
//!         Ok(format!("{} words", text.split_whitespace().count()))
//!     }
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let (state, project) = (tempfile::tempdir()?, tempfile::tempdir()?);
//!     let toolpost = Toolpost::builder(state.path()).tool(CountWords).build();
//!     let toolset = toolpost.toolset(&Selection::usual(Dialect::PLAIN))?;
//!     let list = toolpost.list(&toolset, Wire::Anthropic); // goes out with the request
//!     assert!(list.tools.to_string().contains("text_count"));
//!
//!     // What came back from the model:
//!     let reply = json!({"role": "assistant", "stop_reason": "tool_use", "content": [
//!         {"type": "tool_use", "id": "tu_1", "name": "text_count", "input": {"text": "one two three"}},
//!     ]});
//!     let session = toolpost.session(SessionSpec::new(project.path(), Mode::Manual))?;
//!     let document = reply.to_string();
//!     let reply = ModelReply { wire: Wire::Anthropic, document: document.as_bytes() };
//!     let answered = toolpost.answer(&session, &toolset, reply, &Controls::new()).await?;
//!     let append = answered.append.expect("there was a call"); // the user message to append
//!     assert_eq!(append["content"][0]["tool_use_id"], "tu_1");
//!     assert!(append.to_string().contains("3 words"));
//!     Ok(())
//! }
//! ```
//!
//! **Invariant:** this crate only puts rooms together; what a call goes through stands in `toolpost-runtime`.

mod answer;
mod builder;
mod config;
mod list;

pub use toolpost_core as core;
pub use toolpost_govern as govern;
pub use toolpost_host as host;
pub use toolpost_store as store;
pub use toolpost_tools as tools;
pub use toolpost_view as view;
pub use toolpost_wire as wire;

pub use answer::{Answered, ModelReply};
pub use builder::{Builder, Toolpost};
pub use config::{Config, ConfigError};
pub use list::Listing;
pub use toolpost_core::{Dialect, Reply, Status};
pub use toolpost_policy::Mode;
pub use toolpost_runtime::{
    Answer, Catalogue, Controls, Entry, Left, Order, Restoring, Runtime, Selection, SelectionError,
    Session, SessionError, SessionSpec, ThawError, Toolset, UndoError, Wanted,
};
pub use toolpost_wire::{Wire, WireError};
