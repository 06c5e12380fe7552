//! The commands, one module each.

pub(crate) mod call;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod log;
pub(crate) mod run;
pub(crate) mod tools;
pub(crate) mod try_stage;
pub(crate) mod undo;
