//! What the binary promises, from outside.

#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the tests start the binary, look at the disk, and fail at once when they cannot go on"
)]

mod bench;
mod coprocess;
mod demo;
mod replies;
mod sessions;
mod undo;
