//! The lines of a page.

use std::io::{self, BufRead as _, BufReader, Read, Seek, SeekFrom};

use memchr::{memchr, memrchr_iter};

use super::scan::{MARK, Scan};
use super::{Line, PageLimits};

/// How much is read at a time.
const BLOCK_BYTES: usize = 64 * 1024;

/// Finds where a line begins, looking from the end.
pub(super) fn start_from_end<S: Read + Seek>(
    source: &mut S,
    scan: &Scan,
    line: u64,
) -> io::Result<u64> {
    // The line begins behind the break that ends the line before it.
    let mut left = (scan.break_count() + 1).saturating_sub(line);
    if line == 0 {
        return Ok(0);
    }
    let mut block = vec![0; BLOCK_BYTES];
    let mut end = scan.size();
    while end > 0 {
        let start = end.saturating_sub(BLOCK_BYTES as u64);
        let length = usize::try_from(end - start).unwrap_or(BLOCK_BYTES);
        source.seek(SeekFrom::Start(start))?;
        let bytes = block.get_mut(..length).unwrap_or_default();
        source.read_exact(bytes)?;
        for place in memrchr_iter(scan.line_break(), bytes) {
            left -= 1;
            if left == 0 {
                return Ok(start + place as u64 + 1);
            }
        }
        end = start;
    }
    Ok(0)
}

/// Reads a page's lines from where the first begins.
pub(super) fn collect<S: Read + Seek>(
    source: &mut S,
    start: u64,
    line_break: u8,
    limits: PageLimits,
) -> io::Result<Vec<Line>> {
    source.seek(SeekFrom::Start(start))?;
    let mut reader = BufReader::with_capacity(BLOCK_BYTES, source);
    // The mark is no part of the first line.
    if start == 0 && reader.fill_buf()?.starts_with(MARK) {
        reader.consume(MARK.len());
    }
    let mut lines = Vec::new();
    let mut room = limits.total_chars;
    while (lines.len() as u64) < limits.lines {
        let most = if lines.is_empty() {
            limits.line_chars.min(room)
        } else {
            limits.line_chars
        };
        let Some((line, chars)) = read_line(&mut reader, line_break, most)? else {
            break;
        };
        if chars > room && !lines.is_empty() {
            break;
        }
        room = room.saturating_sub(chars + 1);
        lines.push(line);
    }
    Ok(lines)
}

/// A line while it is read: its beginning, and counts of all of it.
#[derive(Default)]
struct Growing {
    kept: Vec<u8>,
    chars: u64,
    last: Option<u8>,
}

impl Growing {
    fn add(&mut self, bytes: &[u8], keep_bytes: usize) {
        let room = keep_bytes.saturating_sub(self.kept.len());
        let kept = bytes.get(..room).unwrap_or(bytes);
        self.kept.extend_from_slice(kept);
        let begins = |byte: &&u8| (**byte).cast_signed() >= -0x40;
        self.chars += bytes.iter().filter(begins).count() as u64;
        self.last = bytes.last().copied().or(self.last);
    }

    /// Makes the line of at most so many characters, and says how many it has.
    fn finish(mut self, line_break: u8, line_chars: usize) -> (Line, usize) {
        if line_break == b'\n' && self.last == Some(b'\r') {
            self.chars -= 1;
            // One more character than the limit is kept, so a kept one at the end is the last of the line.
            let whole = std::str::from_utf8(&self.kept)
                .is_ok_and(|text| text.chars().count() as u64 == self.chars + 1);
            if whole {
                self.kept.pop();
            }
        }
        let text = String::from_utf8_lossy(&self.kept);
        let text: String = text.chars().take(line_chars).collect();
        let chars = text.chars().count();
        let omitted_chars = self.chars - chars as u64;
        (
            Line {
                text,
                omitted_chars,
            },
            chars,
        )
    }
}

/// Reads a line to its end, and keeps the beginning. `None` at the end of the source.
fn read_line<R: io::BufRead>(
    reader: &mut R,
    line_break: u8,
    line_chars: usize,
) -> io::Result<Option<(Line, usize)>> {
    let keep_bytes = line_chars.saturating_add(1).saturating_mul(4);
    let mut line = Growing::default();
    let mut begun = false;
    loop {
        let bytes = match reader.fill_buf() {
            Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
            result => result?,
        };
        if bytes.is_empty() {
            return Ok(begun.then(|| line.finish(line_break, line_chars)));
        }
        begun = true;
        let end = memchr(line_break, bytes);
        let length = end.unwrap_or(bytes.len());
        line.add(bytes.get(..length).unwrap_or_default(), keep_bytes);
        reader.consume(length + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Some(line.finish(line_break, line_chars)));
        }
    }
}
