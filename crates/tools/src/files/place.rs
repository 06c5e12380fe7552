//! Where a call points to, and what is there.

use std::path::{Path, PathBuf};

use toolpost_core::{Code, Look, ToolError};
use toolpost_host::{Fault, HostError};

use crate::fault::told;

/// The largest file that is changed as a whole, in bytes.
pub(crate) const WHOLE_LIMIT_BYTES: u64 = 64 << 20;

/// How many near names a hint gives.
const NEAR_NAMES: usize = 3;

/// Refuses text with a NUL character, which would make of a text file one that is none.
pub(crate) fn refuse_nul(name: &str, text: &str) -> Result<(), ToolError> {
    let Some(place) = text.find('\0') else {
        return Ok(());
    };
    let line = super::lines::number_at(text, place);
    let fact =
        format!("`{name}` has a NUL character in its line {line}, so the file would be no text.");
    Err(ToolError::new(Code::Invalid, fact)
        .hint("Leave the character out; binary files can be made with `shell.run`."))
}

/// Finds the place that a path of the arguments means: absolute, links resolved.
pub(crate) fn resolve(look: &Look, given: &str) -> Result<PathBuf, ToolError> {
    refuse_foreign(given)?;
    toolpost_host::resolve(&look.cwd, given).map_err(|err| told(&err, given, "found"))
}

/// The same for what is removed or moved: a link that is named is meant itself.
pub(crate) fn resolve_entry(look: &Look, given: &str) -> Result<PathBuf, ToolError> {
    refuse_foreign(given)?;
    toolpost_host::resolve_entry(&look.cwd, given).map_err(|err| told(&err, given, "found"))
}

/// Refuses what is no path here, so that no folder is made of it.
fn refuse_foreign(given: &str) -> Result<(), ToolError> {
    let (fact, hint) = if given.is_empty() {
        (
            "The path is empty.".to_owned(),
            "Name a file, relative to the working directory or absolute.".to_owned(),
        )
    } else if let Some(path) = given.strip_prefix("file://") {
        (
            format!("`{given}` is an address and no path."),
            format!("Give the path alone: `{path}`."),
        )
    } else if given == "~" || given.starts_with("~/") {
        (
            format!("`{given}` is no path here: `~` stands for no folder."),
            format!(
                "Give the path absolute, or relative to the working directory (`./{given}` is a name that begins with `~`)."
            ),
        )
    } else {
        return Ok(());
    };
    Err(ToolError::new(Code::Invalid, fact).hint(hint))
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
