//! The gate through which everything goes back: cut, spill, budgets. Redaction will have its place here; there is none yet.
//!
//! **Invariant:** only this crate seals ([`toolpost_core::Bounded`]); what leaves is bounded, and says what was left out.
//! **Invariant:** what is cut stays reachable: the whole text lies in the store under an id.
//! **Invariant:** pure but for the store it is given.

mod batch;
mod bound;
mod capture;
mod cut;
mod gate;
mod limits;
mod live;

pub use batch::Draft;
pub use capture::Recorder;
pub use gate::{Gate, Made, Outcome};
pub use limits::Limits;
pub use live::Live;
