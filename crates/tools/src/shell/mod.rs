//! Tools that run commands.

pub(crate) mod run;
