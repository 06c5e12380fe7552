//! The providers' message formats, in and out.
//!
//! [`read`] takes a model's reply as its provider hands it over – whole, in part, or as an event stream – and finds the
//! calls in it. [`write()`] says what to append to the conversation for the answers. [`lower`] makes the list of tools that
//! goes out with a request. [`arguments::decode`] turns what a model wrote into arguments that a schema takes.
//!
//! **Invariant:** pure; bytes and values in, values out, no I/O, no clock, no global.
//! **Invariant:** nothing is guessed: what could not be read never becomes an empty object, and each mend is listed.
//! **Invariant:** a reply that was cut off marks every call in it as cut off.
//! **Invariant:** one bad tool never spoils a list; it is mended or left out, and either is told.

#![allow(
    clippy::result_large_err,
    reason = "core's error carries what a model needs to go on, and is made at most once a call"
)]

mod anthropic;
pub mod arguments;
mod document;
mod gemini;
mod lower;
mod mcp;
mod openai_chat;
mod openai_responses;
pub mod plain;
mod reader;
mod sse;
pub mod try_stages;
mod turn;
mod wire;

pub use lower::{Listed, Lowered, gemini_parameters, lower, wire_name};
pub use turn::{SYNTHETIC_ID, Turn, WireError};
pub use wire::{Wire, read, write};
