//! Gathering matches, with memory that does not grow with their number.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};

use super::grep::{FileHits, GrepOutcome, GrepQuery, HitKind, HitLine};
use crate::Stop;

/// How many errors are kept.
const ERRORS_MAX: usize = 100;

/// The matches of one file while it is searched.
pub(super) struct FileSink<'a> {
    query: &'a GrepQuery,
    stop: &'a Stop,
    hits: Vec<HitLine>,
    total: u64,
    binary: bool,
}

impl<'a> FileSink<'a> {
    pub(super) fn new(query: &'a GrepQuery, stop: &'a Stop) -> Self {
        Self {
            query,
            stop,
            hits: Vec::new(),
            total: 0,
            binary: false,
        }
    }

    /// Whether there is anything to tell.
    pub(super) fn is_noteworthy(&self) -> bool {
        self.total > 0 || self.binary
    }

    fn keep(&mut self, number: u64, bytes: &[u8], is_match: HitKind) {
        if self.hits.len() >= self.query.max_hits {
            return;
        }
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let whole = String::from_utf8_lossy(bytes);
        let text: String = whole.chars().take(self.query.line_chars).collect();
        let omitted = whole.get(text.len()..).unwrap_or_default();
        self.hits.push(HitLine {
            line: number,
            omitted_chars: omitted.chars().count() as u64,
            text,
            is_match,
        });
    }
}

impl Sink for FileSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let first = found.line_number().unwrap_or(1);
        for (number, line) in (first..).zip(found.lines()) {
            self.total += 1;
            self.keep(number, line, HitKind::Match);
        }
        Ok(self.stop.why().is_none())
    }

    fn context(&mut self, _: &Searcher, near: &SinkContext<'_>) -> io::Result<bool> {
        let number = near.line_number().unwrap_or(1);
        self.keep(number, near.bytes(), HitKind::Context);
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> io::Result<()> {
        self.binary = end.binary_byte_offset().is_some();
        Ok(())
    }
}

/// Newest first, then by path.
type Rank = (Reverse<Option<SystemTime>>, PathBuf);

/// The matches of all files.
pub(super) struct Collected {
    files: BTreeMap<Rank, (Vec<HitLine>, u64)>,
    kept: usize,
    max_hits: usize,
    skipped_binary: u64,
    errors: Vec<String>,
}

impl Collected {
    pub(super) fn new(max_hits: usize) -> Self {
        Self {
            files: BTreeMap::new(),
            kept: 0,
            max_hits,
            skipped_binary: 0,
            errors: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, path: &Path, modified: Option<SystemTime>, sink: FileSink<'_>) {
        self.skipped_binary += u64::from(sink.binary);
        if sink.total == 0 {
            return;
        }
        self.kept += sink.hits.len();
        let rank = (Reverse(modified), path.to_path_buf());
        self.files.insert(rank, (sink.hits, sink.total));
        if self.kept > self.max_hits.saturating_mul(2) {
            self.forget();
        }
    }

    pub(super) fn error(&mut self, text: String) {
        if self.errors.len() < ERRORS_MAX {
            self.errors.push(text);
        }
    }

    /// Drops lines beyond the limit, those of the oldest files: whatever comes later, they would not be given.
    fn forget(&mut self) {
        let mut room = self.max_hits;
        for (hits, _) in self.files.values_mut() {
            hits.truncate(room);
            room -= hits.len();
        }
        self.kept = self.max_hits - room;
    }

    pub(super) fn outcome(mut self) -> GrepOutcome {
        self.forget();
        let file =
            |((Reverse(modified), path), (hits, total)): (Rank, (Vec<HitLine>, u64))| FileHits {
                path,
                modified,
                hits,
                total,
            };
        self.errors.sort_unstable();
        GrepOutcome {
            files: self.files.into_iter().map(file).collect(),
            skipped_binary: self.skipped_binary,
            errors: self.errors,
        }
    }
}
