//! Finding the text that is to be changed.
//!
//! Exact text comes first. Then a ladder that forgives more from rung to rung: line breaks, trailing space, typographic
//! characters; and on its own, an indentation that is the same amount too wide or too narrow on every line. A rung finds a place in the file; the bytes of that place stay the file's own until they are replaced.
//! No place begins or ends inside a CRLF pair: a line break is found as a whole, or not at all.

use std::ops::Range;

use crate::files::{fold, indents};

/// What counts as trailing space.
const BLANKS: [char; 2] = [' ', '\t'];

/// How a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum How {
    /// As it is.
    Exact,
    /// With other line breaks, or without the last one at the end of the file.
    LineBreaks,
    /// With other trailing space too.
    TrailingSpace,
    /// With typographic characters for plain ones, or the other way, too.
    Typography,
    /// With every line indented by the same amount more or less.
    Indentation,
}

impl How {
    /// What had to be forgiven; nothing where the match was exact.
    pub(crate) fn forgiven(self) -> Option<&'static str> {
        match self {
            Self::Exact => None,
            Self::LineBreaks => Some("line breaks"),
            Self::TrailingSpace => Some("trailing space"),
            Self::Typography => Some("typographic characters"),
            Self::Indentation => Some("the indentation"),
        }
    }

    /// What is to be said of a match that was not exact, as a sentence.
    pub(crate) fn told(self) -> Option<String> {
        let forgiven = self.forgiven()?;
        let kept = match self {
            Self::Indentation => {
                "`new` was indented like the lines there, and lines that did not change kept their bytes"
            }
            _ => "lines that did not change kept their bytes",
        };
        Some(format!("The match ignored {forgiven}; {kept}."))
    }

    /// Whether a rung can find more of this text than the one before it.
    fn matters(self, wanted: &str) -> bool {
        let breaks = wanted.contains(['\n', '\r']);
        match self {
            Self::Exact | Self::Typography | Self::Indentation => true,
            Self::LineBreaks => breaks,
            Self::TrailingSpace => breaks || wanted.ends_with(BLANKS),
        }
    }
}

/// The places at which a text was found, in order, none reaching into another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) spans: Vec<Range<usize>>,
    pub(crate) how: How,
    /// Whether it is also found at places that reach into these.
    pub(crate) overlaps: bool,
}

/// Finds a text that is not empty, at the first rung at which it is found at all.
pub(crate) fn find(text: &str, wanted: &str) -> Option<Found> {
    let rungs = [How::LineBreaks, How::TrailingSpace, How::Typography];
    exact(text, wanted).or_else(|| {
        // What no rung forgives has to be there; most misses end here, fast.
        let possible = text.contains(firm_part(wanted));
        let mut rungs = rungs
            .into_iter()
            .filter(|how| possible && how.matters(wanted));
        rungs
            .find_map(|how| forgiving(text, wanted, how))
            .or_else(|| possible.then(|| shifted(text, wanted)).flatten())
    })
}

fn shifted(text: &str, wanted: &str) -> Option<Found> {
    let spans = indents::find(text, wanted);
    (!spans.is_empty()).then_some(Found {
        spans,
        how: How::Indentation,
        overlaps: false,
    })
}

/// The longest part of a text in which no rung forgives anything.
fn firm_part(text: &str) -> &str {
    let soft = |char: char| {
        char.is_whitespace() || ['-', '\'', '"'].contains(&char) || fold::plain(char) != char
    };
    let parts = text.split(soft);
    parts.max_by_key(|part| part.len()).unwrap_or_default()
}

fn exact(text: &str, wanted: &str) -> Option<Found> {
    let spans: Vec<Range<usize>> = text
        .match_indices(wanted)
        .map(|(start, part)| start..start + part.len())
        .collect();
    // Half a line break is none; the next rung finds the whole ones.
    if spans.iter().any(|span| parts_a_break(text, span)) {
        return None;
    }
    let step = wanted.chars().next().map_or(1, char::len_utf8);
    let overlaps = spans.iter().any(|span| {
        let rest = text.get(span.start + step..).unwrap_or_default();
        // Another match that begins inside this one.
        let reach = (2 * wanted.len()).saturating_sub(step + 1);
        let window = floor(rest, reach);
        window
            .find(wanted)
            .is_some_and(|at| span.start + step + at < span.end)
    });
    (!spans.is_empty()).then_some(Found {
        spans,
        how: How::Exact,
        overlaps,
    })
}

