//! Gathering matches, with memory that does not grow with their number.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};

use super::grep::{FileHits, GrepOutcome, GrepQuery, HitKind, HitLine};
use crate::Stop;

/// How many errors are kept.
const ERRORS_MAX: usize = 100;

/// The matches of one file while it is searched.
pub(super) struct FileSink<'a> {
    query: &'a GrepQuery,
    matcher: &'a RegexMatcher,
    stop: &'a Stop,
    hits: Vec<HitLine>,
    total: u64,
    binary: bool,
}

impl<'a> FileSink<'a> {
    pub(super) fn new(query: &'a GrepQuery, matcher: &'a RegexMatcher, stop: &'a Stop) -> Self {
        Self {
            query,
            matcher,
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
        let room = self.query.line_chars;
        // As many characters as bytes are there at the most, so a short line is not counted.
        let window = if bytes.len() <= room {
            Window::whole(bytes)
        } else {
            Window::around(bytes, self.first_match(bytes), room)
        };
        self.hits.push(HitLine {
            line: number,
            text: window.text,
            is_match,
            omitted_before: window.before,
            omitted_chars: window.after,
        });
    }

    /// Where the first match lies in a line; at its beginning where the line alone has none.
    fn first_match(&self, line: &[u8]) -> Range<usize> {
        let found = self.matcher.find(line).ok().flatten();
        found.map_or(0..0, |found| found.start()..found.end())
    }
}

/// A part of a line.
struct Window {
    text: String,
    /// How many characters stand before it.
    before: u64,
    /// How many characters stand after it.
    after: u64,
}

impl Window {
    fn whole(line: &[u8]) -> Self {
        Self {
            text: String::from_utf8_lossy(line).into_owned(),
            before: 0,
            after: 0,
        }
    }

    /// Takes at most so many characters, with a match in the middle of them, or its beginning where it is longer.
    fn around(line: &[u8], found: Range<usize>, room: usize) -> Self {
        let chars = |bytes: Option<&[u8]>| {
            String::from_utf8_lossy(bytes.unwrap_or_default())
                .chars()
                .count()
        };
        let whole = String::from_utf8_lossy(line);
        let (all, ahead) = (whole.chars().count(), chars(line.get(..found.start)));
        let beside = room.saturating_sub(chars(line.get(found)));
        let before = ahead
            .saturating_sub(beside / 2)
            .min(all.saturating_sub(room));
        let text: String = whole.chars().skip(before).take(room).collect();
        let after = all - before - all.saturating_sub(before).min(room);
        Self {
            text,
            before: before as u64,
            after: after as u64,
        }
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
