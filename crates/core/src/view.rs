//! What a person sees: plain data, drawn by `view` in a terminal or on a page.

use serde::Serialize;

/// What a person sees of a plan or an output: a few blocks, one below the other.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct View {
    /// The blocks.
    pub blocks: Vec<Block>,
}

/// A block of a view.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "block", rename_all = "snake_case")]
pub enum Block {
    /// A sentence or a few.
    Note {
        /// The text.
        text: String,
    },
    /// Lines of a file.
    Code {
        /// The file's path, as a person would write it.
        path: String,
        /// The number of the first line, from 1.
        first_line: u64,
        /// The lines, without line breaks.
        lines: Vec<String>,
    },
    /// Changes of one file.
    Diff(FileDiff),
    /// A command and what it printed.
    Terminal {
        /// The command line.
        command: String,
        /// What it printed.
        output: String,
        /// Its exit code, once it has ended.
        exit_code: Option<i32>,
    },
    /// Names, one a line.
    List {
        /// The names.
        items: Vec<String>,
        /// How many more there are.
        more: u64,
    },
}

/// Changes of one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileDiff {
    /// The path before; `None` for a new file.
    pub before: Option<String>,
    /// The path after; `None` for a removed file.
    pub after: Option<String>,
    /// How many lines came and went.
    pub stats: DiffStats,
    /// The changed places with a few lines around each.
    pub hunks: Vec<Hunk>,
}

/// How many lines came and went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct DiffStats {
    /// Lines that are new.
    pub added: u64,
    /// Lines that are gone.
    pub removed: u64,
}

/// A changed place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hunk {
    /// The first line before, from 1.
    pub before_line: u64,
    /// The first line after, from 1.
    pub after_line: u64,
    /// The lines.
    pub lines: Vec<DiffLine>,
}

/// A line of a changed place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiffLine {
    /// Whether it stayed, came or went.
    pub sign: Sign,
    /// The line without its line break.
    pub text: String,
}

/// Whether a line stayed, came or went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// It stayed.
    Same,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
}

impl View {
    /// Nothing to see.
    pub const EMPTY: Self = Self { blocks: Vec::new() };

    /// One block.
    #[must_use]
    pub fn of(block: Block) -> Self {
        Self {
            blocks: vec![block],
        }
    }

    /// A sentence.
    #[must_use]
    pub fn note(text: impl Into<String>) -> Self {
        Self::of(Block::Note { text: text.into() })
    }

    /// Shows every text of the view to a function that may change it: how `govern` reaches what a person sees.
    pub fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        for block in &mut self.blocks {
            match block {
                Block::Note { text } => change(text),
                Block::Code { path, lines, .. } => {
                    change(path);
                    lines.iter_mut().for_each(&mut *change);
                }
                Block::Diff(diff) => diff.each_text(change),
                Block::Terminal {
                    command, output, ..
                } => {
                    change(command);
                    change(output);
                }
                Block::List { items, .. } => items.iter_mut().for_each(&mut *change),
            }
        }
    }
}

impl FileDiff {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        self.before
            .iter_mut()
            .chain(&mut self.after)
            .for_each(&mut *change);
        let lines = self.hunks.iter_mut().flat_map(|hunk| &mut hunk.lines);
        lines.for_each(|line| change(&mut line.text));
    }
}
