//! A text as lines that know their line breaks.

/// A line and what ends it: `\n`, `\r\n`, `\r`, or nothing at the end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    pub(crate) ending: &'a str,
}

impl Line<'_> {
    /// How many bytes line and line break take.
    pub(crate) fn len(&self) -> usize {
        self.text.len() + self.ending.len()
    }
}

/// The lines of a text. A carriage return is a line break only where no line feed is in the text, or before one.
pub(crate) fn of(text: &str) -> Vec<Line<'_>> {
    if !text.contains('\n') {
        return split(text, '\r').collect();
    }
    split(text, '\n')
        .map(|line| match line.text.strip_suffix('\r') {
            Some(text) if !line.ending.is_empty() => Line {
                text,
                ending: "\r\n",
            },
            _ => line,
        })
        .collect()
}

fn split(text: &str, at: char) -> impl Iterator<Item = Line<'_>> {
    text.split_inclusive(at)
        .map(move |line| match line.strip_suffix(at) {
            Some(text) => Line {
                text,
                ending: if at == '\n' { "\n" } else { "\r" },
            },
            None => Line {
                text: line,
                ending: "",
            },
        })
}

/// The number, from 1, of the line in which a place lies.
pub(crate) fn number_at(text: &str, place: usize) -> u64 {
    let before = text.get(..place).unwrap_or(text);
    let breaks = if text.contains('\n') {
        before.matches('\n').count()
    } else {
        before.matches('\r').count()
    };
    1 + u64::try_from(breaks).unwrap_or(u64::MAX - 1)
}

/// The line break that a new line at a place is to have: that of the line it lies in, else that of the line before,
/// else `\n`.
pub(crate) fn ending_at(text: &str, place: usize) -> &'static str {
    let (before, after) = (
        text.get(..place).unwrap_or(text),
        text.get(place..).unwrap_or_default(),
    );
    if let Some(at) = after.find('\n') {
        let start = place + at;
        return break_before(text.get(..start).unwrap_or_default());
    }
    if let Some(at) = before.rfind('\n') {
        return break_before(before.get(..at).unwrap_or_default());
    }
    if text.contains('\r') { "\r" } else { "\n" }
}

fn break_before(text: &str) -> &'static str {
    if text.ends_with('\r') { "\r\n" } else { "\n" }
}

/// A text with its bare line feeds written as another line break.
pub(crate) fn with_ending(text: &str, ending: &str) -> String {
    if ending == "\n" || !text.contains('\n') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for piece in text.split_inclusive('\n') {
        match piece.strip_suffix('\n') {
            Some(line) if !line.ends_with('\r') => {
                out.push_str(line);
                out.push_str(ending);
            }
            _ => out.push_str(piece),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{ending_at, number_at, of, with_ending};
    use proptest::prelude::*;

    #[test]
    fn lines_know_their_breaks() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let lines: Vec<(&str, &str)> = of(text)
                .iter()
                .map(|line| (line.text, line.ending))
                .collect();
            assert_eq!(lines, expected, "{text:?}");
        };
        check("", &[]);
        check("a", &[("a", "")]);
        check("a\n\nb", &[("a", "\n"), ("", "\n"), ("b", "")]);
        check("a\r\nb\n", &[("a", "\r\n"), ("b", "\n")]);
        check("a\rb\r", &[("a", "\r"), ("b", "\r")]);
        check("a\rb\nc\r", &[("a\rb", "\n"), ("c\r", "")]);
    }

    #[test]
    fn new_lines_end_like_their_neighbours() {
        let check = |text: &str, place: usize, expected: &str| {
            assert_eq!(ending_at(text, place), expected, "{text:?} at {place}");
        };
        check("a\r\nb\nc", 0, "\r\n");
        check("a\r\nb\nc", 3, "\n");
        check("a\r\nb", 4, "\r\n");
        check("a\rb", 0, "\r");
        check("a", 1, "\n");
        assert_eq!(with_ending("a\nb\r\nc", "\r\n"), "a\r\nb\r\nc");
        assert_eq!(number_at("a\nb\nc", 2), 2);
        assert_eq!(number_at("a\rb", 2), 2);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[ab\r\n]{0,30}") {
            let joined: String = of(&text).iter().flat_map(|line| [line.text, line.ending]).collect();
            prop_assert_eq!(joined, text);
        }
    }
}