/// Whether one of a part's ends lies between a carriage return and its line feed.
fn parts_a_break(text: &str, part: &Range<usize>) -> bool {
    let inside = |place: usize| {
        text.get(..place)
            .is_some_and(|before| before.ends_with('\r'))
            && text
                .get(place..)
                .is_some_and(|after| after.starts_with('\n'))
    };
    inside(part.start) || inside(part.end)
}

/// The beginning of a text, at most `end` bytes of it.
fn floor(text: &str, end: usize) -> &str {
    if end >= text.len() {
        return text;
    }
    let end = (0..=end).rev().find(|place| text.is_char_boundary(*place));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}

fn forgiving(text: &str, wanted: &str, how: How) -> Option<Found> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut free_from = 0;
    let begins_with_break = wanted.starts_with(['\n', '\r']);
    // Blanks before a line break are forgiven as one run, so that only the run's beginning is tried.
    let blank_line = {
        let rest = wanted.trim_start_matches(BLANKS);
        how >= How::TrailingSpace && (rest.is_empty() || rest.starts_with(['\n', '\r']))
    };
    let first = wanted
        .chars()
        .next()
        .filter(|char| !char.is_whitespace())
        .map(fold::plain);
    let mut before = None;
    for (start, char) in text.char_indices() {
        let inside_break = begins_with_break && char == '\n' && before == Some('\r');
        let inside_run = blank_line && before.is_some_and(|before| BLANKS.contains(&before));
        before = Some(char);
        let other = first.is_some_and(|first| fold::plain(char) != first);
        if start < free_from || inside_break || inside_run || other {
            continue;
        }
        let rest = text.get(start..).unwrap_or_default();
        let Some(left) = begins(rest, wanted, how) else {
            continue;
        };
        let end = text.len() - left.len();
        if end > start {
            spans.push(start..end);
            free_from = end;
        }
    }
    (!spans.is_empty()).then_some(Found {
        spans,
        how,
        overlaps: false,
    })
}

/// Whether a text begins with the wanted one as far as a rung forgives; what is left of it then.
fn begins<'a>(text: &'a str, wanted: &str, how: How) -> Option<&'a str> {
    let (mut text, mut wanted) = (text, wanted);
    while !wanted.is_empty() {
        if how >= How::TrailingSpace {
            let bare = wanted.trim_start_matches(BLANKS);
            if bare.is_empty() && bare.len() < wanted.len() {
                let rest = text.trim_start_matches(BLANKS);
                let at_end = rest.is_empty() || rest.starts_with(['\n', '\r']);
                return at_end.then_some(text);
            }
            if bare.starts_with(['\n', '\r']) {
                wanted = bare;
                text = text.trim_start_matches(BLANKS);
            }
        }
        if let Some(after_break) = strip_break(wanted) {
            wanted = after_break;
            match strip_break(text) {
                Some(rest) => text = rest,
                None if text.is_empty() && wanted.is_empty() => {}
                None => return None,
            }
            continue;
        }
        let (mut wanted_chars, mut text_chars) = (wanted.chars(), text.chars());
        let (left, right) = (wanted_chars.next()?, text_chars.next()?);
        let same = if how >= How::Typography {
            fold::plain(left) == fold::plain(right)
        } else {
            left == right
        };
        if !same {
            return None;
        }
        (wanted, text) = (wanted_chars.as_str(), text_chars.as_str());
    }
    Some(text)
}

fn strip_break(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n")
        .or_else(|| text.strip_prefix(['\n', '\r']))
}

/// Where a text would be found if all white space were the same; for a hint, never for a change.
pub(crate) fn only_space_differs(text: &str, wanted: &str) -> Option<usize> {
    let words: Vec<&str> = wanted.split_whitespace().collect();
    let first = words.first()?;
    let longest = words.iter().max_by_key(|word| word.len())?;
    if !text.contains(longest) {
        return None;
    }
    text.match_indices(first).map(|(at, _)| at).find(|at| {
        let mut rest = text.get(*at..).unwrap_or_default();
        words
            .iter()
            .all(|word| match rest.trim_start().strip_prefix(word) {
                Some(after) => {
                    rest = after;
                    true
                }
                None => false,
            })
    })
}

#[cfg(test)]
mod tests {
    use super::{How, find, only_space_differs, parts_a_break};
    use proptest::prelude::*;

