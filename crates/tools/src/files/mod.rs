//! What the tools on files have in common.

pub(crate) mod diff;
pub(crate) mod fold;
pub(crate) mod lines;
pub(crate) mod nearest;
pub(crate) mod place;
pub(crate) mod sight;
