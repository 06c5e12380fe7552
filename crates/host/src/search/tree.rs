//! A folder and what is below it.

use std::path::{Path, PathBuf};

use super::walk::{Filter, is_folder, walk};
use super::{Rules, SearchError};
use crate::read::require_folder;
use crate::{EntryKind, Fault, HostError, Stop};

/// An entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// Its path, absolute when the root was.
    pub path: PathBuf,
    /// How deep it lies; the root's own entries are at 1.
    pub depth: usize,
    /// What it is; links are not followed.
    pub kind: EntryKind,
    /// How many bytes it holds; 0 for all but files.
    pub size: u64,
    /// How many entries a folder at the last level has, hidden ones too; they are not in the list.
    pub children: Option<u64>,
}

/// Lists what is below a folder, by name, a folder's entries right after it. `depth` counts from 1, the root's own
/// entries; the rules' own depth counts too. When `stop` is raised it gives what it has.
pub fn tree(
    root: &Path,
    depth: usize,
    rules: &Rules,
    stop: &Stop,
) -> Result<Vec<TreeEntry>, HostError> {
    require_folder(root)?;
    let filter = Filter::new(root, rules).map_err(|err| match err {
        SearchError::Host(err) => err,
        SearchError::Pattern { message, .. } => HostError::new(Fault::Unsupported, root, message),
    })?;
    let deepest = rules.depth.map_or(depth, |other| other.min(depth));
    let mut builder = walk(root, rules, &filter);
    builder
        .max_depth(Some(deepest))
        .sort_by_file_name(std::ffi::OsStr::cmp);
    let entries = builder
        .build()
        .take_while(|_| stop.why().is_none())
        .filter_map(Result::ok)
        .filter(|entry| entry.depth() > 0)
        .filter(|entry| is_folder(entry) || filter.takes(entry.path()));
    Ok(entries.map(|entry| entry_of(&entry, deepest)).collect())
}

fn entry_of(entry: &ignore::DirEntry, deepest: usize) -> TreeEntry {
    let kind = entry.file_type().map_or(EntryKind::Other, EntryKind::of);
    let size = match kind {
        EntryKind::File => entry.metadata().map_or(0, |meta| meta.len()),
        _ => 0,
    };
    let is_last = kind == EntryKind::Folder && entry.depth() == deepest;
    let children = is_last
        .then(|| std::fs::read_dir(entry.path()).ok())
        .flatten()
        .map(|entries| entries.count() as u64);
    TreeEntry {
        path: entry.path().to_path_buf(),
        depth: entry.depth(),
        kind,
        size,
        children,
    }
}
