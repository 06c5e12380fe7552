//! A stream as it is shown while it comes.

use toolpost_core::Bounded;

use crate::cut::Piece;
use toolpost_core::Keep;

/// Turns chunks of a stream into pieces that may be shown at once. It holds back what cannot be decoded yet.
#[derive(Debug, Default)]
pub struct Live {
    limit_chars: usize,
    undecoded: Vec<u8>,
}

impl Live {
    pub(crate) fn new(limit_chars: usize) -> Self {
        Self {
            limit_chars,
            undecoded: Vec::new(),
        }
    }

    /// Takes a chunk; gives what can be shown now.
    pub fn take(&mut self, chunk: &[u8]) -> Option<Bounded<String>> {
        self.undecoded.extend_from_slice(chunk);
        let (text, rest) = crate::capture::decode(&self.undecoded);
        self.undecoded.drain(..self.undecoded.len() - rest);
        self.pass(text)
    }

    /// Gives what was held back, at the stream's end.
    pub fn rest(&mut self) -> Option<Bounded<String>> {
        let rest = std::mem::take(&mut self.undecoded);
        self.pass(String::from_utf8_lossy(&rest).into_owned())
    }

    fn pass(&self, text: String) -> Option<Bounded<String>> {
        if text.is_empty() {
            return None;
        }
        let mut piece = Piece::whole(text);
        piece.cut(self.limit_chars, Keep::Both);
        Some(Bounded::seal(piece.render()))
    }
}
