//! Stories: what a tool promises, as Markdown that runs.
//!
//! A story is a heading and what stands below it. Prose is free; fences do the work. Each is named by its first word:
//!
//! | fence | means |
//! | --- | --- |
//! | `given PATH` · `given PATH base64` | a file with exactly this content; in base64 where Markdown cannot hold it |
//! | `given empty PATH` · `given dir PATH` | an empty file · a folder |
//! | `policy` | lines `key = value`: `mode`, `prior_read`, or a configuration key |
//! | `call NAME [as DIALECT] [free]` | a call with these arguments; what is no JSON object goes out as raw text; `free` for a free-form tool |
//! | `asks` · `answer` | a question and what a person says to it: read, not run yet |
//! | `reply STATUS [CODE]` | how the call ends, and the text that the model reads |
//! | `state` | JSON that must be contained in the reply's state |
//! | `view` | what a person sees, as plain text |
//! | `then PATH` · `then PATH base64` | the content that the file has by now |
//! | `gone PATH` | that nothing is there any more |
//!
//! Calls without a reply between them are one batch; their replies follow in order. A session lives as long as its
//! story. A code may be left out where it is called like its status. A `reply` block holds the text and one line break
//! after it; `given` and `then` hold files to the byte.
//!
//! `[WORKSPACE]` stands for the workspace's path, in arguments too; what lies beside it is `[WORKSPACE]/..`. `[ID]`,
//! `[MS]`, `[PID]`, `[SECONDS]` and `[SPILL]` stand for what is never the same twice, in replies, views and states.
//!
//! Stories run through a [`Door`]: [`InProcess`] through the library, [`Binary`] through the program.
//!
//! **Invariant:** whatever is not understood is an error with its line; a story never checks less than it says.
//! **Invariant:** files of stories are written in [`Book::refresh`] alone, and only what is stale in them changes.

mod binary;
mod book;
mod compare;
mod disk;
mod door;
mod edit;
#[cfg(test)]
mod fake;
mod fence;
mod inside;
mod mismatch;
mod parse;
mod run;
mod story;
mod vary;
mod words;

pub use binary::Binary;
pub use book::{Book, BookError, books};
pub use disk::Place;
pub use door::{Door, DoorError, Replied, Visit};
pub use inside::InProcess;
pub use mismatch::{Difference, Mismatch};
pub use parse::{ParseError, parse};
pub use run::run;
pub use story::{Args, Batch, Block, Call, Ending, Expected, Given, Policy, State, Step, Story};
