//! Decides what a planned call may do: effects and a mode in, a verdict with its reason out.
//!
//! **Invariant:** pure. No clock, no disk, no network; the same question has the same answer.
//! **Invariant:** silence never means yes: whatever no line below allows, asks.

mod decide;
mod mode;

pub use decide::{Question, Verdict, decide};
pub use mode::Mode;
