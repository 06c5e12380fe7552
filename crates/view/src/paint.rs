//! What a piece of text is, and the colour that goes with it.

use anstyle::{AnsiColor, Style};
use toolpost_core::{Kind, Status};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Text as it stands.
    Plain,
    /// Frames, numbers, counts.
    Quiet,
    /// Titles and paths.
    Strong,
    /// A character that is shown as an escape.
    Escape,
    /// A line that is new.
    Added,
    /// The part of a new line that differs.
    AddedStrong,
    /// A line that is gone.
    Removed,
    /// The part of a gone line that differs.
    RemovedStrong,
    /// It went well.
    Good,
    /// It went badly.
    Bad,
    /// It was stopped, or waits.
    Held,
    /// The mark of a kind.
    Mark(Kind),
}

impl Paint {
    /// The colour, out of the sixteen that every terminal's theme defines.
    pub(crate) fn style(self) -> Style {
        let plain = Style::new();
        let colour = |colour: AnsiColor| plain.fg_color(Some(colour.into()));
        match self {
            Self::Plain => plain,
            Self::Quiet => colour(AnsiColor::BrightBlack),
            Self::Strong => plain.bold(),
            Self::Escape => colour(AnsiColor::Yellow).invert(),
            Self::Added | Self::Good => colour(AnsiColor::Green),
            Self::AddedStrong => colour(AnsiColor::Green).bold().invert(),
            Self::Removed | Self::Bad => colour(AnsiColor::Red),
            Self::RemovedStrong => colour(AnsiColor::Red).bold().invert(),
            Self::Held => colour(AnsiColor::Yellow),
            Self::Mark(kind) => colour(hue(kind)).bold(),
        }
    }
}

fn hue(kind: Kind) -> AnsiColor {
    match kind {
        Kind::Read => AnsiColor::Blue,
        Kind::Search => AnsiColor::Cyan,
        Kind::Edit | Kind::Move => AnsiColor::Green,
        Kind::Delete => AnsiColor::Red,
        Kind::Execute => AnsiColor::Magenta,
        Kind::Fetch => AnsiColor::Yellow,
        Kind::Other => AnsiColor::White,
    }
}

/// The one character that stands before a title. Each is one column wide.
pub(crate) fn mark(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "≡",
        Kind::Search => "⌕",
        Kind::Edit => "✎",
        Kind::Delete => "✕",
        Kind::Move => "→",
        Kind::Execute => "▸",
        Kind::Fetch => "↓",
        Kind::Other => "•",
    }
}

/// The mark and colour of an ending.
pub(crate) fn ending(status: Status) -> (&'static str, Paint) {
    match status {
        Status::Ok => ("✓", Paint::Good),
        Status::Error | Status::Invalid | Status::Lost => ("✗", Paint::Bad),
        Status::Denied | Status::Cancelled | Status::Timeout | Status::Busy => ("■", Paint::Held),
        Status::Unknown => ("?", Paint::Held),
    }
}
