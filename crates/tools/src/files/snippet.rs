//! The changed place as it now is.

use std::ops::Range;

use crate::files::lines;

/// The most lines around a change that a face shows.
const CONTEXT_LINES: u64 = 5;
/// How many changed lines are shown.
const CHANGED_LINES: u64 = 30;
/// How many characters of a line are shown.
const LINE_CHARS: usize = 500;

/// Lines around a change, with their numbers from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Snippet {
    lines: Vec<(u64, String)>,
    first: u64,
    last: u64,
}

impl Snippet {
    /// Takes the lines around a part of a text.
    pub(crate) fn around(text: &str, part: Range<usize>) -> Self {
        let first = lines::number_at(text, part.start);
        let ends = part.end.saturating_sub(1).max(part.start);
        let last = lines::number_at(text, floor(text, ends)).min(first + CHANGED_LINES - 1);
        let from = first.saturating_sub(CONTEXT_LINES).max(1);
        let skip = usize::try_from(from - 1).unwrap_or(usize::MAX);
        let all = lines::of(text);
        let lines = (from..=last + CONTEXT_LINES)
            .zip(all.iter().skip(skip))
            .map(|(number, line)| (number, shortened(line.text)))
            .collect();
        Self { lines, first, last }
    }

    /// Whether a line is among those that are shown with so many lines around the change.
    pub(crate) fn shows(&self, line: u64, context: u64) -> bool {
        line <= self.last + context
    }

    /// Which lines are shown with so many around the change, half-open and from 0.
    pub(crate) fn seen(&self, context: u64) -> (u64, u64) {
        let start = self.first.saturating_sub(context + 1);
        let end = self.lines.last().map_or(start, |(number, _)| *number);
        (start, end.min(self.last + context).max(start))
    }

    /// The lines as `number⇥text`, with so many around the change.
    pub(crate) fn text(&self, context: u64) -> String {
        let wanted = self.first.saturating_sub(context)..=self.last + context;
        let shown = self
            .lines
            .iter()
            .filter(|(number, _)| wanted.contains(number));
        let lines: Vec<String> = shown
            .map(|(number, line)| format!("{number}\t{line}"))
            .collect();
        lines.join("\n")
    }
}

/// The nearest character border at or before a place.
fn floor(text: &str, place: usize) -> usize {
    (0..=place)
        .rev()
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or(0)
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::Snippet;

    #[test]
    fn the_changed_place_is_shown() {
        let text: String = (1..=20).map(|number| format!("l{number}\n")).collect();
        let check = |part: std::ops::Range<usize>, context: u64, expected: &str| {
            let shown = Snippet::around(&text, part).text(context);
            assert_eq!(
                shown.replace('\t', ":").replace('\n', " ").trim_end(),
                expected
            );
        };
        check(0..2, 1, "1:l1 2:l2");
        check(0..3, 0, "1:l1");
        check(3..9, 1, "1:l1 2:l2 3:l3 4:l4");
        check(12..12, 1, "4:l4 5:l5 6:l6");
        assert_eq!(Snippet::around(&text, 12..12).seen(3), (1, 8));
        assert_eq!(Snippet::around("a\nb\n", 0..1).seen(3), (0, 2));
    }
}
