//! What the session has seen of a file.

use std::path::Path;

use toolpost_core::{Code, Look, PriorRead, Sighting, ToolError};
use toolpost_host::ContentHash;

use super::opened::Opened;

/// How many lines have to be seen of a file that is not seen as a whole, before all of it may be overwritten: what a
/// search or a short look shows is too little.
const GLIMPSE_LINES: u64 = 100;

/// How well a session knows a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It has seen this very content, or a part of it.
    Fresh,
    /// It has seen no more than a few lines of this very content.
    Glimpsed,
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
        Seen::Glimpsed => (
            Code::Unread,
            format!("Only a few lines of `{shown}` have been read in this session."),
        ),
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

/// Looks up what a session knows of a content that is to be overwritten as a whole; a few lines of it are not enough.
pub(crate) fn of_all(look: &Look, path: &Path, hash: &ContentHash) -> Seen {
    let few = |sighting: Sighting| {
        sighting
            .lines
            .is_some_and(|(start, end)| end.saturating_sub(start) < GLIMPSE_LINES)
    };
    match of(look, path, hash) {
        Seen::Fresh if look.sight.of(path).is_some_and(few) => Seen::Glimpsed,
        seen => seen,
    }
}

/// What a session knows of a file that is to be changed, and what the settings make of it.
pub(crate) struct Glance {
    seen: Seen,
    /// The lines that were seen; `None` when all of them were.
    lines: Option<(u64, u64)>,
    setting: PriorRead,
    shown: String,
}

impl Glance {
    /// Looks at what is known of a file.
    pub(crate) fn of(look: &Look, path: &Path, file: &Opened) -> Self {
        Self {
            seen: of(look, path, &file.content.hash),
            lines: look.sight.of(path).and_then(|sighting| sighting.lines),
            setting: look.settings.prior_read,
            shown: file.shown.clone(),
        }
    }

    /// Refuses where every change needs sight and there is none.
    pub(crate) fn permits_at_all(&self) -> Result<(), ToolError> {
        match self.setting {
            PriorRead::Strict => self.known(),
            PriorRead::Evidence | PriorRead::Off => Ok(()),
        }
    }

    /// Refuses where a change that carries no evidence of its own needs sight and there is none.
    pub(crate) fn permits(&self) -> Result<(), ToolError> {
        match self.setting {
            PriorRead::Off => Ok(()),
            PriorRead::Evidence | PriorRead::Strict => self.known(),
        }
    }

    /// Refuses where these lines were not seen and have to be; `None` means that nothing in particular has to be.
    pub(crate) fn permits_lines(&self, wanted: Option<(u64, u64)>) -> Result<(), ToolError> {
        self.permits()?;
        let (Some((start, end)), Some((first, last))) = (wanted, self.lines) else {
            return Ok(());
        };
        if self.setting == PriorRead::Off || (first <= start && end <= last) {
            return Ok(());
        }
        let shown = &self.shown;
        let fact = format!(
            "The part of `{shown}` that is to be changed has not been read in this session."
        );
        Err(ToolError::new(Code::Unread, fact).hint(format!(
            "Read that part of `{shown}` with `fs.read`, then repeat the call."
        )))
    }

    fn known(&self) -> Result<(), ToolError> {
        missing(self.seen, &self.shown).map_or(Ok(()), Err)
    }
}

/// All of a content, seen.
pub(crate) fn whole(path: &Path, hash: ContentHash) -> Sighting {
    Sighting {
        path: path.to_path_buf(),
        hash,
        lines: None,
    }
}
