//! The block of lines around an anchor, by indentation.

use std::ops::Range;

/// How many columns a tab takes.
const TAB_COLUMNS: usize = 4;

/// What belongs to a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// How many levels outward from the anchor; 0 for all.
    pub(crate) levels: u64,
    /// Whether the blocks beside it on its level belong to it.
    pub(crate) siblings: Siblings,
    /// Whether the comments right above it belong to it.
    pub(crate) header: Header,
}

/// Whether the blocks beside a block belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Siblings {
    /// They do.
    Included,
    /// They do not.
    Left,
}

/// Whether the comments above a block belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Header {
    /// They do.
    Included,
    /// They do not.
    Left,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            levels: 1,
            siblings: Siblings::Left,
            header: Header::Included,
        }
    }
}

/// Finds the block around a line, half-open and from 0.
///
/// A line that opens a block counts as being in it. Where nothing is indented, the block is the paragraph.
pub(super) fn around(lines: &[&str], anchor: usize, shape: Shape) -> Range<usize> {
    let text = Indents(lines);
    let Some(opener) = text.opener(anchor, shape.levels) else {
        return text.paragraph(anchor);
    };
    let level = text.of(opener).unwrap_or(0);
    let (mut start, mut end) = (opener, text.end_of(opener, anchor, level));
    if shape.siblings == Siblings::Included {
        start = text.first_beside(start, level);
        end = text.last_beside(end, level);
    }
    if shape.header == Header::Included {
        start = text.header_of(start, level);
    }
    text.without_blanks(start..end)
}

/// Takes so many lines of a block that are nearest to the anchor.
pub(super) fn near(block: Range<usize>, anchor: usize, limit: usize) -> Range<usize> {
    if block.len() <= limit {
        return block;
    }
    let start = anchor.saturating_sub(limit / 2).max(block.start);
    let start = start.min(block.end - limit);
    start..start + limit
}

struct Indents<'a>(&'a [&'a str]);

impl Indents<'_> {
    fn line(&self, at: usize) -> &str {
        self.0.get(at).copied().unwrap_or_default()
    }

    /// How far a line is indented, in columns; `None` for a blank one.
    fn of(&self, at: usize) -> Option<usize> {
        let line = self.line(at);
        let rest = line.trim_start_matches([' ', '\t']);
        let blanks = line.len() - rest.len();
        let columns = line.get(..blanks)?.chars().map(|char| match char {
            '\t' => TAB_COLUMNS,
            _ => 1,
        });
        (!rest.trim().is_empty()).then(|| columns.sum())
    }

    /// Whether the next line that is not blank is indented further.
    fn opens(&self, at: usize) -> bool {
        let mut next = (at + 1..self.0.len()).filter_map(|at| self.of(at));
        self.of(at)
            .zip(next.next())
            .is_some_and(|(own, next)| next > own)
    }

    /// The line that opens the block so many levels outward.
    fn opener(&self, anchor: usize, levels: u64) -> Option<usize> {
        let levels = if levels == 0 { u64::MAX } else { levels };
        let mut found = self.opens(anchor).then_some(anchor);
        let mut passed = u64::from(found.is_some());
        let near = || (0..=anchor).rev().chain(anchor..self.0.len());
        let mut indent = near().find_map(|at| self.of(at))?;
        for at in (0..anchor).rev() {
            if passed >= levels {
                break;
            }
            let own = self.of(at).filter(|own| *own < indent);
            if let Some(own) = own.filter(|_| !self.closes(at)) {
                (found, indent) = (Some(at), own);
                passed += 1;
            }
        }
        found
    }

    /// Where the block ends that is opened here and holds the anchor.
    fn end_of(&self, opener: usize, anchor: usize, level: usize) -> usize {
        let mut end = opener + 1;
        for at in opener + 1..self.0.len() {
            match self.of(at) {
                None => {}
                Some(own) if own > level => end = at + 1,
                Some(own) if own == level && self.closes(at) => {
                    end = at + 1;
                    if !self.opens(at) {
                        break;
                    }
                }
                Some(_) => break,
            }
        }
        end.max(anchor + 1)
    }

    /// Whether a line ends a block or goes on with it.
    fn closes(&self, at: usize) -> bool {
        let line = self.line(at).trim();
        let words = [
            "end", "fi", "done", "esac", "else", "elif", "except", "finally", "catch", "rescue",
            "ensure",
        ];
        let word = line.split(|char: char| !char.is_ascii_alphabetic()).next();
        line.starts_with(['}', ')', ']'])
            || line.starts_with("</")
            || words.iter().any(|own| word == Some(own))
    }

    fn first_beside(&self, start: usize, level: usize) -> usize {
        let inside = |at: &usize| self.of(*at).is_none_or(|own| own >= level);
        (0..start).rev().take_while(inside).last().unwrap_or(start)
    }

    fn last_beside(&self, end: usize, level: usize) -> usize {
        let inside = |at: &usize| self.of(*at).is_none_or(|own| own >= level);
        (end..self.0.len())
            .take_while(inside)
            .last()
            .map_or(end, |at| at + 1)
    }

    /// The first of the comments, attributes and decorators right above a line.
    fn header_of(&self, start: usize, level: usize) -> usize {
        let marks = ["//", "#", "/*", "*", "--", ";", "@", "%", "<!--"];
        let belongs = |at: &usize| {
            let line = self.line(*at).trim_start();
            self.of(*at) >= Some(level) && marks.iter().any(|mark| line.starts_with(mark))
        };
        (0..start).rev().take_while(belongs).last().unwrap_or(start)
    }

    fn paragraph(&self, anchor: usize) -> Range<usize> {
        let filled = |at: &usize| self.of(*at).is_some();
        let start = (0..anchor)
            .rev()
            .take_while(filled)
            .last()
            .unwrap_or(anchor);
        let end = (anchor + 1..self.0.len()).take_while(filled).last();
        start..end.map_or(anchor + 1, |at| at + 1)
    }

    fn without_blanks(&self, range: Range<usize>) -> Range<usize> {
        let filled = |at: &usize| self.of(*at).is_some();
        let first = range.clone().find(filled).unwrap_or(range.start);
        let last = range
            .clone()
            .rev()
            .find(filled)
            .map_or(range.end, |at| at + 1);
        first..last
    }
}