    #[test]
    fn the_ladder_finds() {
        let check = |text: &str, wanted: &str, expected: Option<(How, &[&str])>| {
            let found = find(text, wanted);
            let seen = found.as_ref().map(|found| {
                let parts: Vec<&str> = found
                    .spans
                    .iter()
                    .map(|span| text.get(span.clone()).unwrap())
                    .collect();
                (found.how, parts)
            });
            assert_eq!(
                seen,
                expected.map(|(how, parts)| (how, parts.to_vec())),
                "{wanted:?} in {text:?}"
            );
        };
        check("abcabc", "bc", Some((How::Exact, &["bc", "bc"])));
        check("a\r\nb\r\nc", "a\nb", Some((How::LineBreaks, &["a\r\nb"])));
        check("a\nb\n", "a\r\nb", Some((How::LineBreaks, &["a\nb"])));
        check("a\rb\r", "a\nb\n", Some((How::LineBreaks, &["a\rb\r"])));
        check("a\r\nb\r\n", "\nb", Some((How::LineBreaks, &["\r\nb"])));
        check("a\r\nb", "a\r", Some((How::LineBreaks, &["a\r\n"])));
        check("a\nb\r\n", "\n", Some((How::LineBreaks, &["\n", "\r\n"])));
        check("a\r\nb", "\r\nb", Some((How::Exact, &["\r\nb"])));
        check("hello", "hello\n", Some((How::LineBreaks, &["hello"])));
        check("a  \nb\n", "a\nb", Some((How::TrailingSpace, &["a  \nb"])));
        check("a\nb\n", "a \nb\t", Some((How::TrailingSpace, &["a\nb"])));
        check("foobar", "foo ", None);
        check("It’s", "It's", Some((How::Typography, &["It’s"])));
        check("a – b", "a - b", Some((How::Typography, &["a – b"])));
        check("  a\n", "    a\n", Some((How::Indentation, &["  a\n"])));
        check("\ta\n", "    a\n", None);
        check("\ta", "    a", None);
        check("ab", "b\n\n", None);
        check(
            "x \t\nb\n",
            "  \nb",
            Some((How::TrailingSpace, &[" \t\nb"])),
        );
        check("", "a", None);
    }

    #[test]
    fn long_runs_of_blanks_take_no_time() {
        let text = format!("a{}b", " ".repeat(300_000));
        assert_eq!(find(&text, "  \t\nc"), None);
    }

    #[test]
    fn overlaps_are_seen() {
        let check = |text: &str, wanted: &str, overlaps: bool| {
            assert_eq!(
                find(text, wanted).unwrap().overlaps,
                overlaps,
                "{wanted:?} in {text:?}"
            );
        };
        check("aaa", "aa", true);
        check("aaaa", "aa", true);
        check("abab", "ab", false);
        check("ababa", "aba", true);
        check("ééé", "éé", true);
        check("x", "x", false);
    }

    #[test]
    fn white_space_is_diagnosed() {
        assert_eq!(
            only_space_differs("x\n\tif ok {\n", "    if  ok {"),
            Some(3)
        );
        assert_eq!(only_space_differs("iff ok", "if ok"), None);
        assert_eq!(only_space_differs("x", " "), None);
    }

    proptest! {
        #[test]
        fn what_is_there_is_found(before in "[a \r\n’]{0,8}", wanted in "[a \r\n’]{1,6}", after in "[a \r\n’]{0,8}") {
            let text = format!("{before}{wanted}{after}");
            let found = find(&text, &wanted).unwrap();
            let halved = text.match_indices(&wanted).any(|(at, part)| parts_a_break(&text, &(at..at + part.len())));
            prop_assert_eq!(found.how, if halved { How::LineBreaks } else { How::Exact });
            prop_assert!(halved || found.spans.iter().all(|span| text.get(span.clone()) == Some(wanted.as_str())));
        }

        #[test]
        fn spans_lie_apart_and_on_borders(text in "[ab \t\r\n’—]{0,20}", wanted in "[ab' \t\r\n-]{1,6}") {
            if let Some(found) = find(&text, &wanted) {
                let mut end = 0;
                for span in &found.spans {
                    prop_assert!(span.start >= end && span.end > span.start);
                    prop_assert!(text.get(span.clone()).is_some());
                    prop_assert!(!parts_a_break(&text, span));
                    end = span.end;
                }
            }
        }
    }
}
