//! What the session has seen of a file.

use std::path::Path;

use toolpost_core::{Code, Look, PriorRead, Sighting, ToolError};
use toolpost_host::{ContentHash, Splice};

use super::lines;
use super::opened::Opened;
use super::snippet::Snippet;

/// How many lines around a change its answer shows at the least.
const SHOWN_AROUND: u64 = 3;

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

/// The refusal to overwrite a content of so many lines as a whole; `None` when all of it was seen.
pub(crate) fn missing_of_all(
    look: &Look,
    (path, shown): (&Path, &str),
    hash: &ContentHash,
    total: u64,
) -> Option<ToolError> {
    if let Some(error) = missing(of(look, path, hash), shown) {
        return Some(error);
    }
    let (first, last) = look.sight.of(path)?.lines?;
    let mut parts = Vec::new();
    if first > 0 {
        parts.push(format!("offset=1 and limit={first}"));
    }
    if last < total {
        parts.push(format!("offset={}", last + 1));
    }
    if parts.is_empty() {
        return None;
    }
    let fact = if first + 1 < last {
        format!(
            "Only lines {}–{last} of the {total} of `{shown}` have been read in this session.",
            first + 1
        )
    } else {
        format!("Hardly any of the {total} lines of `{shown}` has been read in this session.")
    };
    let hint = format!(
        "Read the rest of `{shown}` with `fs.read`, {}, then repeat the call; or change a part of it with `fs.edit`.",
        parts.join(", and ")
    );
    Some(ToolError::new(Code::Unread, fact).hint(hint))
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
        Self::at(look, path, &file.content.hash, &file.shown)
    }

    /// The same by a content's hash.
    pub(crate) fn at(look: &Look, path: &Path, hash: &ContentHash, shown: &str) -> Self {
        Self {
            seen: of(look, path, hash),
            lines: look.sight.of(path).and_then(|sighting| sighting.lines),
            setting: look.settings.prior_read,
            shown: shown.to_owned(),
        }
    }

    /// The lines that are known once changes are made; `None` when all are. They are all where all were known, the
    /// part that was known where it holds the changes, and else what the first change's answer shows.
    pub(crate) fn once_changed(
        &self,
        before: &str,
        after: &str,
        splices: &[Splice],
    ) -> Option<(u64, u64)> {
        let count = |text| u64::try_from(lines::of(text).len()).unwrap_or(u64::MAX);
        let (total, now) = (count(before), count(after));
        let known = self.lines.unwrap_or((0, total));
        if self.seen == Seen::Fresh && known.0 == 0 && known.1 >= total {
            return None;
        }
        let (Some(first), Some(last)) = (splices.first(), splices.last()) else {
            return Some((0, 0));
        };
        let begins = lines::number_at(before, first.range.start);
        let ends = lines::number_at(before, last.range.end);
        if self.seen == Seen::Fresh && known.0 < begins && ends <= known.1 {
            return Some((known.0, (known.1 + now).saturating_sub(total)));
        }
        let start = first.range.start;
        let shown = Snippet::around(after, start..start + first.with.len());
        Some(shown.seen(SHOWN_AROUND))
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

/// So much of a content, seen; `None` is all of it.
pub(crate) fn of_lines(path: &Path, hash: ContentHash, lines: Option<(u64, u64)>) -> Sighting {
    Sighting {
        lines,
        ..whole(path, hash)
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
