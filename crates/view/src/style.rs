//! How to draw.

/// How to draw: for whom, how wide, how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The columns of the screen. Fewer than [`Style::WIDTH_LEAST`] count as that.
    pub width: usize,
    /// Whether colours are wanted.
    pub colour: Colour,
    /// How many lines of a block are shown before the rest is only counted. Fewer than [`Style::LINES_LEAST`] count as
    /// that.
    pub max_lines: usize,
}

/// Whether colours are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text: for pipes, files and stories.
    Never,
    /// ANSI sequences in the sixteen colours of the terminal's own theme.
    Ansi,
}

impl Style {
    /// The narrowest screen that is drawn for, in columns.
    pub const WIDTH_LEAST: usize = 40;
    /// The fewest lines that a block is cut to.
    pub const LINES_LEAST: usize = 4;
    /// Plain text, 100 columns, 40 lines a block: the same on every machine.
    pub const PLAIN: Self = Self {
        width: 100,
        colour: Colour::Never,
        max_lines: 40,
    };

    /// Colours for a screen of this width.
    #[must_use]
    pub const fn ansi(width: usize) -> Self {
        Self {
            width,
            colour: Colour::Ansi,
            ..Self::PLAIN
        }
    }

    pub(crate) fn columns(&self) -> usize {
        self.width.max(Self::WIDTH_LEAST)
    }

    pub(crate) fn rows(&self) -> usize {
        self.max_lines.max(Self::LINES_LEAST)
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::PLAIN
    }
}
