//! What a program printed, line by line.

use crate::cells::cells;
use crate::line::{Line, indent};
use crate::paint::Paint;
use crate::wrap::{Break, ROWS_A_LINE, wrap};

/// The lines of a program's text. A carriage return ends a line too: what it would have painted over stays readable.
/// Colours, and the erasing to the line's end that goes with them, are left out; every other sequence stays as it is
/// and is shown as an escape.
pub(crate) fn printed(text: &str) -> Vec<String> {
    let text = without_colours(text);
    if text.is_empty() {
        return Vec::new();
    }
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let split = |line: &str| {
        let line = line.trim_end_matches('\r');
        line.split('\r').map(str::to_owned).collect::<Vec<_>>()
    };
    text.split('\n').flat_map(split).collect()
}

/// The rows of one printed line.
pub(crate) fn printed_rows(line: &str, columns: usize) -> Vec<Line> {
    wrap(
        cells(line, Paint::Plain),
        columns,
        ROWS_A_LINE,
        Break::Anywhere,
    )
}

/// The rows of a command line behind its prompt.
pub(crate) fn command_rows(line: &str, prompt: &str, columns: usize) -> Vec<Line> {
    let width = columns.saturating_sub(2);
    let rows = wrap(
        cells(line, Paint::Strong),
        width,
        ROWS_A_LINE,
        Break::Anywhere,
    );
    indent(
        rows,
        &Line::of(prompt, Paint::Quiet),
        &Line::of("  ", Paint::Quiet),
    )
}

fn without_colours(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut pieces = text.split("\u{1b}[");
    kept.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let rest =
            piece.trim_start_matches(|char: char| char.is_ascii_digit() || ";:".contains(char));
        match rest.strip_prefix(['m', 'K']) {
            Some(after) => kept.push_str(after),
            None => {
                kept.push_str("\u{1b}[");
                kept.push_str(piece);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::printed;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(printed(text), expected, "{text:?}");
    }

    #[test]
    fn printed_text_falls_into_lines() {
        check("", &[]);
        check("\n", &[""]);
        check("a", &["a"]);
        check("a\n\nb\n", &["a", "", "b"]);
        check("a\r\nb\r\n", &["a", "b"]);
        check("10%\r20%\r\n", &["10%", "20%"]);
    }

    #[test]
    fn colours_are_left_out_and_nothing_else() {
        check("\u{1b}[1;31mred\u{1b}[0m", &["red"]);
        check("\u{1b}[01;32m\u{1b}[Kgrep", &["grep"]);
        check("\u{1b}[2Jgone", &["\u{1b}[2Jgone"]);
        check("\u{1b}[31", &["\u{1b}[31"]);
        check("\u{1b}]0;title\u{7}", &["\u{1b}]0;title\u{7}"]);
        check("\u{1b}\u{1b}[m[2J", &["\u{1b}[2J"]);
    }
}
