//! A file of stories: found, read, and brought up to date.

use std::path::{Path, PathBuf};

use crate::disk::{self, Held, Shelf};
use crate::door::Door;
use crate::edit::{Edit, apply};
use crate::parse::parse;
use crate::run::play;
use crate::story::Story;

/// A file of stories.
#[derive(Debug, Clone)]
pub struct Book {
    /// The file, as messages name it.
    pub name: String,
    /// Its stories, in order; at least one.
    pub stories: Vec<Story>,
    path: PathBuf,
}

/// Stories that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fact}")]
pub struct BookError {
    /// The file or folder, as messages name it.
    pub name: String,
    /// What is wrong, with its place.
    pub fact: String,
}

impl BookError {
    fn new(name: &str, err: impl std::fmt::Display) -> Self {
        Self {
            name: name.to_owned(),
            fact: format!("{name}: {err}"),
        }
    }
}

/// Finds the files in all folders called `stories` below a folder. Messages name them from `base` on.
///
/// What cannot be read, and a tool's folder without stories, stands in the list as an error: it is to fail a test.
#[must_use]
pub fn books(folder: &Path, base: &Path) -> Vec<Result<Book, BookError>> {
    let name = |path: &Path| {
        path.strip_prefix(base)
            .unwrap_or(path)
            .display()
            .to_string()
    };
    let Shelf { files, empty } = match Shelf::find(folder) {
        Ok(shelf) => shelf,
        Err(err) => return vec![Err(BookError::new(&name(folder), err))],
    };
    let without = |path: PathBuf| Err(BookError::new(&name(&path), "There is no story in it."));
    let mut books: Vec<_> = files
        .iter()
        .map(|path| Book::open(path, &name(path)))
        .collect();
    books.extend(empty.into_iter().map(without));
    if books.is_empty() {
        books.push(without(folder.to_owned()));
    }
    books
}

impl Book {
    /// Reads a file. Messages name it as told.
    ///
    /// # Errors
    /// It cannot be read, or it is not understood.
    pub fn open(path: &Path, name: &str) -> Result<Self, BookError> {
        let text = disk::text(path).map_err(|err| BookError::new(name, err))?;
        Self::read(path, name, &text)
    }

    fn read(path: &Path, name: &str, text: &str) -> Result<Self, BookError> {
        let stories = parse(name, text).map_err(|err| BookError {
            name: name.to_owned(),
            fact: err.to_string(),
        })?;
        Ok(Self {
            name: name.to_owned(),
            stories,
            path: path.to_owned(),
        })
    }

    /// Runs the wanted stories and writes what came into their stale `reply`, `view` and `then` blocks. Nothing else
    /// of the file changes; a file without stale blocks is not written.
    ///
    /// # Errors
    /// The file cannot be read or written, or is not understood.
    pub fn refresh(
        self,
        door: &dyn Door,
        wanted: &dyn Fn(&Story) -> bool,
    ) -> Result<Self, BookError> {
        let failed = |err| BookError::new(&self.name, err);
        let mut held = Held::open(&self.path).map_err(failed)?;
        let text = held.text().map_err(failed)?;
        let now = Self::read(&self.path, &self.name, &text)?;
        let stories = now.stories.iter().filter(|story| wanted(story));
        let differences = stories.flat_map(|story| play(story, door));
        let edits: Vec<Edit> = differences.flat_map(|found| found.edits).collect();
        if edits.is_empty() {
            return Ok(now);
        }
        let text = apply(&text, edits);
        held.write(&text).map_err(failed)?;
        Self::read(&self.path, &self.name, &text)
    }
}

#[cfg(test)]
mod tests;
