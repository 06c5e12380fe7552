//! A stream's two ends in memory, the whole in the store.

use std::io::Write as _;

use toolpost_core::{Capture, Captured};
use toolpost_host::Sink;
use toolpost_store::{SpillWriter, Store};

use crate::cut::{as_u64, count, first_chars, last_chars};

/// Takes a stream of any length with flat memory.
///
/// Bytes are decoded as UTF-8 across chunk borders; what is none becomes U+FFFD. As long as everything fits into the
/// limit it is all kept; then only the two ends stay in memory, and the bytes as they came go to the store.
pub struct Recorder {
    limit_chars: usize,
    store: Store,
    session: Option<String>,
    undecoded: Vec<u8>,
    kept: Kept,
    counts: Counts,
}

enum Kept {
    All {
        bytes: Vec<u8>,
        text: String,
    },
    Ends {
        head: String,
        tail: String,
        spill: Option<SpillWriter>,
    },
}

#[derive(Default)]
struct Counts {
    bytes: u64,
    chars: u64,
    breaks: u64,
    last: Option<char>,
}

impl Recorder {
    /// Starts a recording that keeps at most `limit_chars` characters, half of them for each end.
    #[must_use]
    pub fn new(limit_chars: usize, store: Store, session: Option<String>) -> Self {
        let kept = Kept::All {
            bytes: Vec::new(),
            text: String::new(),
        };
        Self {
            limit_chars,
            store,
            session,
            undecoded: Vec::new(),
            kept,
            counts: Counts::default(),
        }
    }

    fn take(&mut self, bytes: &[u8], new: &str) {
        self.counts.bytes += as_u64(bytes.len());
        self.counts.chars += as_u64(count(new));
        self.counts.breaks += as_u64(new.matches('\n').count());
        self.counts.last = new.chars().next_back().or(self.counts.last);
        match &mut self.kept {
            Kept::All { bytes: all, text } => {
                all.extend_from_slice(bytes);
                text.push_str(new);
                if self.counts.chars > as_u64(self.limit_chars) {
                    self.let_middle_go();
                }
            }
            Kept::Ends { tail, spill, .. } => {
                if let Some(spill) = spill {
                    // A failed write is told when the spill is finished.
                    let _ = spill.write_all(bytes);
                }
                tail.push_str(new);
                trim(tail, self.limit_chars / 2);
            }
        }
    }

    /// From now on only the ends stay in memory.
    fn let_middle_go(&mut self) {
        let Kept::All { bytes, text } = &self.kept else {
            return;
        };
        let mut spill = self.store.create_spill(self.session.as_deref()).ok();
        if let Some(spill) = &mut spill {
            let _ = spill.write_all(bytes);
        }
        let head = first_chars(text, self.limit_chars - self.limit_chars / 2).to_owned();
        let mut tail = text.get(head.len()..).unwrap_or_default().to_owned();
        trim(&mut tail, self.limit_chars / 2);
        self.kept = Kept::Ends { head, tail, spill };
    }
}

/// Drops the front of a tail that has grown to twice its length or more.
fn trim(tail: &mut String, chars: usize) {
    const MOST_BYTES_A_CHAR: usize = 4;
    if tail.len() > 2 * MOST_BYTES_A_CHAR * chars.max(1) {
        *tail = last_chars(tail, chars).to_owned();
    }
}

impl Sink for Recorder {
    fn write(&mut self, chunk: &[u8]) {
        let mut bytes = std::mem::take(&mut self.undecoded);
        bytes.extend_from_slice(chunk);
        let (text, rest) = decode(&bytes);
        self.undecoded = bytes.get(bytes.len() - rest..).unwrap_or_default().to_vec();
        let taken = bytes.get(..bytes.len() - rest).unwrap_or_default();
        self.take(taken, &text);
    }
}

