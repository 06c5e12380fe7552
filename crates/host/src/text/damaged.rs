//! UTF-8 with places that are none: a stray byte, a character that was cut.

use std::ops::Range;

use super::Splice;
use crate::{Fault, HostError};

/// What stands in the text for a damaged place.
const SIGN: &str = "\u{fffd}";

/// A damaged place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damage {
    /// Where its sign begins in the text.
    at: usize,
    /// How many bytes it has in the file.
    pub(super) bytes: usize,
}

impl Damage {
    /// Where its sign stands in the text.
    fn sign(self) -> Range<usize> {
        self.at..self.at + SIGN.len()
    }

    /// Where its sign ends in the text.
    pub(super) fn end(self) -> usize {
        self.sign().end
    }

    /// By how much its sign is longer than it is in the file.
    pub(super) fn excess(self) -> usize {
        SIGN.len() - self.bytes
    }
}

/// How many characters beyond ASCII have to be whole before damage is believed.
const WHOLE_MIN: usize = 2;
/// How many of them have to be whole for each damaged place. In older encodings bytes form characters of UTF-8 only by
/// chance, so most are no part of any.
const WHOLE_PER_DAMAGE: usize = 2;

/// Decodes bytes that are UTF-8 but for a few places; `None` where they rather are something else.
pub(super) fn decode(bytes: &[u8]) -> Option<(String, Vec<Damage>)> {
    let (mut whole, mut places) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        whole += chunk
            .valid()
            .chars()
            .filter(|char| !char.is_ascii())
            .count();
        places += usize::from(!chunk.invalid().is_empty());
    }
    if whole < WHOLE_MIN || whole < places * WHOLE_PER_DAMAGE {
        return None;
    }
    let mut text = String::with_capacity(bytes.len() + places * SIGN.len());
    let mut damaged = Vec::with_capacity(places);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            damaged.push(Damage {
                at: text.len(),
                bytes: chunk.invalid().len(),
            });
            text.push_str(SIGN);
        }
    }
    Some((text, damaged))
}

/// Refuses an edit that touches a damaged place: nobody can say what would become of it.
pub(super) fn spare(text: &str, damaged: &[Damage], edit: &Splice) -> Result<(), HostError> {
    let next = damaged.partition_point(|damage| damage.end() <= edit.range.start);
    let Some(touched) = damaged.get(next).filter(|next| next.at < edit.range.end) else {
        return Ok(());
    };
    let before = text.get(..touched.at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let detail = format!(
        "the change touches damaged UTF-8 in line {line}, shown as `{SIGN}`; what stands around it can be changed"
    );
    Err(HostError::new(Fault::Unsupported, "", detail))
}
