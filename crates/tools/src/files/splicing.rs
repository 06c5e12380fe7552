//! What comes in the place of a text that was found.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::indents::Shift;
use super::matching::How;
use crate::files::lines::{self, Line};

/// The text for a place: `new`, literally.
///
/// Two things belong to the file and stay its own. A bare line feed in `new` becomes the line break that the place
/// has, unless `old` was found exactly with line breaks of its own. And where the match was forgiving, the lines that
/// `old` and `new` have in common keep the file's bytes. Where the file's lines are indented otherwise, `new` moves along
/// with them; `None` when it has a line that cannot.
pub(crate) fn replacement(text: &str, span: &Range<usize>, change: &Change<'_>) -> Option<String> {
    let own = lines::ending_at(text, span.end);
    let region = text.get(span.clone()).unwrap_or_default();
    match change.how {
        How::Exact if change.old.contains(['\n', '\r']) => Some(change.new.to_owned()),
        How::Exact => Some(lines::with_ending(change.new, own)),
        How::Indentation => {
            let shift = Shift::between(region, change.old)?;
            let (old, new) = (shift.moved(change.old)?, shift.moved(change.new)?);
            let moved = Change {
                old: &old,
                new: &new,
                ..*change
            };
            Some(merged(region, &moved, own))
        }
        _ => Some(merged(region, change, own)),
    }
}

/// What is to be changed into what, and how the former was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change<'a> {
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) how: How,
}

fn merged(region: &str, change: &Change<'_>, own: &str) -> String {
    let (old, new, here) = (lines_of(change.old), lines_of(change.new), lines_of(region));
    let ending = here
        .iter()
        .map(|line| line.ending)
        .find(|ending| !ending.is_empty())
        .unwrap_or(own);
    let texts = |all: &[Line<'_>]| {
        all.iter()
            .map(|line| line.text.to_owned())
            .collect::<Vec<_>>()
    };
    let mut out = String::with_capacity(region.len() + change.new.len());
    for op in capture_diff_slices(Algorithm::Myers, &texts(&old), &texts(&new)) {
        for (at, line) in new
            .iter()
            .enumerate()
            .take(op.new_range().end)
            .skip(op.new_range().start)
        {
            let kept = match op {
                DiffOp::Equal {
                    old_index,
                    new_index,
                    ..
                } => here.get(old_index + at - new_index),
                _ => None,
            };
            out.push_str(kept.map_or(line.text, |kept| kept.text));
            if !line.ending.is_empty() {
                let kept = kept.map_or("", |kept| kept.ending);
                out.push_str(if kept.is_empty() { ending } else { kept });
            }
        }
    }
    // The last line of a file that has no line break there stays without.
    let open = old.last().is_some_and(|line| !line.ending.is_empty())
        && here.last().is_some_and(|line| line.ending.is_empty());
    if open {
        let bare = out.strip_suffix(ending).map(str::len);
        out.truncate(bare.unwrap_or(out.len()));
    }
    out
}

/// Lines in which every line break counts, as in matching.
fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut all = Vec::new();
    for line in lines::of(text) {
        let mut rest = line;
        while let Some((before, after)) = rest.text.split_once('\r') {
            all.push(Line {
                text: before,
                ending: "\r",
            });
            rest = Line {
                text: after,
                ending: rest.ending,
            };
        }
        if rest.len() > 0 {
            all.push(rest);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Change, replacement};
    use crate::files::matching::find;
    use proptest::prelude::*;

    fn edited(text: &str, old: &str, new: &str) -> String {
        let found = find(text, old).unwrap();
        let span = found.spans[0].clone();
        let change = Change {
            old,
            new,
            how: found.how,
        };
        let mut result = text.to_owned();
        result.replace_range(span.clone(), &replacement(text, &span, &change).unwrap());
        result
    }

    #[test]
    fn the_file_keeps_its_own() {
        let check = |text: &str, old: &str, new: &str, expected: &str| {
            assert_eq!(
                edited(text, old, new),
                expected,
                "{old:?} → {new:?} in {text:?}"
            );
        };
        check("a\nb\n", "b", "$1$&\\n", "a\n$1$&\\n\n");
        check("a\r\nb\r\n", "b", "b\nc", "a\r\nb\r\nc\r\n");
        check("a\r\nb\r\n", "a\nb", "a\nB\nc", "a\r\nB\r\nc\r\n");
        check("a\r\nb\r\n", "\nb", "\nX\nb", "a\r\nX\r\nb\r\n");
        check("a\r\nb\r\n", "\nb", "b", "ab\r\n");
        check("a\r\nb", "\n", "", "ab");
        check("a\r\nb", "a\r", "c\r", "c\r\nb");
        check("a\r\nb\r\n", "a\r\nb", "a\nb", "a\nb\r\n");
        check("a\r\nb\nc\r\n", "b", "b\nB", "a\r\nb\nB\nc\r\n");
        check("a\nb\n", "a\r\nb", "a\r\nc", "a\nc\n");
        check("It’s\nn: 1\n", "It's\nn: 1", "It's\nn: 2", "It’s\nn: 2\n");
        check("a  \nb\n", "a\nb", "a\nc", "a  \nc\n");
        check("hello", "hello\n", "bye\n", "bye");
        check("a\r\ntwo\r\nb", "two\n", "", "a\r\nb");
        check("one\ntwo\n", "two", "", "one\n\n");
        check(
            "  if a:\n    b\n",
            "if a:\n  b",
            "if a:\n  c\n\nd",
            "  if a:\n    c\n\n  d\n",
        );
        check("a\n  b\n", "  a\n    b\n", "  a\n    c\n", "a\n  c\n");
    }

    proptest! {
        #[test]
        fn bytes_outside_the_place_stay(
            before in "[ab\r\n]{0,10}", after in "[ab\r\n]{0,10}", new in "[xy\n]{0,8}",
        ) {
            let text = format!("{before}KEY{after}");
            let result = edited(&text, "KEY", &new);
            prop_assert!(result.starts_with(&before));
            prop_assert!(result.ends_with(&after));
        }

        #[test]
        fn line_breaks_stay_whole(text in "([ab ]{0,2}\r\n){1,6}[ab]{0,2}", old in "[ab \n]{1,6}", new in "[abx \n]{0,8}") {
            if let Some(found) = find(&text, &old) {
                let change = Change { old: &old, new: &new, how: found.how };
                let mut result = text.clone();
                for span in found.spans.iter().rev() {
                    if let Some(with) = replacement(&text, span, &change) {
                        result.replace_range(span.clone(), &with);
                    }
                }
                prop_assert!(!result.replace("\r\n", "").contains(['\r', '\n']), "{result:?}");
            }
        }

        #[test]
        fn in_a_file_of_line_feeds_new_is_literal(old in "[ab\n]{1,8}", new in "(?s).{0,12}") {
            let text = format!("<{old}>\n");
            prop_assume!(find(&text, &old).unwrap().spans.len() == 1);
            prop_assert_eq!(edited(&text, &old, &new), format!("<{new}>\n"));
        }
    }
}
