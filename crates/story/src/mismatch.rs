//! Where a story and the world part.

use std::fmt;

use similar::TextDiff;

use crate::edit::Edit;

/// A story that does not hold.
#[derive(Debug, Clone)]
pub struct Mismatch {
    /// The story's heading.
    pub heading: String,
    /// The door that it was run through.
    pub door: &'static str,
    /// Where it parts from the world, in order; at least one.
    pub differences: Vec<Difference>,
}

/// A place where a story parts from the world.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The file, as messages name it.
    pub file: String,
    /// The block's line, from 1.
    pub line: usize,
    /// What is wrong, in a sentence or a few.
    pub fact: String,
    /// The lines that differ, as a unified diff; empty where no text differs.
    pub diff: String,
    /// What makes the story agree.
    pub(crate) edits: Vec<Edit>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "The story `{}` does not hold, {}.",
            self.heading, self.door
        )?;
        self.differences
            .iter()
            .try_for_each(|difference| write!(out, "{difference}"))
    }
}

impl std::error::Error for Mismatch {}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            fact,
            diff,
            ..
        } = self;
        writeln!(out, "{file}:{line}: {fact}")?;
        diff.lines()
            .try_for_each(|line| writeln!(out, "    {line}"))
    }
}

/// The lines that differ, with a few around them.
pub(crate) fn diff(story: &str, world: &str) -> String {
    TextDiff::from_lines(story, world)
        .unified_diff()
        .context_radius(3)
        .header("the story", "what came")
        .to_string()
}
