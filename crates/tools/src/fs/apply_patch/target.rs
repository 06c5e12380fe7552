//! The files that a patch names.

use std::path::{Component, Path, PathBuf};

use toolpost_core::{Claim, Look, ToolError};

use super::misses;
use super::patch::{Operation, Patch};
use crate::files::place;

/// Where an operation points to.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// The file, links followed.
    pub(super) path: PathBuf,
    /// What goes when it is deleted or moved: the file, or the link by which the patch names it.
    pub(super) entry: PathBuf,
    /// Where it moves to.
    pub(super) to: Option<PathBuf>,
}

impl Target {
    /// Finds the places of all operations. Two operations may share a path only where a file is deleted and then added.
    pub(super) fn of_all(patch: &Patch, look: &Look) -> Result<Vec<Self>, ToolError> {
        let mut targets: Vec<Self> = Vec::new();
        for (at, operation) in patch.operations.iter().enumerate() {
            let target = Self::of(operation, look)?;
            let earlier = targets.iter().position(|other| other.shares(&target));
            if let Some(earlier) = earlier
                && !replaces(patch, earlier, at)
            {
                return Err(misses::twice(operation.path()));
            }
            targets.push(target);
        }
        Ok(targets)
    }

    fn of(operation: &Operation, look: &Look) -> Result<Self, ToolError> {
        let path = place::resolve(look, operation.path())?;
        let stays = |path: PathBuf| Self {
            entry: path.clone(),
            path,
            to: None,
        };
        let to = match operation {
            Operation::Update { to: Some(to), .. } => to,
            Operation::Delete { .. } => {
                let entry = place::resolve_entry(look, operation.path())?;
                let to = None;
                return Ok(Self { path, entry, to });
            }
            Operation::Add { .. } | Operation::Update { .. } => return Ok(stays(path)),
        };
        let target = place::resolve(look, to)?;
        if target != path {
            return Ok(Self {
                path,
                entry: place::resolve_entry(look, operation.path())?,
                to: Some(target),
            });
        }
        // The same name is no move; another name for the same file is a link, and moving onto it would destroy it.
        if lexical(&look.cwd.join(operation.path())) == lexical(&look.cwd.join(to)) {
            return Ok(stays(path));
        }
        Err(misses::moves_onto_itself(operation.path(), to))
    }

    /// What it touches.
    pub(super) fn claims(&self) -> impl Iterator<Item = Claim> {
        self.places().map(Claim::entry)
    }

    /// The paths it names, each once.
    fn places(&self) -> impl Iterator<Item = &PathBuf> {
        let link = Some(&self.entry).filter(|entry| **entry != self.path);
        std::iter::once(&self.path).chain(link).chain(&self.to)
    }

    fn shares(&self, other: &Self) -> bool {
        let mut theirs = other.places();
        theirs.any(|path| self.places().any(|own| own == path))
    }
}

/// Whether the earlier operation deletes the file that the later one adds.
fn replaces(patch: &Patch, earlier: usize, later: usize) -> bool {
    let operation = |at: usize| patch.operations.get(at);
    let deletes = matches!(operation(earlier), Some(Operation::Delete { .. }));
    let adds = matches!(operation(later), Some(Operation::Add { .. }));
    let between = patch.operations.iter().take(later).skip(earlier + 1);
    let path = operation(later).map(Operation::path);
    deletes && adds && between.into_iter().all(|other| Some(other.path()) != path)
}

/// A path without `.` and `..`, as it is written.
fn lexical(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}
