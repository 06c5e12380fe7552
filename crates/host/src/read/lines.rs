//! A part of a file's lines, with memory that does not grow with the file.

use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;

use super::page;
use super::scan::{Hashing, NotUtf8, Scan};
use super::whole::{open_regular, read_whole, too_large};
use crate::error::At;
use crate::{ContentHash, Fault, HostError, LineEnding, Stat, Text};

/// Where a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStart {
    /// At this line, counted from 0.
    FromTop(u64),
    /// So many lines before the end.
    FromEnd(u64),
}

/// How much a page may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimits {
    /// How many lines at the most.
    pub lines: u64,
    /// How many characters of a line at the most.
    pub line_chars: usize,
    /// How many characters at the most, a line break a line included; the page ends before the line that would pass
    /// it. The first line is always there, cut if need be.
    pub total_chars: usize,
}

/// Lines of a file.
#[derive(Debug, Clone)]
pub struct LinePage {
    /// The lines.
    pub lines: Vec<Line>,
    /// The number of the first line of the page, from 0.
    pub first: u64,
    /// How many lines the file has.
    pub total_lines: u64,
    /// The identity of the content: the hash of the whole file, or [`ContentHash::mark_of`] it when the file is large.
    pub hash: ContentHash,
    /// The name of the file's encoding, and how much of it is damaged.
    pub encoding: String,
    /// What ends the file's lines.
    pub line_ending: LineEnding,
    /// Whether the last line has a line break.
    pub ends_with_newline: bool,
    /// How many bytes the file holds.
    pub size: u64,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its text, without the line break, cut at the limit.
    pub text: String,
    /// How many characters were cut.
    pub omitted_chars: u64,
}

/// How much of a file in another encoding than UTF-8 is read.
const OTHER_ENCODINGS_BYTES: u64 = 64 * 1024 * 1024;
/// How often a file that changes while it is read is read again.
const TRIES: usize = 3;

/// Reads some of a file's lines.
///
/// A line ends with LF or CRLF; in a file that has no LF, with CR. `a` and LF is one line, an empty file has none. A
/// page that begins behind the end is empty. Memory is flat for UTF-8; a file in another encoding may hold 64 MiB.
pub fn read_lines(path: &Path, from: LineStart, limits: PageLimits) -> Result<LinePage, HostError> {
    for _ in 0..TRIES {
        let (mut file, before) = open_regular(path)?;
        if before.size == 0 {
            return decoded(path, from, limits);
        }
        let identity = Identity::of(&file.metadata().at(path)?);
        match streamed(&mut file, from, limits, identity).at(path)? {
            Ok(page) if is_settled(&file, &before, &page).at(path)? => return Ok(page),
            Ok(_) => {}
            Err(NotUtf8) if before.size > OTHER_ENCODINGS_BYTES => {
                return Err(too_large_to_decode(path, &mut file, before.size));
            }
            Err(NotUtf8) => return decoded(path, from, limits),
        }
    }
    Err(HostError::new(
        Fault::Changed,
        path,
        "it changes while it is read",
    ))
}

/// Whether the file stood still while it was read.
fn is_settled(file: &File, before: &Stat, page: &LinePage) -> io::Result<bool> {
    let after = Stat::of(&file.metadata()?);
    Ok(page.size == before.size && (after.size, after.modified) == (before.size, before.modified))
}

/// How a content is told from another.
#[derive(Clone, Copy)]
enum Identity {
    /// By its hash.
    Hash,
    /// By this.
    Known(ContentHash),
}

impl Identity {
    fn of(meta: &Metadata) -> Self {
        if meta.len() > ContentHash::HASHED_BYTES {
            Self::Known(ContentHash::mark_of(meta))
        } else {
            Self::Hash
        }
    }
}

/// Pages a source of UTF-8 in two passes: one over all for counts and hash, one over the page.
fn streamed<S: Read + Seek>(
    source: &mut S,
    from: LineStart,
    limits: PageLimits,
    identity: Identity,
) -> io::Result<Result<LinePage, NotUtf8>> {
    let wanted = match from {
        LineStart::FromTop(line) => Some(line),
        LineStart::FromEnd(_) => None,
    };
    let hashing = match identity {
        Identity::Hash => Hashing::Whole,
        Identity::Known(_) => Hashing::Not,
    };
    let scan = match Scan::run(source, wanted, hashing)? {
        Ok(scan) => scan,
        Err(NotUtf8) => return Ok(Err(NotUtf8)),
    };
    let total = scan.lines();
    let first = match from {
        LineStart::FromTop(line) => line,
        LineStart::FromEnd(count) => total.saturating_sub(count),
    };
    let lines = if first >= total {
        Vec::new()
    } else {
        let start = match scan.start() {
            Some(start) => start,
            None => page::start_from_end(source, &scan, first)?,
        };
        page::collect(source, start, scan.line_break(), limits)?
    };
    Ok(Ok(LinePage {
        lines,
        first,
        total_lines: total,
        hash: match (identity, scan.hash()) {
            (Identity::Known(known), _) => known,
            (Identity::Hash, hash) => hash.unwrap_or_else(|| ContentHash::of(b"")),
        },
        encoding: "UTF-8".to_owned(),
        line_ending: scan.line_ending(),
        ends_with_newline: scan.ends_with_break(),
        size: scan.size(),
    }))
}

/// Pages a file that has to be decoded as a whole.
fn decoded(path: &Path, from: LineStart, limits: PageLimits) -> Result<LinePage, HostError> {
    let content = read_whole(path, OTHER_ENCODINGS_BYTES)?;
    let size = content.bytes.len() as u64;
    let text = Text::decode_owned(content.bytes, crate::Nul::Refused);
    let text = text.map_err(|err| err.at(path))?;
    let known = Identity::Known(content.hash);
    let page = streamed(&mut Cursor::new(text.as_str()), from, limits, known).at(path)?;
    let page = page.map_err(|NotUtf8| HostError::new(Fault::Binary, path, "NUL bytes"))?;
    Ok(LinePage {
        encoding: text.encoding_words(),
        size,
        ..page
    })
}

/// Says what a large file is that is not UTF-8.
fn too_large_to_decode(path: &Path, file: &mut File, size: u64) -> HostError {
    let mut head = Vec::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(64 * 1024).read_to_end(&mut head));
    match (read, Text::decode(&head)) {
        (Ok(_), Err(err)) if err.fault == Fault::Binary => err.at(path),
        _ => too_large(path, size, OTHER_ENCODINGS_BYTES),
    }
}
