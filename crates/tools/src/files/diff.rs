//! What a change did, as lines that stayed, came and went.

use std::collections::HashMap;
use std::time::Duration;

use similar::{ChangeTag, DiffTag, TextDiff};
use toolpost_core::{DiffLine, DiffStats, FileDiff, Hunk, Sign, State};

/// How many lines that stayed are shown around a change.
const CONTEXT_LINES: usize = 3;

/// How long a diff may be thought about before it gets coarser.
const PATIENCE: Duration = Duration::from_millis(300);

/// How many lines may have come and gone for them to be shown.
const SHOWN_LINES: u64 = 20_000;

/// How large the part of a text in which it differs may be for the two to be compared line by line, in bytes.
const COMPARED_BYTES: usize = 4 << 20;

/// How many characters of a line are shown.
const LINE_CHARS: usize = 2_000;

/// One end of a change: a path as it is shown, and the text there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End<'a> {
    pub(crate) shown: &'a str,
    pub(crate) text: &'a str,
}

/// Compares two contents; an end that is missing means a file that is new or removed.
pub(crate) fn between(before: Option<End<'_>>, after: Option<End<'_>>) -> FileDiff {
    let old = before.map_or("", |end| end.text);
    let new = after.map_or("", |end| end.text);
    let frame = Frame::around(old, new);
    let mut diff = FileDiff {
        before: before.map(|end| end.shown.to_owned()),
        after: after.map(|end| end.shown.to_owned()),
        stats: DiffStats::default(),
        hunks: Vec::new(),
    };
    if frame.old.len().max(frame.new.len()) > COMPARED_BYTES {
        diff.stats = balance(frame.old, frame.new);
        diff.hunks.push(frame.untold(diff.stats));
        return diff;
    }
    let compared = TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(frame.old, frame.new);
    for op in compared
        .ops()
        .iter()
        .filter(|op| op.tag() != DiffTag::Equal)
    {
        diff.stats.removed += as_u64(op.old_range().len());
        diff.stats.added += as_u64(op.new_range().len());
    }
    if diff.stats.removed + diff.stats.added > SHOWN_LINES {
        diff.hunks.push(frame.untold(diff.stats));
        return diff;
    }
    for group in compared.grouped_ops(CONTEXT_LINES) {
        let mut lines = Vec::new();
        for change in group.iter().flat_map(|op| compared.iter_changes(op)) {
            let sign = sign_of(change.tag());
            let text = shortened(change.value().trim_end_matches(['\n', '\r']));
            lines.push(DiffLine { sign, text });
        }
        let (old_start, new_start) = group
            .first()
            .map_or((0, 0), |op| (op.old_range().start, op.new_range().start));
        diff.hunks.push(Hunk {
            before_line: frame.first_line + as_u64(old_start),
            after_line: frame.first_line + as_u64(new_start),
            lines,
        });
    }
    diff
}

/// Puts a change into a state: the keys that programs rely on.
pub(crate) fn into_state(state: &mut State, diff: &FileDiff) {
    if let Ok(value) = serde_json::to_value(diff) {
        state.insert("diff".to_owned(), value);
    }
    if let Ok(value) = serde_json::to_value(diff.stats) {
        state.insert("stats".to_owned(), value);
    }
}

fn sign_of(tag: ChangeTag) -> Sign {
    match tag {
        ChangeTag::Equal => Sign::Same,
        ChangeTag::Insert => Sign::Added,
        ChangeTag::Delete => Sign::Removed,
    }
}

/// How many lines of each kind came and went, in whatever order: fast, and the least that can have changed.
fn balance(old: &str, new: &str) -> DiffStats {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    for line in old.split_inclusive('\n') {
        *counts.entry(line).or_default() -= 1;
    }
    for line in new.split_inclusive('\n') {
        *counts.entry(line).or_default() += 1;
    }
    let mut stats = DiffStats::default();
    for count in counts.into_values() {
        if count > 0 {
            stats.added += count.unsigned_abs();
        } else {
            stats.removed += count.unsigned_abs();
        }
    }
    stats
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// The part of two texts in which they differ, with a few lines around it: large files are compared fast.
struct Frame<'a> {
    old: &'a str,
    new: &'a str,
    /// The number of the part's first line, from 1.
    first_line: u64,
}

impl<'a> Frame<'a> {
    /// A note in the place of lines that are too many to show.
    fn untold(&self, stats: DiffStats) -> Hunk {
        let DiffStats { added, removed } = stats;
        let text = format!("[Too large to show: {added} lines came, {removed} went.]");
        let sign = Sign::Same;
        Hunk {
            before_line: self.first_line,
            after_line: self.first_line,
            lines: vec![DiffLine { sign, text }],
        }
    }