impl Capture for Recorder {
    fn finish(mut self: Box<Self>) -> Captured {
        let rest = std::mem::take(&mut self.undecoded);
        let text = String::from_utf8_lossy(&rest).into_owned();
        self.take(&rest, &text);
        let Counts {
            bytes,
            chars,
            breaks,
            last,
        } = self.counts;
        let open_line = u64::from(last.is_some_and(|char| char != '\n'));
        let counted = Captured {
            total_bytes: bytes,
            total_chars: chars,
            total_lines: breaks + open_line,
            ..Captured::default()
        };
        match self.kept {
            Kept::All { text, .. } => Captured {
                head: text,
                ..counted
            },
            Kept::Ends { head, tail, spill } => {
                let tail = last_chars(&tail, self.limit_chars / 2).to_owned();
                let omitted_chars = chars.saturating_sub(as_u64(count(&head) + count(&tail)));
                let spill = spill
                    .and_then(|spill| spill.finish().ok())
                    .map(|id| id.to_string());
                Captured {
                    head,
                    tail,
                    omitted_chars,
                    spill,
                    ..counted
                }
            }
        }
    }
}

/// Decodes as much as is whole; gives the text and how many bytes at the end belong to an unfinished character.
pub(crate) fn decode(bytes: &[u8]) -> (String, usize) {
    let mut text = String::with_capacity(bytes.len());
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        text.push_str(chunk.valid());
        let invalid = chunk.invalid();
        if chunks.peek().is_none() && is_unfinished(invalid) {
            return (text, invalid.len());
        }
        if !invalid.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    (text, 0)
}

/// Whether more bytes could make a character of these.
fn is_unfinished(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|err| err.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::Recorder;
    use proptest::prelude::*;
    use toolpost_core::{Capture, Captured};
    use toolpost_host::Sink;
    use toolpost_store::Store;

    fn record(chunks: &[&[u8]], limit_chars: usize) -> (Captured, Store, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path());
        let mut recorder = Box::new(Recorder::new(limit_chars, store.clone(), None));
        chunks.iter().for_each(|chunk| recorder.write(chunk));
        (recorder.finish(), store, folder)
    }

    #[test]
    fn a_short_stream_is_kept_whole() {
        let (captured, ..) = record(&[b"a\nb", b"c\n"], 100);
        assert_eq!(
            (captured.head.as_str(), captured.omitted_chars),
            ("a\nbc\n", 0)
        );
        assert_eq!((captured.total_lines, captured.total_chars), (2, 5));
        assert_eq!(captured.spill, None);
    }

    #[test]
    fn a_character_may_be_split_over_chunks() {
        let (captured, ..) = record(&[b"caf\xc3", b"\xa9 \xf0\x9f", b"\xa6\x80", b"\xff!"], 100);
        assert_eq!(captured.head, "café 🦀\u{fffd}!");
    }

    #[test]
    fn a_long_stream_keeps_its_ends_and_the_store_has_it_all() {
        let lines: Vec<String> = (0..20_000)
            .map(|number| format!("line {number}\n"))
            .collect();
        let chunks: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        let (captured, store, _folder) = record(&chunks, 1_000);
        let whole = lines.concat();
        assert!(whole.starts_with(&captured.head) && captured.head.ends_with('\n'));
        assert!(whole.ends_with(&captured.tail) && captured.tail.starts_with("line "));
        let kept = (captured.head.len() + captured.tail.len()) as u64;
        assert_eq!(captured.omitted_chars + kept, whole.len() as u64);
        let id = captured.spill.unwrap();
        assert_eq!(
            store.read_spill(&id, 0, u64::MAX).unwrap(),
            whole.as_bytes()
        );
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_text(bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0usize..200) {
            let (first, second) = bytes.split_at(at.min(bytes.len()));
            let (split, ..) = record(&[first, second], 10_000);
            prop_assert_eq!(split.head, String::from_utf8_lossy(&bytes));
        }
    }
}
