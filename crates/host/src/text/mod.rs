//! The text model: bytes to text and back, without loss or not at all.

mod binary;
mod damaged;
mod detect;
mod encode;
#[cfg(test)]
mod tests;

use std::ops::Range;

use memchr::memchr2_iter;

use crate::{Fault, HostError};

use damaged::Damage;

pub use binary::describe_binary;
pub(crate) use binary::{looks_binary, what_it_is};

/// How a file's bytes stand for characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, which includes ASCII.
    Utf8,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
    /// An older encoding, for example `windows-1252` or `Shift_JIS`.
    Legacy(&'static encoding_rs::Encoding),
}

impl Encoding {
    /// The name that programs and people know.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Legacy(encoding) => encoding.name(),
        }
    }

    /// The bytes of its byte-order mark.
    fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\xef\xbb\xbf",
            Self::Utf16Le => b"\xff\xfe",
            Self::Utf16Be => b"\xfe\xff",
            Self::Legacy(_) => b"",
        }
    }
}

/// What ends a text's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    Crlf,
    /// A carriage return alone.
    Cr,
    /// More than one of them.
    Mixed,
    /// There is no line break.
    None,
}

impl LineEnding {
    /// The name that programs and people know.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lf => "LF",
            Self::Crlf => "CRLF",
            Self::Cr => "CR",
            Self::Mixed => "mixed",
            Self::None => "none",
        }
    }

    /// What a text's breaks add up to.
    pub(crate) fn of_counts(lf: u64, crlf: u64, cr: u64) -> Self {
        match (lf > 0, crlf > 0, cr > 0) {
            (false, false, false) => Self::None,
            (true, false, false) => Self::Lf,
            (false, true, false) => Self::Crlf,
            (false, false, true) => Self::Cr,
            _ => Self::Mixed,
        }
    }
}

/// Whether a NUL character makes a file binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nul {
    /// It does: the file is for reading.
    Refused,
    /// It does not, if all else is clean: the file is to be edited, and stays byte-exact.
    Accepted,
}

/// A replacement of a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// The part, in bytes of [`Text::as_str`], on character borders.
    pub range: Range<usize>,
    /// What comes in its place, literally.
    pub with: String,
}

/// Up to how many edits a text is changed where it is; each may move all that stands behind it.
const MOVES_MAX: usize = 8;

/// A decoded text that can be changed in places without touching any other byte.
#[derive(Debug, Clone)]
pub struct Text {
    encoding: Encoding,
    bom: bool,
    text: String,
    /// The bytes it came from, without the mark; `None` where they are the text's own.
    source: Option<Vec<u8>>,
    /// The places that are no UTF-8, in order; there are none in other encodings.
    damaged: Vec<Damage>,
}

impl Text {
    /// Decodes a file's bytes for reading. An error names no path: the caller knows it.
    ///
    /// A byte-order mark decides; else UTF-8 if it is that; else UTF-16 if it is clearly that; else UTF-8 with damaged
    /// places, if most of its characters are whole; else what the detector finds most likely. What cannot be encoded
    /// back to the very same bytes is refused.
    ///
    /// A damaged place is shown as U+FFFD. Its bytes stay as they are; a change that touches it is refused.
    pub fn decode(bytes: &[u8]) -> Result<Self, HostError> {
        Self::decode_owned(bytes.to_vec(), Nul::Refused)
    }

    /// Decodes a file's bytes and says whether NUL characters are welcome.
    pub fn decode_with(bytes: &[u8], nul: Nul) -> Result<Self, HostError> {
        Self::decode_owned(bytes.to_vec(), nul)
    }

    /// Decodes without a copy where the bytes are UTF-8.
    pub fn decode_owned(bytes: Vec<u8>, nul: Nul) -> Result<Self, HostError> {
        detect::decode(bytes, nul)
    }

    /// The text, without a byte-order mark.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The encoding that was found.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How many bytes are no UTF-8, of a text that is UTF-8 but for them.
    #[must_use]
    pub fn damaged_bytes(&self) -> usize {
        self.damaged.iter().map(|damage| damage.bytes).sum()
    }

