//! One pass over a whole text: what it is, how many lines it has, where a line begins.

use std::io::{self, Read, Seek};

use memchr::{memchr, memchr_iter, memchr2};

use crate::{ContentHash, LineEnding};

/// How much is read at a time; it fits into a processor's second cache with room to spare.
const CHUNK_BYTES: usize = 128 * 1024;
/// How much is looked at a time: one look brings it into the first cache, and the others find it there.
const LOOK_BYTES: usize = 16 * 1024;
/// How many bytes of an unfinished character can be left over at the most.
const REST_BYTES: usize = 3;

/// UTF-8's byte-order mark.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// The source is no UTF-8 text without NUL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotUtf8;

/// What a pass found.
#[derive(Debug)]
pub(super) struct Scan {
    lf: Breaks,
    cr: Breaks,
    crlf: u64,
    last: Option<u8>,
    /// Whether all that was read is a byte-order mark, which is no line.
    only_mark: bool,
    size: u64,
    /// `None` when nobody asks for the hash.
    hasher: Option<blake3::Hasher>,
}

/// Whether a pass hashes what it reads. Hashing takes longer than all the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hashing {
    Whole,
    Not,
}

/// The places of one byte that may break lines.
#[derive(Debug)]
struct Breaks {
    byte: u8,
    count: u64,
    wanted: Option<u64>,
    /// Where the wanted line begins if this byte breaks the lines.
    start: Option<u64>,
}

impl Breaks {
    fn new(byte: u8, wanted: Option<u64>) -> Self {
        let start = (wanted == Some(0)).then_some(0);
        Self {
            byte,
            count: 0,
            wanted,
            start,
        }
    }

    fn add(&mut self, chunk: &[u8], offset: u64) {
        let count = memchr_iter(self.byte, chunk).count() as u64;
        if let (Some(wanted), None) = (self.wanted, self.start)
            && wanted > self.count
            && wanted <= self.count + count
        {
            let nth = usize::try_from(wanted - self.count - 1).unwrap_or(usize::MAX);
            let place = memchr_iter(self.byte, chunk).nth(nth);
            self.start = place.map(|place| offset + place as u64 + 1);
        }
        self.count += count;
    }
}

impl Scan {
    /// Reads a source from its beginning to its end. `wanted` is the line whose beginning is to be found.
    pub(super) fn run<S: Read + Seek>(
        source: &mut S,
        wanted: Option<u64>,
        hashing: Hashing,
    ) -> io::Result<Result<Self, NotUtf8>> {
        source.rewind()?;
        let mut scan = Self {
            lf: Breaks::new(b'\n', wanted),
            cr: Breaks::new(b'\r', wanted),
            crlf: 0,
            last: None,
            only_mark: false,
            size: 0,
            hasher: (hashing == Hashing::Whole).then(blake3::Hasher::new),
        };
        let mut buffer = vec![0; REST_BYTES + CHUNK_BYTES];
        let mut rest = 0;
        loop {
            let Some(room) = buffer.get_mut(rest..) else {
                return Ok(Err(NotUtf8));
            };
            let read = read_some(source, room)?;
            let chunk = buffer.get(..rest + read).unwrap_or_default();
            if read == 0 {
                return Ok(if rest == 0 { Ok(scan) } else { Err(NotUtf8) });
            }
            let fresh = buffer.get(rest..rest + read).unwrap_or_default();
            let (mut clean, mut ascii) = (true, rest == 0);
            for look in fresh.chunks(LOOK_BYTES) {
                clean &= scan.add(look);
                ascii &= look.is_ascii();
            }
            scan.only_mark = scan.size == MARK.len() as u64 && chunk == MARK;
            let left = match (clean, ascii) {
                (false, _) => None,
                (true, true) => Some(0),
                (true, false) => unfinished(chunk),
            };
            let Some(left) = left else {
                return Ok(Err(NotUtf8));
            };
            let end = rest + read;
            buffer.copy_within(end - left..end, 0);
            rest = left;
        }
    }

    /// Adds what was read next; `false` when it holds a NUL.
    fn add(&mut self, chunk: &[u8]) -> bool {
        if let Some(hasher) = &mut self.hasher {
            hasher.update(chunk);
        }
        self.lf.add(chunk, self.size);
        let odd = memchr2(b'\r', 0, chunk).is_some();
        let returns = odd && memchr(b'\r', chunk).is_some();
        if self.last == Some(b'\r') && chunk.first() == Some(&b'\n') {
            self.crlf += 1;
        }
        if returns {
            self.cr.add(chunk, self.size);
            let before_lf = |place: &usize| chunk.get(place + 1) == Some(&b'\n');
            self.crlf += memchr_iter(b'\r', chunk).filter(before_lf).count() as u64;
        }
        self.last = chunk.last().copied().or(self.last);
        self.size += chunk.len() as u64;
        !odd || memchr(0, chunk).is_none()
    }

    fn breaks(&self) -> &Breaks {
        if self.lf.count > 0 {
            &self.lf
        } else {
            &self.cr
        }
    }

    /// The byte that ends lines.
    pub(super) fn line_break(&self) -> u8 {
        self.breaks().byte
    }

    /// How many line breaks there are.
    pub(super) fn break_count(&self) -> u64 {
        self.breaks().count
    }

    /// Where the wanted line begins.
    pub(super) fn start(&self) -> Option<u64> {
        self.breaks().start
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> u64 {
        self.break_count() + u64::from(self.size > 0 && !self.only_mark && !self.ends_with_break())
    }

    pub(super) fn ends_with_break(&self) -> bool {
        self.break_count() > 0 && self.last == Some(self.line_break())
    }

    pub(super) fn line_ending(&self) -> LineEnding {
        LineEnding::of_counts(
            self.lf.count - self.crlf,
            self.crlf,
            self.cr.count - self.crlf,
        )
    }

    /// The hash, if it was asked for.
    pub(super) fn hash(&self) -> Option<ContentHash> {
        let hash = self.hasher.as_ref()?.finalize();
        Some(ContentHash::from_bytes(*hash.as_bytes()))
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }
}

fn read_some<S: Read>(source: &mut S, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(room) {
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// How many bytes at the end begin a character that is not finished; `None` when the bytes are no UTF-8.
fn unfinished(chunk: &[u8]) -> Option<usize> {
    match std::str::from_utf8(chunk) {
        Ok(_) => Some(0),
        Err(err) if err.error_len().is_none() => Some(chunk.len() - err.valid_up_to()),
        Err(_) => None,
    }
}