#[cfg(test)]
mod tests {
    use super::{Header, Shape, Siblings, around, near};
    use proptest::prelude::*;

    const RUST: &str = "\
use x;

// About one.
impl One {
    /// About a.
    fn a() {
        if ok {
            go();
        } else {
            stop();
        }
    }

    fn b() {}
}

fn last() {}
";

    fn block(text: &str, anchor: usize, shape: Shape) -> (usize, usize) {
        let lines: Vec<&str> = text.lines().collect();
        let range = around(&lines, anchor - 1, shape);
        (range.start + 1, range.end)
    }

    #[test]
    fn blocks_grow_outward() {
        let check = |text: &str, anchor: usize, levels: u64, expected: (usize, usize)| {
            let shape = Shape {
                levels,
                ..Shape::default()
            };
            assert_eq!(
                block(text, anchor, shape),
                expected,
                "line {anchor}, {levels} levels"
            );
        };
        check(RUST, 8, 1, (7, 11));
        check(RUST, 8, 2, (5, 12));
        check(RUST, 8, 3, (3, 15));
        check(RUST, 8, 0, (3, 15));
        check(RUST, 6, 1, (5, 12));
        check(RUST, 1, 1, (1, 1));
        check("a\nb\n\nc\n", 2, 1, (1, 2));
        let python = "def f():\n  if a:\n    b\n\n  c\n\ndef g():\n  d\n";
        check(python, 3, 1, (2, 3));
        check(python, 4, 2, (1, 5));
        check(python, 5, 1, (1, 5));
        check(python, 8, 0, (7, 8));
    }

    #[test]
    fn siblings_and_headers_are_asked_for() {
        let shape = Shape {
            levels: 2,
            siblings: Siblings::Included,
            header: Header::Left,
        };
        assert_eq!(block(RUST, 8, shape), (5, 14));
        let shape = Shape {
            siblings: Siblings::Left,
            ..shape
        };
        assert_eq!(block(RUST, 8, shape), (6, 12));
    }

    #[test]
    fn a_part_of_a_block_lies_around_the_anchor() {
        assert_eq!(near(0..10, 5, 20), 0..10);
        assert_eq!(near(0..10, 5, 4), 3..7);
        assert_eq!(near(0..10, 0, 4), 0..4);
        assert_eq!(near(0..10, 9, 4), 6..10);
    }

    proptest! {
        #[test]
        fn the_anchor_is_always_inside(text in "([ \t]{0,3}[a}#]?\n){1,12}", anchor in 0usize..12, levels in 0u64..4) {
            let lines: Vec<&str> = text.lines().collect();
            let anchor = anchor.min(lines.len() - 1);
            let shape = Shape { levels, ..Shape::default() };
            let range = around(&lines, anchor, shape);
            prop_assert!(range.end <= lines.len());
            let blank = lines[anchor].trim().is_empty();
            prop_assert!(blank || range.contains(&anchor), "{range:?} {anchor}");
            prop_assert!(near(range.clone(), anchor, 2).len() <= 2);
        }
    }
}
