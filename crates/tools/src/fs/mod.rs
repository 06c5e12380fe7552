//! Tools on files.

pub(crate) mod apply_patch;
pub(crate) mod diff;
pub(crate) mod edit;
pub(crate) mod fold;
pub(crate) mod lines;
pub(crate) mod nearest;
pub(crate) mod place;
pub(crate) mod read;
pub(crate) mod sight;
pub(crate) mod write;
