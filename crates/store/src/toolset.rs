//! Toolsets: frozen lists of tools, each a small JSON document under its id.
//!
//! They are files and not rows because they stand on the way of `toolpost tools`, which has no time to open a database.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use crate::{Kind, Result, Store, StoreError, names, private};

const FOLDER: &str = "toolsets";
/// How many toolsets are kept; the oldest go first.
const TOOLSETS_LIMIT: usize = 1_000;

impl Store {
    /// Keeps a toolset under its id.
    ///
    /// An id stands for its content: one that is there with the same content stays and counts as new again, one with
    /// another content is an error, and one that cannot be read is written anew.
    pub fn put_toolset(&self, id: &str, toolset: &Value) -> Result<()> {
        names::toolset(id)?;
        let folder = self.folder(FOLDER)?;
        let path = path_of(&folder, id);
        let content = serde_json::to_vec(toolset).map_err(|err| {
            StoreError::damaged_record(&format!("The toolset `{id}`")).because(err)
        })?;
        match fs::read(&path) {
            Ok(kept) if kept == content => return refresh(&path),
            Ok(kept) => match serde_json::from_slice::<Value>(&kept) {
                Ok(kept) if kept == *toolset => return refresh(&path),
                Ok(_) => return Err(taken(id)),
                Err(_) => {}
            },
            Err(err) if err.kind() == io::ErrorKind::NotFound => {}
            Err(err) => return Err(StoreError::io("read", &path, err)),
        }
        private::replace(&path, &content)?;
        private::keep_newest(&folder, TOOLSETS_LIMIT, &path)
    }

    /// Gives the toolset that is kept under an id; `None` when there is none.
    pub fn toolset(&self, id: &str) -> Result<Option<Value>> {
        names::toolset(id)?;
        let path = path_of(&self.root().join(FOLDER), id);
        let content = match fs::read(&path) {
            Ok(content) => content,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(err) => return Err(StoreError::io("read", &path, err)),
        };
        let toolset = serde_json::from_slice(&content).map_err(|err| {
            StoreError::new(
                Kind::Damaged,
                format!("The toolset in `{}` cannot be read: {err}.", path.display()),
                "Ask for the list of tools again; that writes the file anew.",
            )
            .because(err)
        })?;
        Ok(Some(toolset))
    }
}

fn path_of(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

fn taken(id: &str) -> StoreError {
    StoreError::new(
        Kind::Taken,
        format!("Another toolset is kept under the id `{id}`."),
        "Make the id out of the toolset's content.",
    )
}

/// Makes a file count as new again, so that what is in use is not what goes first.
fn refresh(path: &Path) -> Result<()> {
    let touched = File::options()
        .write(true)
        .open(path)
        .and_then(|file| file.set_modified(SystemTime::now()));
    match touched {
        Err(err) if err.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("refresh", path, err))
        }
        _ => Ok(()),
    }
}
