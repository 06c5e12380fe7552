//! The changes of one file.

use similar::{ChangeTag, TextDiff};
use toolpost_core::{DiffLine, FileDiff, Hunk, Sign};
use unicode_width::UnicodeWidthStr as _;

use crate::cells::cells;
use crate::limit::{head, more};
use crate::line::{Line, indent};
use crate::paint::Paint;
use crate::wrap::{Break, ROWS_A_LINE, cut, cut_front, wrap};

/// Lines longer than this get no emphasis within the line, in bytes.
const EMPHASIS_BYTES: usize = 1_000;
/// Two lines with less in common than this are two lines, not a changed one.
const LIKENESS_LEAST: f32 = 0.5;

/// A row of the diff, before it is laid out.
enum Entry<'a> {
    /// Between two hunks.
    Gap,
    /// A line with its number, and the line that it replaces or that replaces it.
    Line {
        number: u64,
        line: &'a DiffLine,
        partner: Option<&'a str>,
    },
}

/// The card of a changed file: its path and counts, then the changed places with line numbers.
pub(crate) fn lines(diff: &FileDiff, columns: usize, rows: usize) -> Vec<Line> {
    let entries = entries(&diff.hunks);
    let digits = number_columns(&entries);
    let mut lines = vec![title(diff, columns)];
    let (shown, left) = head(&entries, rows, |entry| entry_rows(entry, digits, columns));
    lines.extend(shown);
    if left > 0 {
        let hidden = entries.iter().rev().take(left);
        let count = hidden.filter(|entry| matches!(entry, Entry::Line { .. }));
        lines.push(more(count.count() as u64, "line"));
    }
    lines
}

fn title(diff: &FileDiff, columns: usize) -> Line {
    let stats = diff.stats;
    let counts = [
        ("+", stats.added, Paint::Added),
        ("-", stats.removed, Paint::Removed),
    ];
    let mut tail = match (&diff.before, &diff.after) {
        (None, _) => Line::of("  new file", Paint::Quiet),
        (_, None) => Line::of("  removed", Paint::Quiet),
        _ => Line::of(" ", Paint::Quiet),
    };
    for (sign, count, paint) in counts.into_iter().filter(|(_, count, _)| *count > 0) {
        tail = tail.and(format!(" {sign}{count}"), paint);
    }
    let free = columns.saturating_sub(tail.columns()).max(8);
    let path = match (&diff.before, &diff.after) {
        (Some(before), Some(after)) if before != after => {
            let half = free.saturating_sub(3) / 2;
            let arrow = Line::of(" → ", Paint::Quiet);
            let before = cut_front(before, Paint::Strong, half);
            before
                .join(arrow)
                .join(cut_front(after, Paint::Strong, half))
        }
        (Some(path), _) | (None, Some(path)) => cut_front(path, Paint::Strong, free),
        (None, None) => Line::default(),
    };
    path.join(tail).clipped(columns)
}

/// Numbers the lines of all hunks and finds each changed line's partner.
fn entries(hunks: &[Hunk]) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    for hunk in hunks {
        if !entries.is_empty() {
            entries.push(Entry::Gap);
        }
        let (mut before, mut after) = (hunk.before_line, hunk.after_line);
        for run in hunk
            .lines
            .chunk_by(|one, next| is_one_change(one.sign, next.sign))
        {
            let (left, right) = sides(run);
            let stays = left.first().is_some_and(|line| line.sign == Sign::Same);
            entries.extend(numbered(left, if stays { after } else { before }, right));
            entries.extend(numbered(right, after, left));
            before = before.saturating_add(left.len() as u64);
            after = after.saturating_add(if stays { left.len() } else { right.len() } as u64);
        }
    }
    entries
}

/// Numbers one side of a run; the n-th line's partner is the n-th of the other side.
fn numbered<'a>(
    lines: &'a [DiffLine],
    first: u64,
    partners: &'a [DiffLine],
) -> impl Iterator<Item = Entry<'a>> {
    lines
        .iter()
        .enumerate()
        .map(move |(index, line)| Entry::Line {
            number: first.saturating_add(index as u64),
            line,
            partner: partners.get(index).map(|line| line.text.as_str()),
        })
}

