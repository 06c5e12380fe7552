//! A line on the screen, before colours become sequences.

use unicode_width::UnicodeWidthStr as _;

use crate::cells::{Cell, cells};
use crate::paint::Paint;
use crate::style::Colour;

/// A line: pieces of text with what they are. What is put in is harmless already, or the crate's own.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Line {
    spans: Vec<(String, Paint)>,
}

impl Line {
    /// A line of one piece.
    pub(crate) fn of(text: impl AsRef<str>, paint: Paint) -> Self {
        Self::default().and(text, paint)
    }

    /// Adds a piece.
    pub(crate) fn and(mut self, text: impl AsRef<str>, paint: Paint) -> Self {
        self.push(text.as_ref(), paint);
        self
    }

    /// Adds another line's pieces.
    pub(crate) fn join(mut self, other: Self) -> Self {
        for (text, paint) in other.spans {
            self.push(&text, paint);
        }
        self
    }

    fn push(&mut self, text: &str, paint: Paint) {
        match self.spans.last_mut() {
            Some((last, same)) if *same == paint => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.spans.push((text.to_owned(), paint)),
        }
    }

    /// The columns that the line takes.
    pub(crate) fn columns(&self) -> usize {
        self.spans.iter().map(|(text, _)| text.width()).sum()
    }

    /// The pieces again as cells.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        self.spans
            .iter()
            .flat_map(|(text, paint)| cells(text, *paint))
    }

    fn write(&self, out: &mut String, colour: Colour) {
        match colour {
            Colour::Never => {
                let plain: String = self.spans.iter().map(|(text, _)| text.as_str()).collect();
                out.push_str(plain.trim_end_matches(' '));
            }
            Colour::Ansi => {
                for (text, paint) in &self.spans {
                    let style = paint.style();
                    out.push_str(&format!("{style}{text}{style:#}"));
                }
            }
        }
    }
}

impl<'a> FromIterator<Cell<'a>> for Line {
    fn from_iter<I: IntoIterator<Item = Cell<'a>>>(cells: I) -> Self {
        let mut line = Self::default();
        for cell in cells {
            line.push(&cell.text, cell.paint);
        }
        line
    }
}

/// The lines as text; each ends with a line break, and plain ones with no blank before it.
pub(crate) fn render(lines: &[Line], colour: Colour) -> String {
    let mut out = String::new();
    for line in lines {
        line.write(&mut out, colour);
        out.push('\n');
    }
    out
}

/// Puts one piece before the first line and another before the others.
pub(crate) fn indent(lines: Vec<Line>, first: &Line, others: &Line) -> Vec<Line> {
    let place = |(index, line): (usize, Line)| {
        let before = if index == 0 { first } else { others };
        before.clone().join(line)
    };
    lines.into_iter().enumerate().map(place).collect()
}

/// The quiet frame at the left of a card's body.
pub(crate) fn framed(lines: Vec<Line>) -> Vec<Line> {
    let bar = Line::of("│ ", Paint::Quiet);
    indent(lines, &bar, &bar)
}

/// The columns that the frame takes.
pub(crate) const FRAME_COLUMNS: usize = 2;
