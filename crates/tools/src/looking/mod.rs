//! What the tools that look for files and for text have in common.

pub(crate) mod page;

use std::path::{Path, PathBuf};

use toolpost_core::{Code, Look, ToolError};
use toolpost_host::{Hidden, Ignored, SearchError};

use crate::files::place;

/// The place where a search begins; the working directory unless said otherwise.
pub(crate) fn root(look: &Look, given: Option<&str>) -> Result<PathBuf, ToolError> {
    match given.filter(|given| !given.is_empty()) {
        Some(given) => place::resolve(look, given),
        None => Ok(look.cwd.clone()),
    }
}

/// A name on one line: a line break in it is shown as an escape, so that no name looks like two.
pub(crate) fn one_line(name: String) -> String {
    if !name.contains(['\n', '\r']) {
        return name;
    }
    name.replace('\n', "\\n").replace('\r', "\\r")
}

/// Words why a search could not be done.
pub(crate) fn fault(err: &SearchError, look: &Look, root: &Path) -> ToolError {
    match err {
        SearchError::Pattern { message, offset } => {
            let message = message.trim().trim_end_matches('.');
            let place = offset.map(|offset| format!(" (at byte {offset})"));
            let fact = format!(
                "The pattern cannot be read{}: {message}.",
                place.unwrap_or_default()
            );
            ToolError::new(Code::Parse, fact)
                .hint("Escape special characters with a backslash, or look for the literal text.")
        }
        SearchError::Host(err) => place::fault(err, look, root, "searched"),
    }
}

/// Globs that keep a search out of toolpost's own places.
pub(crate) fn without_own(look: &Look, root: &Path) -> Vec<String> {
    let below = look
        .own_places
        .iter()
        .filter_map(|place| place.strip_prefix(root).ok());
    let glob = |path: &Path| format!("!/{}", globset_escape(&path.to_string_lossy()));
    below
        .filter(|path| !path.as_os_str().is_empty())
        .map(glob)
        .collect()
}

/// A name in which nothing is a wildcard.
fn globset_escape(name: &str) -> String {
    let escaped = |char: char| match char {
        '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!' => format!("\\{char}"),
        _ => char.to_string(),
    };
    name.chars().map(escaped).collect()
}

pub(crate) fn hidden(shown: bool) -> Hidden {
    if shown { Hidden::Show } else { Hidden::Skip }
}

pub(crate) fn ignored(shown: bool) -> Ignored {
    if shown { Ignored::Show } else { Ignored::Skip }
}