/// Whether two neighbours belong to one run: lines that stay, or gone lines and the new ones right after them.
fn is_one_change(one: Sign, next: Sign) -> bool {
    one == next || (one == Sign::Removed && next == Sign::Added)
}

/// A run's gone or staying lines, and its new ones.
fn sides(run: &[DiffLine]) -> (&[DiffLine], &[DiffLine]) {
    run.split_at(run.partition_point(|line| line.sign != Sign::Added))
}

fn number_columns(entries: &[Entry<'_>]) -> usize {
    let numbers = entries.iter().filter_map(|entry| match entry {
        Entry::Gap => None,
        Entry::Line { number, .. } => Some(*number),
    });
    numbers.max().unwrap_or_default().to_string().width().max(3)
}

fn entry_rows(entry: &Entry<'_>, digits: usize, columns: usize) -> Vec<Line> {
    let Entry::Line {
        number,
        line,
        partner,
    } = entry
    else {
        return vec![Line::of(format!("{:>digits$}", "⋮"), Paint::Quiet)];
    };
    let (sign, paint, strong) = match line.sign {
        Sign::Same => (" ", Paint::Plain, Paint::Plain),
        Sign::Added => ("+", Paint::Added, Paint::AddedStrong),
        Sign::Removed => ("-", Paint::Removed, Paint::RemovedStrong),
    };
    let pieces = emphasis(&line.text, partner.unwrap_or_default());
    let text = pieces
        .into_iter()
        .flat_map(|(text, differs)| cells(text, if differs { strong } else { paint }));
    let free = columns.saturating_sub(digits + 3);
    let rows = wrap(text, free, ROWS_A_LINE, Break::Anywhere);
    let first =
        Line::of(format!("{number:>digits$} "), Paint::Quiet).and(format!("{sign} "), paint);
    let others = Line::of(" ".repeat(digits + 3), Paint::Quiet);
    indent(rows, &first, &others)
}

/// A line in pieces, with whether each differs from the partner. One piece where there is no partner that is like it.
fn emphasis<'a>(text: &'a str, partner: &'a str) -> Vec<(&'a str, bool)> {
    let whole = vec![(text, false)];
    if text.is_empty() || partner.is_empty() || text.len().max(partner.len()) > EMPHASIS_BYTES {
        return whole;
    }
    let diff = TextDiff::from_unicode_words(partner, text);
    if diff.ratio() < LIKENESS_LEAST {
        return whole;
    }
    let mut pieces: Vec<(&str, bool)> = Vec::new();
    let mut rest = text;
    let changes = diff.iter_all_changes();
    for change in changes.filter(|change| change.tag() != ChangeTag::Delete) {
        let Some((piece, after)) = rest.split_at_checked(change.value().len()) else {
            return whole;
        };
        pieces.push((piece, change.tag() == ChangeTag::Insert));
        rest = after;
    }
    pieces
}

impl Line {
    /// The line, cut where it does not fit.
    fn clipped(self, columns: usize) -> Self {
        if self.columns() <= columns {
            return self;
        }
        cut(self.cells(), columns)
    }
}

#[cfg(test)]
mod tests {
    use super::emphasis;

    fn check(text: &str, partner: &str, expected: &str) {
        let marked: String = emphasis(text, partner)
            .into_iter()
            .map(|(piece, differs)| {
                if differs {
                    format!("[{piece}]")
                } else {
                    piece.to_owned()
                }
            })
            .collect();
        assert_eq!(marked, expected, "{text:?} beside {partner:?}");
    }

    #[test]
    fn what_differs_within_a_line_stands_out() {
        check("let a = 2;", "let a = 1;", "let a = [2];");
        check("let a = 1;", "let a = 1;", "let a = 1;");
        check("a b c", "", "a b c");
        check("wholly other words", "let a = 1;", "wholly other words");
        check(
            "return total + one",
            "return total",
            "return total[ ][+][ ][one]",
        );
    }
}
