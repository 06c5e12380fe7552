//! Finding paths by name.

mod plan;

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use ignore::{DirEntry, WalkState};

use super::walk::{Filter, is_folder, walk};
use super::{Rules, SearchError};
use crate::read::require_folder;
use crate::{EntryKind, Stop};

use plan::Plan;
pub use plan::glob_root;

/// A path that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPath {
    /// The path, absolute when the root was.
    pub path: PathBuf,
    /// When it was changed.
    pub modified: Option<SystemTime>,
    /// What it is; links are not followed.
    pub kind: EntryKind,
}

/// Finds what a glob names below a folder: files, links and the like, no folders; the most recently changed first, then
/// by path. When `stop` is raised it gives what it has.
///
/// `*` does not match a slash, `**` does, braces hold alternatives. A pattern without a slash counts at any depth. A
/// pattern that is the path of something that is there means that, brackets and all. A pattern with a part that begins
/// with a dot finds hidden files. A pattern that leads out of the folder is refused: [`glob_root`] says where it leads.
pub fn glob(
    root: &Path,
    pattern: &str,
    rules: &Rules,
    stop: &Stop,
) -> Result<Vec<FoundPath>, SearchError> {
    require_folder(root)?;
    if let Some(found) = literal(root, pattern)? {
        return Ok(vec![found]);
    }
    let plan = Plan::new(root, pattern, rules)?;
    if !plan.start.is_dir() {
        return Ok(Vec::new());
    }
    let filter = Filter::new(root, rules)?;
    let found = Mutex::new(Vec::new());
    let walker = walk(&plan.start, &plan.rules, &filter).build_parallel();
    walker.run(|| {
        Box::new(|entry| {
            if stop.why().is_some() {
                return WalkState::Quit;
            }
            if let Ok(entry) = entry
                && plan.names(&entry)
                && filter.takes(entry.path())
            {
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.push(found_of(&entry));
            }
            WalkState::Continue
        })
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by(|a, b| {
        (Reverse(a.modified), &a.path).cmp(&(Reverse(b.modified), &b.path))
    });
    Ok(found)
}

/// What is there under a pattern's very text. A folder is meant only by a text that would else be taken for a pattern.
fn literal(root: &Path, pattern: &str) -> Result<Option<FoundPath>, SearchError> {
    let path = root.join(pattern);
    let Ok(meta) = std::fs::symlink_metadata(&path) else {
        return Ok(None);
    };
    let kind = EntryKind::of(meta.file_type());
    if kind == EntryKind::Folder && !plan::has_signs(pattern) {
        return Ok(None);
    }
    plan::require_inside(root, path.parent().unwrap_or(root))?;
    Ok(Some(FoundPath {
        modified: meta.modified().ok(),
        path,
        kind,
    }))
}

impl Plan {
    fn names(&self, entry: &DirEntry) -> bool {
        let below = entry.path().strip_prefix(&self.start);
        !is_folder(entry) && below.is_ok_and(|below| self.matcher.is_match(below))
    }
}

fn found_of(entry: &DirEntry) -> FoundPath {
    let modified = entry.metadata().ok().and_then(|meta| meta.modified().ok());
    FoundPath {
        path: entry.path().to_path_buf(),
        modified,
        kind: entry.file_type().map_or(EntryKind::Other, EntryKind::of),
    }
}
