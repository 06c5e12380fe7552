//! What the session has seen of a file.

use std::path::Path;

use toolpost_core::{Code, Look, Sighting, ToolError};
use toolpost_host::ContentHash;

/// How well a session knows a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It has seen this very content, or a part of it.
    Fresh,
    /// It has seen another content at this place.
    Stale,
    /// It has seen nothing at this place.
    Never,
}

/// Looks up what a session knows of a content.
pub(crate) fn of(look: &Look, path: &Path, hash: &ContentHash) -> Seen {
    match look.sight.of(path) {
        Some(sighting) if sighting.hash == *hash => Seen::Fresh,
        Some(_) => Seen::Stale,
        None => Seen::Never,
    }
}

/// The refusal to change what was not seen; `None` when it was.
pub(crate) fn missing(seen: Seen, shown: &str) -> Option<ToolError> {
    let (code, fact) = match seen {
        Seen::Fresh => return None,
        Seen::Stale => (
            Code::Stale,
            format!("`{shown}` has changed since it was read."),
        ),
        Seen::Never => (
            Code::Unread,
            format!("`{shown}` has not been read in this session."),
        ),
    };
    let hint = format!("Read `{shown}` with `fs.read`, then repeat the call.");
    Some(ToolError::new(code, fact).hint(hint))
}

/// All of a content, seen.
pub(crate) fn whole(path: &Path, hash: ContentHash) -> Sighting {
    Sighting {
        path: path.to_path_buf(),
        hash,
        lines: None,
    }
}
