//! What a model reads.

use std::fmt::Write as _;

/// What a tool has to say to a model, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Words {
    /// The pieces.
    pub segments: Vec<Segment>,
    /// Whether a family's protocol is to call the outcome an error. The call's status is not changed by it.
    pub tone: Tone,
}

/// A piece of what a model reads.
#[derive(Debug, Clone, PartialEq)]
pub enum Segment {
    /// The tool's own words: short, never cut.
    Own(String),
    /// What the tool found or made; it may be cut.
    Payload(String),
    /// What a stream brought; its middle may be missing already.
    Captured(Captured),
    /// A picture.
    Image {
        /// For example `image/png`.
        media_type: String,
        /// The picture's bytes in standard base64.
        base64: String,
    },
}

/// Whether an outcome is shown as an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// As a result.
    #[default]
    Plain,
    /// As an error, for example a command that exits 1 in a family that is used to that.
    Error,
}

/// A stream's text: all of it, or its two ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Captured {
    /// The beginning; everything when nothing was left out.
    pub head: String,
    /// The end; empty when nothing was left out.
    pub tail: String,
    /// How many characters lie between the two.
    pub omitted_chars: u64,
    /// How many characters there were.
    pub total_chars: u64,
    /// How many lines there were; a last one without a line break counts.
    pub total_lines: u64,
    /// How many bytes there were before decoding.
    pub total_bytes: u64,
    /// The id of the whole text in the store, when something was left out.
    pub spill: Option<String>,
}

impl Captured {
    /// Whether nothing came.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total_chars == 0
    }

    /// The text with a plain mark where something is missing.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.head.clone();
        if self.omitted_chars > 0 {
            let _ = write!(text, "\n[… {} characters omitted …]\n", self.omitted_chars);
        }
        text.push_str(&self.tail);
        text
    }
}

/// A piece of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Text.
    Text(String),
    /// A picture.
    Image {
        /// For example `image/png`.
        media_type: String,
        /// The picture's bytes in standard base64.
        base64: String,
    },
}

impl Words {
    /// A tool's own words alone.
    #[must_use]
    pub fn own(text: impl Into<String>) -> Self {
        Self::default().and_own(text)
    }

    /// What a tool found or made alone.
    #[must_use]
    pub fn payload(text: impl Into<String>) -> Self {
        Self::default().and_payload(text)
    }

    /// Adds own words.
    #[must_use]
    pub fn and_own(mut self, text: impl Into<String>) -> Self {
        self.segments.push(Segment::Own(text.into()));
        self
    }

    /// Adds what was found or made.
    #[must_use]
    pub fn and_payload(mut self, text: impl Into<String>) -> Self {
        self.segments.push(Segment::Payload(text.into()));
        self
    }

    /// Adds what a stream brought.
    #[must_use]
    pub fn and_captured(mut self, captured: Captured) -> Self {
        self.segments.push(Segment::Captured(captured));
        self
    }

    /// Sets the tone.
    #[must_use]
    pub fn tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }

    /// All text in one, nothing cut.
    #[must_use]
    pub fn text(&self) -> String {
        let piece = |segment: &Segment| match segment {
            Segment::Own(text) | Segment::Payload(text) => text.clone(),
            Segment::Captured(captured) => captured.text(),
            Segment::Image { .. } => String::new(),
        };
        self.segments.iter().map(piece).collect()
    }
}