    fn around(old: &'a str, new: &'a str) -> Self {
        let same = old
            .bytes()
            .zip(new.bytes())
            .take_while(|(left, right)| left == right)
            .count();
        let start = back(old, same, CONTEXT_LINES + 1);
        let (old, new_rest) = (after(old, start), after(new, start));
        let first_line = 1 + as_u64(upto(new, start).matches('\n').count());
        let same = old
            .bytes()
            .rev()
            .zip(new_rest.bytes().rev())
            .take_while(|(left, right)| left == right)
            .count();
        // A line that is the same from its middle on belongs to the part; a few whole ones follow it.
        let tail = after(old, old.len() - same);
        let drop = tail.len() - forward(tail, CONTEXT_LINES + 1);
        Self {
            old: upto(old, old.len() - drop),
            new: upto(new_rest, new_rest.len() - drop),
            first_line,
        }
    }
}

/// The place after the `lines`-th line break before `at`.
fn back(text: &str, at: usize, lines: usize) -> usize {
    let mut breaks = text
        .as_bytes()
        .iter()
        .take(at)
        .enumerate()
        .rev()
        .filter(|(_, byte)| **byte == b'\n');
    breaks.nth(lines).map_or(0, |(place, _)| place + 1)
}

/// The length of a text up to its `lines`-th line break from 0, that included.
fn forward(text: &str, lines: usize) -> usize {
    let mut breaks = text.match_indices('\n');
    breaks.nth(lines).map_or(text.len(), |(place, _)| place + 1)
}

/// The text from the next character border at or after a place.
fn after(text: &str, at: usize) -> &str {
    let at = (at..=text.len()).find(|place| text.is_char_boundary(*place));
    at.and_then(|at| text.get(at..)).unwrap_or_default()
}

/// The text up to a place that is a character border.
fn upto(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or(text)
}

fn as_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{End, between};
    use proptest::prelude::*;
    use toolpost_core::{FileDiff, Sign};

    fn diff(before: &str, after: &str) -> FileDiff {
        let end = |text| End { shown: "a", text };
        between(Some(end(before)), Some(end(after)))
    }

    fn drawn(diff: &FileDiff) -> String {
        let mut text = String::new();
        for hunk in &diff.hunks {
            text += &format!("@{},{}", hunk.before_line, hunk.after_line);
            for line in &hunk.lines {
                let sign = match line.sign {
                    Sign::Same => ' ',
                    Sign::Added => '+',
                    Sign::Removed => '-',
                };
                text += &format!("|{sign}{}", line.text);
            }
        }
        text
    }

    #[test]
    fn changes_are_drawn_where_they_are() {
        let check = |before: &str, after: &str, expected: &str| {
            assert_eq!(drawn(&diff(before, after)), expected);
        };
        check("a\nb\nc\n", "a\nB\nc\n", "@1,1| a|-b|+B| c");
        check("", "a\n", "@1,1|+a");
        check("a\n", "", "@1,1|-a");
        check("same\n", "same\n", "");
        let long = |middle: &str| format!("{}{middle}\n{}", "x\n".repeat(100), "y\n".repeat(100));
        check(
            &long("käse"),
            &long("kuhse"),
            "@98,98| x| x| x|-käse|+kuhse| y| y| y",
        );
    }

    #[test]
    fn what_is_too_large_is_told_and_not_shown() {
        let check = |before: &str, after: &str, expected: &str| {
            assert_eq!(drawn(&diff(before, after)), expected);
        };
        let numbers =
            |from: u32| -> String { (from..from + 15_000).map(|n| format!("{n}\n")).collect() };
        check(
            &numbers(0),
            &numbers(50_000),
            "@1,1| [Too large to show: 15000 lines came, 15000 went.]",
        );
        let wide = |middle: &str| format!("{middle}\n{}{middle}\n", "same\n".repeat(1 << 20));
        check(
            &wide("a"),
            &wide("b"),
            "@1,1| [Too large to show: 2 lines came, 2 went.]",
        );
        let long = "é".repeat(2_001);
        let cut = format!("@1,1|+{}…", "é".repeat(2_000));
        check("", &long, &cut);
    }

    proptest! {
        #[test]
        fn counts_are_those_of_the_whole(before in "[ab\n]{0,40}", after in "[ab\n]{0,40}") {
            let diff = diff(&before, &after);
            let lines = |text: &str| i64::try_from(text.split_inclusive('\n').count()).unwrap();
            let grown = i64::try_from(diff.stats.added).unwrap() - i64::try_from(diff.stats.removed).unwrap();
            prop_assert_eq!(grown, lines(&after) - lines(&before));
            prop_assert_eq!(before == after, diff.hunks.is_empty());
        }
    }
}
