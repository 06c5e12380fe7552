//! What a call will touch: the keystone of policy, sandbox, lanes and views.

use std::path::{Path, PathBuf};

/// A place on disk that a call touches. The path is absolute, links resolved, spelling normalised.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The place.
    pub path: PathBuf,
    /// Whether all below it is meant too.
    pub reach: Reach,
}

/// How far a claim reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// This one entry.
    Entry,
    /// The entry and all below it.
    Tree,
}

impl Claim {
    /// Claims one entry.
    #[must_use]
    pub fn entry(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            reach: Reach::Entry,
        }
    }

    /// Claims an entry and all below it.
    #[must_use]
    pub fn tree(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            reach: Reach::Tree,
        }
    }

    /// Whether this claim covers a path.
    #[must_use]
    pub fn covers(&self, path: &Path) -> bool {
        match self.reach {
            Reach::Entry => self.path == path,
            Reach::Tree => path.starts_with(&self.path),
        }
    }

    /// Whether two claims have a place in common: a file lies in its tree.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.covers(&other.path) || other.covers(&self.path)
    }
}

/// A program that a call runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Command {
    /// The command line as a shell reads it.
    pub text: String,
    /// Where it runs.
    pub cwd: PathBuf,
}

/// A place on the network that a call reaches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    /// `https`, `http` …
    pub scheme: String,
    /// The host's name or address.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// Whether the stated effects are all there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The call touches what is stated and nothing else.
    Stated,
    /// The call may touch anything.
    Everything,
}

/// What a call will touch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Effects {
    /// What it reads.
    pub reads: Vec<Claim>,
    /// What it writes.
    pub writes: Vec<Claim>,
    /// The program it runs.
    pub runs: Option<Command>,
    /// Where it reaches on the network.
    pub reaches: Vec<Origin>,
    /// Whether it asks a person.
    pub asks: bool,
    /// Whether that is all.
    pub extent: Extent,
}

impl Default for Effects {
    fn default() -> Self {
        Self::EVERYTHING
    }
}

impl Effects {
    /// Unknown means everything: such a call runs alone, and asks.
    pub const EVERYTHING: Self = Self::with_extent(Extent::Everything);

    /// No effect at all.
    pub const NOTHING: Self = Self::with_extent(Extent::Stated);

    const fn with_extent(extent: Extent) -> Self {
        Self {
            reads: Vec::new(),
            writes: Vec::new(),
            runs: None,
            reaches: Vec::new(),
            asks: false,
            extent,
        }
    }

    /// Reads one place.
    #[must_use]
    pub fn reads(claim: Claim) -> Self {
        Self {
            reads: vec![claim],
            ..Self::NOTHING
        }
    }

    /// Reads and writes one place.
    #[must_use]
    pub fn changes(claim: Claim) -> Self {
        Self {
            reads: vec![claim.clone()],
            writes: vec![claim],
            ..Self::NOTHING
        }
    }

    /// Whether nothing is written, run or reached.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        self.extent == Extent::Stated
            && self.writes.is_empty()
            && self.runs.is_none()
            && self.reaches.is_empty()
    }

    /// Whether two calls must not run at the same time: one writes what the other reads or writes, or is everything.
    #[must_use]
    pub fn conflicts(&self, other: &Self) -> bool {
        if self == &Self::NOTHING || other == &Self::NOTHING {
            return false;
        }
        if self.extent == Extent::Everything || other.extent == Extent::Everything {
            return true;
        }
        self.disturbs(other) || other.disturbs(self)
    }

    fn disturbs(&self, other: &Self) -> bool {
        let touched = || other.reads.iter().chain(&other.writes);
        self.writes
            .iter()
            .any(|mine| touched().any(|theirs| mine.meets(theirs)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Claim, Effects};

    fn check(left: &Effects, right: &Effects, expected: bool) {
        assert_eq!(left.conflicts(right), expected, "{left:?} {right:?}");
        assert_eq!(
            right.conflicts(left),
            expected,
            "not symmetric: {left:?} {right:?}"
        );
    }

    #[test]
    fn conflicts_follow_what_is_written() {
        let read = |path: &str| Effects::reads(Claim::entry(path));
        let write = |path: &str| Effects::changes(Claim::entry(path));
        check(&read("/a"), &read("/a"), false);
        check(&write("/a"), &read("/a"), true);
        check(&write("/a"), &write("/b"), false);
        check(&write("/a/b"), &Effects::reads(Claim::tree("/a")), true);
        check(&write("/ab"), &Effects::reads(Claim::tree("/a")), false);
        check(&Effects::EVERYTHING, &read("/a"), true);
        check(&Effects::EVERYTHING, &Effects::EVERYTHING, true);
        check(&Effects::EVERYTHING, &Effects::NOTHING, false);
    }
}
