//! Where a call points to, and what is there.

use std::path::{Path, PathBuf};

use toolpost_core::{Code, Look, ToolError};
use toolpost_host::{Fault, HostError};

use crate::fault::told;

/// The largest file that is changed as a whole, in bytes.
pub(crate) const WHOLE_LIMIT_BYTES: u64 = 64 << 20;

/// How many near names a hint gives.
const NEAR_NAMES: usize = 3;

/// Finds the place that a path of the arguments means: absolute, links resolved.
pub(crate) fn resolve(look: &Look, given: &str) -> Result<PathBuf, ToolError> {
    refuse_empty(given)?;
    toolpost_host::resolve(&look.cwd, given).map_err(|err| told(&err, given, "found"))
}

/// The same for what is removed or moved: a link that is named is meant itself.
pub(crate) fn resolve_entry(look: &Look, given: &str) -> Result<PathBuf, ToolError> {
    refuse_empty(given)?;
    toolpost_host::resolve_entry(&look.cwd, given).map_err(|err| told(&err, given, "found"))
}

fn refuse_empty(given: &str) -> Result<(), ToolError> {
    if !given.is_empty() {
        return Ok(());
    }
    Err(ToolError::new(Code::Invalid, "The path is empty.")
        .hint("Name a file, relative to the working directory or absolute."))
}

/// Words a fault at a place; where nothing is there, the hint names what may have been meant.
pub(crate) fn fault(err: &HostError, look: &Look, path: &Path, done: &str) -> ToolError {
    let error = told(err, &look.show(path), done);
    match err.fault {
        Fault::NotFound => error.hint(near(look, path)),
        Fault::NotAFile if is_folder(path) => {
            error.hint("List the folder with `search.list`, or name a file in it.")
        }
        _ => error,
    }
}

fn is_folder(path: &Path) -> bool {
    toolpost_host::stat(path).is_ok_and(|stat| stat.kind == toolpost_host::EntryKind::Folder)
}

/// What may have been meant by a path that leads nowhere.
fn near(look: &Look, path: &Path) -> String {
    let root = look.roots.first().unwrap_or(&look.cwd);
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let names: Vec<String> = toolpost_host::near_names(root, &wanted, NEAR_NAMES)
        .iter()
        .map(|name| format!("`{}`", look.show(name)))
        .collect();
    if names.is_empty() {
        return "Look for the file with `search.glob`.".to_owned();
    }
    format!("Was {} meant?", names.join(" or "))
}
