//! Searching in files.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::{DirEntry, WalkState};

use super::hits::{Collected, FileSink};
use super::walk::{Filter, walk};
use super::{Multiline, Pattern, Rules, SearchError};
use crate::read::require_file;
use crate::{EntryKind, HostError, Stop, stat};

/// How much of a file is held at the most: a very long line, or a whole file where matches may span lines.
const HEAP_BYTES: usize = 256 * 1024 * 1024;

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
    /// How many lines are given of all files at the most, those of the newest files. Further matches are counted.
    pub max_hits: usize,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrepOutcome {
    /// The files with matches, the most recently changed first, then by path.
    pub files: Vec<FileHits>,
    /// How many files turned out to be binary; what they hold before the first NUL byte was searched.
    pub skipped_binary: u64,
    /// What could not be read, a sentence each; some of many.
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
    /// Its text without the line break; of a line that is longer than the limit, the part around its first match.
    pub text: String,
    /// Whether it matches.
    pub is_match: HitKind,
    /// How many characters were cut before the text.
    pub omitted_before: u64,
    /// How many characters were cut after the text.
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
///
/// A file with a NUL byte is binary, and is searched up to there. Bytes that are no UTF-8 are shown as replacement
/// characters; UTF-16 with a byte-order mark is decoded.
pub fn grep(query: &GrepQuery, stop: &Stop) -> Result<GrepOutcome, SearchError> {
    let matcher = query.pattern.matcher()?;
    let filter = Filter::new(&query.root, &query.rules)?;
    let kind = stat(&query.root)?.kind;
    if kind != EntryKind::Folder {
        require_file(&query.root, kind)?;
    }
    let collected = Mutex::new(Collected::new(query.max_hits));
    let walker = walk(&query.root, &query.rules, &filter).build_parallel();
    walker.run(|| {
        let mut search = Search {
            query,
            matcher: matcher.clone(),
            searcher: searcher(query),
            filter: &filter,
            collected: &collected,
            stop,
        };
        Box::new(move |entry| search.visit(entry))
    });
    let collected = collected.into_inner();
    Ok(collected.unwrap_or_else(PoisonError::into_inner).outcome())
}

fn searcher(query: &GrepQuery) -> Searcher {
    let spans = query.pattern.multiline == Multiline::On;
    let mut builder = SearcherBuilder::new();
    builder
        .line_number(true)
        .multi_line(spans)
        .binary_detection(BinaryDetection::quit(0))
        .before_context(query.before)
        .after_context(query.after)
        .heap_limit(Some(HEAP_BYTES));
    if !spans {
        builder.line_terminator(grep_matcher::LineTerminator::crlf());
    }
    builder.build()
}

/// One thread's part of a search.
struct Search<'a> {
    query: &'a GrepQuery,
    matcher: RegexMatcher,
    searcher: Searcher,
    filter: &'a Filter,
    collected: &'a Mutex<Collected>,
    stop: &'a Stop,
}

impl Search<'_> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        if self.stop.why().is_some() {
            return WalkState::Quit;
        }
        match entry {
            Ok(entry) if self.is_wanted(&entry) => self.search(entry.path()),
            Ok(_) => {}
            Err(err) => self.lock().error(err.to_string()),
        }
        WalkState::Continue
    }

    /// Whether a file is searched; one that the caller named is, even if it is a link.
    fn is_wanted(&self, entry: &DirEntry) -> bool {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        match entry.depth() {
            0 => !entry.path().is_dir(),
            _ => is_file && self.filter.takes(entry.path()),
        }
    }

    fn search(&mut self, path: &Path) {
        let mut sink = FileSink::new(self.query, &self.matcher, self.stop);
        let file = match std::fs::File::open(path) {
            Ok(file) => file,
            Err(err) => return self.fail(path, &err),
        };
        if let Err(err) = self.searcher.search_file(&self.matcher, &file, &mut sink) {
            self.fail(path, &err);
        }
        let modified = file.metadata().and_then(|meta| meta.modified()).ok();
        if sink.is_noteworthy() {
            self.lock().add(path, modified, sink);
        }
    }

    fn fail(&self, path: &Path, err: &std::io::Error) {
        self.lock().error(HostError::from_io(path, err).to_string());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Collected> {
        self.collected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
