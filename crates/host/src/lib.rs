//! The machine: files, processes, search, the clock and the folders of a person's home.
//!
//! Everything that a tool does to the world goes through this crate, in plain values. It knows none of toolpost's other
//! words.
//!
//! **Invariant:** a function that changes anything outside this process takes a [`Permit`].
//! **Invariant:** bytes outside a change never change; a file is replaced whole or not at all.
//! **Invariant:** waiting ends with the process, not with its pipes.

mod hash;
mod permit;
mod sink;
mod stop;

pub use hash::ContentHash;
pub use permit::Permit;
pub use sink::Sink;
pub use stop::{Stop, Why};
