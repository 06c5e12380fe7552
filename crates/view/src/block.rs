//! The blocks of a view, one below the other.

use toolpost_core::{Block, View};
use unicode_width::UnicodeWidthStr as _;

use crate::cells::cells;
use crate::diff;
use crate::limit::{ends, head, more};
use crate::line::{Line, indent};
use crate::paint::Paint;
use crate::style::Style;
use crate::terminal::{command_rows, printed, printed_rows};
use crate::wrap::{Break, ROWS_A_LINE, cut, cut_front, wrap};

/// A view may take this many times the lines of one block before its further blocks are only counted.
const BLOCKS_FULL: usize = 4;
/// How many rows one line of a note gets before it is cut.
const ROWS_A_NOTE: usize = 20;
/// How many rows a command line gets.
const ROWS_A_COMMAND: usize = 10;

/// The lines of a view in a width, an empty line between two blocks.
pub(crate) fn lines(view: &View, style: &Style, columns: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (index, block) in view.blocks.iter().enumerate() {
        if lines.len() >= BLOCKS_FULL * style.rows() {
            let left = view.blocks.len() - index;
            lines.push(more(left as u64, "block"));
            break;
        }
        let next = block_lines(block, columns, style.rows());
        if !lines.is_empty() && !next.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(next);
    }
    lines
}

fn block_lines(block: &Block, columns: usize, rows: usize) -> Vec<Line> {
    match block {
        Block::Note { text } => note(text, columns, rows),
        Block::Code {
            path,
            first_line,
            lines,
        } => code((path, *first_line), lines, columns, rows),
        Block::Diff(diff) => diff::lines(diff, columns, rows),
        Block::Terminal {
            command,
            output,
            exit_code,
        } => {
            let mut lines = prompt(command, columns);
            let printed = printed(output);
            lines.extend(ends(&printed, rows, |line| printed_rows(line, columns)));
            lines.extend(exit_code.map(exit));
            lines
        }
        Block::List { items, more } => list(items, *more, columns, rows),
    }
}

fn note(text: &str, columns: usize, rows: usize) -> Vec<Line> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    if text.is_empty() {
        return Vec::new();
    }
    let split: Vec<&str> = text.split('\n').collect();
    let most = rows.min(ROWS_A_NOTE);
    let layout = |line: &&str| wrap(cells(line, Paint::Plain), columns, most, Break::Words);
    with_more(head(&split, rows, layout), "line")
}

fn code(place: (&str, u64), code: &[String], columns: usize, rows: usize) -> Vec<Line> {
    let (path, first_line) = place;
    let number = |index: usize| first_line.saturating_add(index as u64);
    let digits = number(code.len()).to_string().width().max(3);
    let numbered: Vec<(u64, &String)> = code
        .iter()
        .enumerate()
        .map(|(index, line)| (number(index), line))
        .collect();
    let layout = |(number, line): &(u64, &String)| {
        let first = Line::of(format!("{number:>digits$}  "), Paint::Quiet);
        let others = Line::of(" ".repeat(digits + 2), Paint::Quiet);
        let free = columns.saturating_sub(digits + 2);
        let text = cells(line, Paint::Plain);
        indent(
            wrap(text, free, ROWS_A_LINE, Break::Anywhere),
            &first,
            &others,
        )
    };
    let mut lines = Vec::new();
    if !path.is_empty() {
        lines.push(cut_front(path, Paint::Strong, columns));
    }
    lines.extend(with_more(head(&numbered, rows, layout), "line"));
    lines
}

fn prompt(command: &str, columns: usize) -> Vec<Line> {
    let command = command.trim_end_matches('\n');
    if command.is_empty() {
        return Vec::new();
    }
    let split: Vec<(usize, &str)> = command.split('\n').enumerate().collect();
    let layout = |(index, line): &(usize, &str)| {
        let prompt = if *index == 0 { "$ " } else { "> " };
        command_rows(line, prompt, columns)
    };
    with_more(head(&split, ROWS_A_COMMAND, layout), "line")
}

/// How a command ended.
fn exit(code: i32) -> Line {
    let paint = if code == 0 { Paint::Quiet } else { Paint::Bad };
    Line::of(format!("exit {code}"), paint)
}

fn list(items: &[String], beyond: u64, columns: usize, rows: usize) -> Vec<Line> {
    let layout = |item: &String| vec![cut(cells(item, Paint::Plain), columns)];
    let (mut lines, left) = head(items, rows, layout);
    let left = beyond.saturating_add(left as u64);
    if left > 0 {
        lines.push(more(left, ""));
    }
    lines
}

fn with_more((mut lines, left): (Vec<Line>, usize), what: &str) -> Vec<Line> {
    if left > 0 {
        lines.push(more(left as u64, what));
    }
    lines
}
