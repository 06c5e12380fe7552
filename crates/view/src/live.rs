//! What a program prints, as it comes.

use crate::limit::more;
use crate::line::{FRAME_COLUMNS, Line, framed, render};
use crate::style::Style;
use crate::terminal::{printed, printed_rows};

/// A line without an end is shown once it is this long, in bytes.
const LINE_BYTES: usize = 4_096;

/// Shows streamed output in the card's frame, whole lines at a time, up to the style's limit of lines. What comes after
/// is counted.
#[derive(Debug)]
pub struct Live {
    style: Style,
    begun: String,
    shown: usize,
    hidden: u64,
}

impl Live {
    /// Nothing has come yet.
    #[must_use]
    pub fn new(style: Style) -> Self {
        Self {
            style,
            begun: String::new(),
            shown: 0,
            hidden: 0,
        }
    }

    /// Takes a piece of output; gives the lines that it completes, ready to be printed.
    pub fn push(&mut self, piece: &str) -> String {
        self.begun.push_str(piece);
        let whole = match self.begun.rfind('\n') {
            Some(end) => self.begun.split_off(end + 1),
            None if self.begun.len() >= LINE_BYTES => String::new(),
            None => return String::new(),
        };
        let lines = std::mem::replace(&mut self.begun, whole);
        self.show(&lines)
    }

    /// Gives the line that was begun, and how many lines were not shown.
    #[must_use]
    pub fn finish(mut self) -> String {
        let last = std::mem::take(&mut self.begun);
        let mut shown = self.show(&last);
        if self.hidden > 0 {
            let left = framed(vec![more(self.hidden, "line")]);
            shown += &render(&left, self.style.colour);
        }
        shown
    }

    /// Whether a line was shown or begun.
    pub(crate) fn has_come(&self) -> bool {
        self.shown > 0 || self.hidden > 0 || !self.begun.is_empty()
    }

    fn show(&mut self, text: &str) -> String {
        let columns = self.style.columns().saturating_sub(FRAME_COLUMNS);
        let mut rows: Vec<Line> = Vec::new();
        for line in printed(text) {
            let next = printed_rows(&line, columns);
            if self.shown + next.len() > self.style.rows() {
                self.hidden = self.hidden.saturating_add(1);
            } else {
                self.shown += next.len();
                rows.extend(next);
            }
        }
        render(&framed(rows), self.style.colour)
    }
}

/// Shows a text that was streamed, all at once.
#[must_use]
pub fn live(text: &str, style: &Style) -> String {
    let mut live = Live::new(*style);
    let lines = live.push(text);
    lines + &live.finish()
}

#[cfg(test)]
mod tests {
    use super::Live;
    use crate::style::Style;

    #[test]
    fn lines_are_shown_when_they_are_whole() {
        let mut live = Live::new(Style::PLAIN);
        assert_eq!(live.push("ok "), "");
        assert_eq!(live.push("1\nok 2\nnot"), "│ ok 1\n│ ok 2\n");
        assert_eq!(live.push("\n\n"), "│ not\n│\n");
        assert_eq!(live.push("ok 4"), "");
        assert_eq!(live.finish(), "│ ok 4\n");
    }

    #[test]
    fn a_flood_is_counted() {
        let style = Style {
            max_lines: 4,
            ..Style::PLAIN
        };
        let mut live = Live::new(style);
        assert_eq!(live.push("1\n2\n3\n4\n5\n6\n"), "│ 1\n│ 2\n│ 3\n│ 4\n");
        assert_eq!(live.push("7\n"), "");
        assert_eq!(live.finish(), "│ … 3 more lines\n");
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let mut live = Live::new(Style::PLAIN);
        assert!(live.push(&"x".repeat(5_000)).starts_with("│ xxx"));
        assert_eq!(live.finish(), "");
    }
}
