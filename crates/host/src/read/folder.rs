//! A folder's entries.

use std::path::{Path, PathBuf};

use crate::error::At;
use crate::{EntryKind, Fault, HostError, stat};

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name; bytes that are no UTF-8 are shown as replacement characters.
    pub name: String,
    /// Its path, exact.
    pub path: PathBuf,
    /// What it is; links are not followed.
    pub kind: EntryKind,
    /// How many bytes it holds; 0 for all but files.
    pub size: u64,
}

/// Lists a folder's entries by name, hidden ones too.
pub fn list_folder(path: &Path) -> Result<Vec<FolderEntry>, HostError> {
    require_folder(path)?;
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).at(path)? {
        let entry = entry.at(path)?;
        // An entry that vanishes between the two looks is not there.
        let Ok(meta) = entry.metadata() else { continue };
        let kind = EntryKind::of(meta.file_type());
        entries.push(FolderEntry {
            name: entry.file_name().to_string_lossy().into_owned(),
            path: entry.path(),
            kind,
            size: if kind == EntryKind::File {
                meta.len()
            } else {
                0
            },
        });
    }
    entries.sort_unstable_by(|a, b| a.path.file_name().cmp(&b.path.file_name()));
    Ok(entries)
}

/// Says what stands where a folder was meant.
pub(crate) fn require_folder(path: &Path) -> Result<(), HostError> {
    let kind = stat(path)?.kind;
    if kind == EntryKind::Folder {
        return Ok(());
    }
    let detail = format!("it is a {}, not a folder", kind.name());
    Err(HostError::new(Fault::NotAFolder, path, detail))
}
