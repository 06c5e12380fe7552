//! Files, as a story finds and leaves them. It reads and writes by itself: what it tests must not be its witness.
#![expect(
    clippy::disallowed_methods,
    reason = "a test must not see files through the crate that it tests"
)]

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::story::Given;

/// A story's own place on disk: a workspace, and beside it a home and room for toolpost's state. Goes when it is
/// dropped.
#[derive(Debug)]
pub struct Place {
    root: PathBuf,
    _folder: TempDir,
}

impl Place {
    /// Makes a new, empty place.
    ///
    /// # Errors
    /// The system's.
    pub fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("story-").tempdir()?;
        let root = folder.path().canonicalize()?;
        let place = Self {
            root,
            _folder: folder,
        };
        for folder in [place.workspace(), place.home(), place.state()] {
            fs::create_dir(folder)?;
        }
        Ok(place)
    }

    /// The workspace, absolute, links resolved.
    #[must_use]
    pub fn workspace(&self) -> PathBuf {
        self.root.join("workspace")
    }

    /// A home folder.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The folder for toolpost's private state.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.root.join("state")
    }

    /// A file for what a program complains of.
    pub(crate) fn complaints(&self) -> PathBuf {
        self.root.join("complaints.txt")
    }

    /// Puts something at a path of the workspace.
    pub(crate) fn put(&self, path: &str, given: &Given) -> io::Result<()> {
        let path = self.workspace().join(path);
        match given {
            Given::Folder => fs::create_dir_all(path),
            Given::File(content) => {
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent)?;
                }
                fs::write(path, content)
            }
        }
    }

    /// The content of a file of the workspace.
    pub(crate) fn content(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.workspace().join(path))
    }

    /// Whether nothing is at a path of the workspace, not even a link.
    pub(crate) fn is_gone(&self, path: &str) -> bool {
        fs::symlink_metadata(self.workspace().join(path)).is_err()
    }
}

/// Opens a file for a program to write into.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    File::create(path)
}

/// The text of a file, whatever its bytes are; nothing where there is none.
pub(crate) fn text_or_nothing(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The text of a file.
pub(crate) fn text(path: &Path) -> io::Result<String> {
    fs::read_to_string(path)
}

/// A file that nobody else may read or write as long as this lives: others that ask for it wait.
pub(crate) struct Held(File);

impl Held {
    /// Waits for a file and holds it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        file.lock()?;
        Ok(Self(file))
    }

    pub(crate) fn text(&mut self) -> io::Result<String> {
        let mut text = String::new();
        self.0.rewind()?;
        self.0.read_to_string(&mut text)?;
        Ok(text)
    }

    pub(crate) fn write(&mut self, text: &str) -> io::Result<()> {
        self.0.rewind()?;
        self.0.set_len(0)?;
        self.0.write_all(text.as_bytes())
    }
}

/// Where stories are, and where they are missing.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    /// The Markdown files in `stories` folders, sorted.
    pub(crate) files: Vec<PathBuf>,
    /// The folders that should hold stories and do not: a tool's (it has a `card.md`), and `stories` folders.
    pub(crate) empty: Vec<PathBuf>,
}

impl Shelf {
    /// Looks through a folder and all below it.
    pub(crate) fn find(folder: &Path) -> io::Result<Self> {
        let mut shelf = Self::default();
        shelf.look(folder)?;
        Ok(shelf)
    }

    fn look(&mut self, folder: &Path) -> io::Result<()> {
        let entries = sorted(folder)?;
        let named = |name: &str| entries.iter().any(|entry| entry.ends_with(name));
        if folder.ends_with("stories") {
            let is_page = |path: &&PathBuf| path.extension().is_some_and(|end| end == "md");
            let before = self.files.len();
            self.files.extend(entries.iter().filter(is_page).cloned());
            if self.files.len() == before {
                self.empty.push(folder.to_owned());
            }
            return Ok(());
        }
        if named("card.md") && !named("stories") {
            self.empty.push(folder.to_owned());
        }
        let mut folders = entries.iter().filter(|entry| entry.is_dir());
        folders.try_for_each(|folder| self.look(folder))
    }
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
