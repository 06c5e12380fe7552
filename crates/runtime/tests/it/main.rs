//! The way of a call, with tools made for the purpose.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on is to fail at once"
)]

mod batches;
mod bench;
mod lists;
mod stopping;
mod tools;
