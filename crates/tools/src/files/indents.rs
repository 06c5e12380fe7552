//! Text that is indented by the same amount more or less than another.

use std::ops::Range;

use super::lines::{self, Line};

/// What stands at the end of a line and does not count.
const BLANKS: [char; 2] = [' ', '\t'];

/// What has to happen to a text's lines so that they are indented like the file's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shift {
    /// This comes in front.
    Adds(String),
    /// This goes from the front.
    Drops(String),
}

impl Shift {
    /// The shift from a text to a part of a file, both of as many lines; `None` when they are the same or differ in
    /// something else.
    pub(crate) fn between(region: &str, wanted: &str) -> Option<Self> {
        Self::of_lines(&lines::of(region), &lines::of(wanted))
    }

    fn of_lines(here: &[Line<'_>], wanted: &[Line<'_>]) -> Option<Self> {
        let bare = |line: &Line<'_>| line.text.trim_end_matches(BLANKS).to_owned();
        let mut shift: Option<Self> = None;
        for (here, wanted) in here.iter().zip(wanted) {
            let (here, wanted) = (bare(here), bare(wanted));
            if here.is_empty() && wanted.is_empty() {
                continue;
            }
            let own = Self::of_line(&here, &wanted)?;
            if shift.get_or_insert_with(|| own.clone()) != &own {
                return None;
            }
        }
        shift
    }

    fn of_line(here: &str, wanted: &str) -> Option<Self> {
        let blank =
            |text: &str| !text.is_empty() && text.chars().all(|char| BLANKS.contains(&char));
        let (more, less) = (here.strip_suffix(wanted), wanted.strip_suffix(here));
        match (more, less) {
            (Some(more), _) if blank(more) && !wanted.is_empty() => {
                Some(Self::Adds(more.to_owned()))
            }
            (_, Some(less)) if blank(less) && !here.is_empty() => {
                Some(Self::Drops(less.to_owned()))
            }
            _ => None,
        }
    }

    /// A text with its lines moved; blank lines stay. `None` when a line has not what would have to go.
    pub(crate) fn moved(&self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        for line in lines::of(text) {
            match self {
                _ if line.text.trim_end_matches(BLANKS).is_empty() => out.push_str(line.text),
                Self::Adds(more) => {
                    out.push_str(more);
                    out.push_str(line.text);
                }
                Self::Drops(less) => out.push_str(line.text.strip_prefix(less.as_str())?),
            }
            out.push_str(line.ending);
        }
        Some(out)
    }
}

/// Where a text stands as whole lines, each indented by the same amount more or less.
pub(crate) fn find(text: &str, wanted: &str) -> Vec<Range<usize>> {
    let wanted = lines::of(wanted);
    let key = |line: &Line<'_>| !line.text.trim().is_empty();
    let Some((key_at, key)) = wanted.iter().enumerate().find(|(_, line)| key(line)) else {
        return Vec::new();
    };
    let all = lines::of(text);
    let open = wanted.last().is_some_and(|line| line.ending.is_empty());
    let (mut spans, mut free_from) = (Vec::new(), 0);
    let mut starts = Vec::with_capacity(all.len());
    let mut start = 0;
    for line in &all {
        starts.push(start);
        start += line.len();
    }
    for (at, line) in all.iter().enumerate() {
        let first = at.checked_sub(key_at);
        let Some(first) = first.filter(|_| line.text.trim() == key.text.trim()) else {
            continue;
        };
        let Some(here) = all.get(first..first + wanted.len()) else {
            continue;
        };
        if first < free_from || Shift::of_lines(here, &wanted).is_none() {
            continue;
        }
        free_from = first + wanted.len();
        let begins = starts.get(first).copied().unwrap_or_default();
        let length: usize = here.iter().map(Line::len).sum();
        let ending = here.last().map_or(0, |line| line.ending.len());
        spans.push(begins..begins + length - if open { ending } else { 0 });
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::{Shift, find};
    use proptest::prelude::*;

    #[test]
    fn a_uniform_shift_is_found() {
        let check = |text: &str, wanted: &str, expected: &[&str]| {
            let found = find(text, wanted);
            let parts: Vec<&str> = found
                .iter()
                .map(|span| text.get(span.clone()).unwrap())
                .collect();
            assert_eq!(parts, expected, "{wanted:?} in {text:?}");
        };
        check("x\n  a\n    b\n", "a\n  b", &["  a\n    b"]);
        check("x\n  a\n    b\n", "a\n  b\n", &["  a\n    b\n"]);
        check("a\r\n\r\n  b\r\n", "  a\n\n    b\n", &["a\r\n\r\n  b\r\n"]);
        check("  a\n   b\n", "a\n  b", &[]);
        check("\ta\n", "    a\n", &[]);
        check("\ta\n\t\tb\n", "a\n\tb\n", &["\ta\n\t\tb\n"]);
        check(" a\n a\n", "  a\n", &[" a\n", " a\n"]);
        check("a\n", "\n", &[]);
    }

    #[test]
    fn text_moves_along_or_not_at_all() {
        let check = |shift: &Shift, text: &str, expected: Option<&str>| {
            assert_eq!(shift.moved(text).as_deref(), expected, "{text:?}");
        };
        let adds = Shift::Adds("  ".to_owned());
        let drops = Shift::Drops("\t".to_owned());
        check(&adds, "a\n\n  b", Some("  a\n\n    b"));
        check(&drops, "\ta\n\n\t\tb\n", Some("a\n\n\tb\n"));
        check(&drops, "\ta\nb\n", None);
    }

    proptest! {
        #[test]
        fn what_was_shifted_is_found_and_shifts_back(text in "([ab] {0,2}\n){1,4}", by in " {1,4}") {
            let moved = Shift::Adds(by.clone()).moved(&text).unwrap();
            prop_assert_eq!(Shift::between(&moved, &text), Some(Shift::Adds(by.clone())));
            prop_assert_eq!(Shift::between(&text, &moved), Some(Shift::Drops(by.clone())));
            prop_assert_eq!(Shift::Drops(by).moved(&moved).unwrap(), text.clone());
            prop_assert_eq!(find(&moved, &text), vec![0..moved.len()]);
        }
    }
}
