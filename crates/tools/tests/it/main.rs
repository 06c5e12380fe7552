//! The tools as the runtime sees them: through the catalogue, in a folder of their own.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests set the stage with plain files, and fail by panicking"
)]

mod answers;
mod bench;
mod edits;
mod faces;
mod files;
mod multi_edits;
mod notebooks;
mod patches;
mod reads;
mod searches;
mod shells;
