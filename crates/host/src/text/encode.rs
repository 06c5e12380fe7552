//! From characters to a file's bytes.

use encoding_rs::EncoderResult;

use super::{Damage, Encoding};
use crate::{Fault, HostError};

/// Appends a text's bytes. A character that would not come back as itself is refused by name.
pub(super) fn encode_into(
    encoding: Encoding,
    text: &str,
    bytes: &mut Vec<u8>,
) -> Result<(), HostError> {
    match encoding {
        Encoding::Utf8 => bytes.extend_from_slice(text.as_bytes()),
        Encoding::Utf16Le => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        Encoding::Utf16Be => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
        Encoding::Legacy(legacy) => encode_legacy(legacy, text, bytes)?,
    }
    Ok(())
}

fn encode_legacy(
    encoding: &'static encoding_rs::Encoding,
    text: &str,
    bytes: &mut Vec<u8>,
) -> Result<(), HostError> {
    let start = bytes.len();
    let mut encoder = encoding.new_encoder();
    let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len());
    bytes.reserve(room.unwrap_or(text.len()));
    let (result, _) = encoder.encode_from_utf8_to_vec_without_replacement(text, bytes, true);
    if let EncoderResult::Unmappable(char) = result {
        return Err(lacking(encoding, char));
    }
    // Some encoders fold: Shift_JIS writes a yen sign as a backslash.
    let (back, _) = encoding.decode_without_bom_handling(bytes.get(start..).unwrap_or_default());
    let folded = text
        .chars()
        .zip(back.chars())
        .find(|(given, back)| given != back);
    match folded {
        Some((char, _)) => Err(lacking(encoding, char)),
        None => Ok(()),
    }
}

fn lacking(encoding: &'static encoding_rs::Encoding, char: char) -> HostError {
    let detail = format!(
        "the file is {} and that encoding does not have `{char}` (U+{:04X})",
        encoding.name(),
        u32::from(char)
    );
    HostError::new(Fault::Unsupported, "", detail)
}

/// Walks a text once and tells where its places lie in the file's bytes.
pub(super) struct Measure<'a> {
    encoding: Encoding,
    text: &'a str,
    /// The damaged places that are still ahead.
    damaged: &'a [Damage],
    at: usize,
    bytes: usize,
}

impl<'a> Measure<'a> {
    /// Stands at the beginning, behind the mark.
    pub(super) fn new(encoding: Encoding, text: &'a str, damaged: &'a [Damage]) -> Self {
        Self {
            encoding,
            text,
            damaged,
            at: 0,
            bytes: 0,
        }
    }

    /// Goes forward to a place in the text; `None` when it lies behind, outside, or within a character.
    pub(super) fn advance(&mut self, to: usize) -> Option<usize> {
        let passed = self.text.get(self.at..to)?;
        self.bytes += encoded_length(self.encoding, passed)?;
        while let [damage, ahead @ ..] = self.damaged
            && damage.end() <= to
        {
            self.bytes -= damage.excess();
            self.damaged = ahead;
        }
        self.at = to;
        Some(self.bytes)
    }
}

/// How many bytes stand for a piece of a text that was decoded without loss.
fn encoded_length(encoding: Encoding, piece: &str) -> Option<usize> {
    match encoding {
        Encoding::Utf8 => Some(piece.len()),
        Encoding::Utf16Le | Encoding::Utf16Be => {
            Some(piece.chars().map(char::len_utf16).sum::<usize>() * 2)
        }
        Encoding::Legacy(legacy) if legacy.is_single_byte() => Some(piece.chars().count()),
        Encoding::Legacy(legacy) => {
            let (bytes, _, lacking) = legacy.encode(piece);
            (!lacking).then_some(bytes.len())
        }
    }
}
