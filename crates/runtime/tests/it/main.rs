//! The way of a call, with tools made for the purpose.

mod batches;
mod bench;
mod lists;
mod stopping;
mod tools;
