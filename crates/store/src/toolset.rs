//! Toolsets: frozen lists of tools, each a small JSON document under its id.
//!
//! They are files and not rows because they stand on the way of `toolpost tools`, which has no time to open a database.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use crate::{Result, Store, StoreError, StoreErrorKind, names, private};

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
                StoreErrorKind::Damaged,
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
        StoreErrorKind::Taken,
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

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    use serde_json::json;
    use tempfile::TempDir;

    use super::TOOLSETS_LIMIT;
    use crate::{Store, StoreErrorKind};

    #[test]
    fn a_toolset_comes_back_and_keeps_its_order() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        let toolset = json!({"tools": ["z", "a"], "b": 1, "a": null});
        assert_eq!(store.toolset("ts-1").unwrap(), None);
        store.put_toolset("ts-1", &toolset).unwrap();
        store.put_toolset("ts-1", &toolset).unwrap();
        let kept = Store::open(folder.path()).toolset("ts-1").unwrap().unwrap();
        assert_eq!(kept.to_string(), toolset.to_string());
        assert!(!folder.path().join("toolpost.db").exists());
    }

    #[test]
    fn an_id_stands_for_one_content() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        store.put_toolset("ts-1", &json!({"a": 1, "b": 2})).unwrap();
        store.put_toolset("ts-1", &json!({"b": 2, "a": 1})).unwrap();
        let err = store.put_toolset("ts-1", &json!([])).unwrap_err();
        assert_eq!(err.kind, StoreErrorKind::Taken);
        assert_eq!(
            store.toolset("ts-1").unwrap(),
            Some(json!({"a": 1, "b": 2}))
        );
    }

    #[test]
    fn a_torn_toolset_is_told_and_healed() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        store.put_toolset("ts-1", &json!({"a": 1})).unwrap();
        let path = folder.path().join("toolsets/ts-1.json");
        for torn in [&b""[..], b"{\"a\"", b"\xff\xfe"] {
            fs::write(&path, torn).unwrap();
            let err = store.toolset("ts-1").unwrap_err();
            assert_eq!(err.kind, StoreErrorKind::Damaged);
            assert!(err.fact.contains("toolsets/ts-1.json"), "{err}");
            store.put_toolset("ts-1", &json!({"a": 1})).unwrap();
            assert_eq!(store.toolset("ts-1").unwrap(), Some(json!({"a": 1})));
        }
    }

    #[test]
    fn a_bad_id_reaches_no_file() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("state"));
        fs::write(folder.path().join("x.json"), "{}").unwrap();
        for id in ["../../x", "", "A", "x.json", "/x"] {
            assert_eq!(store.toolset(id).unwrap_err().kind, StoreErrorKind::Name);
            let put = store.put_toolset(id, &json!({}));
            assert_eq!(put.unwrap_err().kind, StoreErrorKind::Name);
        }
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        let age = |id: &str, seconds: u64| {
            let path = folder.path().join(format!("toolsets/{id}.json"));
            let then = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            File::options()
                .write(true)
                .open(path)
                .unwrap()
                .set_modified(then)
                .unwrap();
        };
        store.put_toolset("old", &json!(1)).unwrap();
        store.put_toolset("used", &json!(2)).unwrap();
        for number in 2..TOOLSETS_LIMIT {
            fs::write(folder.path().join(format!("toolsets/n{number}.json")), "0").unwrap();
        }
        age("used", 1);
        age("old", 2);
        age("n2", 3);
        // What is put again counts as new, so `used` stays though it was the oldest.
        store.put_toolset("used", &json!(2)).unwrap();
        store.put_toolset("new", &json!(3)).unwrap();
        let left = fs::read_dir(folder.path().join("toolsets"))
            .unwrap()
            .count();
        assert_eq!(left, TOOLSETS_LIMIT);
        assert_eq!(store.toolset("old").unwrap(), None);
        assert_eq!(store.toolset("used").unwrap(), Some(json!(2)));
        assert_eq!(store.toolset("n2").unwrap(), Some(json!(0)));
        assert_eq!(store.toolset("new").unwrap(), Some(json!(3)));
    }
}
