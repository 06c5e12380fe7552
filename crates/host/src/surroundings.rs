//! What this process was started with. Only a program's entry asks; everybody else is told.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::HostError;
use crate::error::At;

/// The environment variables that this process was started with.
#[must_use]
pub fn environment() -> Vec<(OsString, OsString)> {
    std::env::vars_os().collect()
}

/// The folder that this process was started in.
pub fn current_dir() -> Result<PathBuf, HostError> {
    std::env::current_dir().at(Path::new("."))
}
