//! What a command's environment holds.

use std::ffi::OsString;

/// Makes a command's environment of an inherited one.
#[must_use]
pub fn command_environment(
    inherited: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    inherited.collect()
}