    /// The encoding's name, and how much of the text is damaged, in words for people.
    #[must_use]
    pub fn encoding_words(&self) -> String {
        let name = self.encoding.name();
        match self.damaged_bytes() {
            0 => name.to_owned(),
            1 => format!("{name} with 1 damaged byte"),
            bytes => format!("{name} with {bytes} damaged bytes"),
        }
    }

    /// Whether the bytes begin with a byte-order mark.
    #[must_use]
    pub fn has_bom(&self) -> bool {
        self.bom
    }

    /// What ends the lines. A lone carriage return counts, also beside line feeds.
    #[must_use]
    pub fn line_ending(&self) -> LineEnding {
        let bytes = self.text.as_bytes();
        let (mut lf, mut crlf, mut cr) = (0, 0, 0);
        for place in memchr2_iter(b'\r', b'\n', bytes) {
            let after_cr = place > 0 && bytes.get(place - 1) == Some(&b'\r');
            match (bytes.get(place), after_cr) {
                (Some(b'\r'), _) => cr += 1,
                (_, true) => {
                    cr -= 1;
                    crlf += 1;
                }
                _ => lf += 1,
            }
        }
        LineEnding::of_counts(lf, crlf, cr)
    }

    /// Changes parts of the text and gives the file's new bytes. Every byte outside the parts is the old one.
    ///
    /// The parts are in order and do not overlap. A character that the encoding lacks is refused by name, and so is a
    /// part with a damaged place in it.
    pub fn replace(&self, edits: &[Splice]) -> Result<Vec<u8>, HostError> {
        let source = self.source.as_deref().unwrap_or(self.text.as_bytes());
        let mut bytes = self.head(source.len());
        let mut measure = encode::Measure::new(self.encoding, &self.text, &self.damaged);
        let mut copied = 0;
        for edit in edits {
            let start = measure.advance(edit.range.start).ok_or_else(misplaced)?;
            let end = measure.advance(edit.range.end).ok_or_else(misplaced)?;
            bytes.extend_from_slice(source.get(copied..start).ok_or_else(misplaced)?);
            damaged::spare(&self.text, &self.damaged, edit)?;
            encode::encode_into(self.encoding, &edit.with, &mut bytes)?;
            copied = end;
        }
        bytes.extend_from_slice(source.get(copied..).ok_or_else(misplaced)?);
        Ok(bytes)
    }

    /// The same where the text is not needed any more: a large one is not copied for a few edits of UTF-8.
    pub fn into_replaced(self, edits: &[Splice]) -> Result<Vec<u8>, HostError> {
        if self.source.is_some() || self.bom || edits.len() > MOVES_MAX {
            return self.replace(edits);
        }
        let mut free = 0;
        for edit in edits {
            if edit.range.start < free || self.text.get(edit.range.clone()).is_none() {
                return Err(misplaced());
            }
            free = edit.range.end;
        }
        let mut bytes = self.text.into_bytes();
        // From the last to the first, so that no place moves before its turn.
        for edit in edits.iter().rev() {
            bytes.splice(edit.range.clone(), edit.with.bytes());
        }
        Ok(bytes)
    }

    /// Encodes a whole new text as this one is encoded, byte-order mark included. Of what was damaged nothing is left.
    pub fn encode_like(&self, whole: &str) -> Result<Vec<u8>, HostError> {
        let mut bytes = self.head(whole.len());
        encode::encode_into(self.encoding, whole, &mut bytes)?;
        Ok(bytes)
    }

    /// The beginning of the file's bytes.
    fn head(&self, room: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(room + 4);
        if self.bom {
            bytes.extend_from_slice(self.encoding.mark());
        }
        bytes
    }
}

/// What is said of parts that overlap, lie outside or cut a character: a fault of the caller, without effect.
fn misplaced() -> HostError {
    HostError::new(
        Fault::Unsupported,
        "",
        "the parts to change are not in order, or do not lie on character borders",
    )
}
