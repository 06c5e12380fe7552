//! What the tools on files have in common.

pub(crate) mod diff;
pub(crate) mod escapes;
pub(crate) mod fold;
pub(crate) mod indents;
pub(crate) mod json;
pub(crate) mod layers;
pub(crate) mod lines;
pub(crate) mod matching;
pub(crate) mod misses;
pub(crate) mod nearest;
pub(crate) mod notebook;
pub(crate) mod opened;
pub(crate) mod place;
pub(crate) mod replacing;
pub(crate) mod sight;
pub(crate) mod snippet;
pub(crate) mod splicing;
