//! Long lines: wrapped to a few rows, or cut to one.

use crate::cells::{Cell, TAB, cells};
use crate::line::Line;
use crate::paint::Paint;

/// Where a long line may be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// Between any two characters.
    Anywhere,
    /// Between words where there are any.
    Words,
}

/// How many rows one long line of a file or a program gets before it is cut.
pub(crate) const ROWS_A_LINE: usize = 4;

const TAB_COLUMNS: usize = 4;

/// Wraps to rows of a width; what does not fit into that many rows is cut, with a mark. Always gives one row at least.
pub(crate) fn wrap<'a>(
    cells: impl IntoIterator<Item = Cell<'a>>,
    columns: usize,
    rows: usize,
    at: Break,
) -> Vec<Line> {
    let mut fold = Fold {
        done: Vec::new(),
        row: Row::default(),
        columns,
    };
    for cell in cells {
        let Some(cell) = fold.fit(cell) else { continue };
        if fold.row.columns + cell.columns > columns {
            if fold.done.len() + 1 >= rows {
                fold.mark_cut();
                break;
            }
            fold.next_row(at);
        }
        fold.row.push(cell);
    }
    fold.finish()
}

/// Cuts to one row.
pub(crate) fn cut<'a>(cells: impl IntoIterator<Item = Cell<'a>>, columns: usize) -> Line {
    let mut rows = wrap(cells, columns, 1, Break::Anywhere);
    rows.pop().unwrap_or_default()
}

/// Cuts to one row, and keeps the end: for paths.
pub(crate) fn cut_front(text: &str, paint: Paint, columns: usize) -> Line {
    let all: Vec<Cell<'_>> = cells(text, paint).collect();
    let sum: usize = all.iter().map(|cell| cell.columns.max(1)).sum();
    if sum <= columns {
        return cut(all, columns);
    }
    let mut left = columns.saturating_sub(1);
    let fits = |cell: &&Cell<'_>| {
        let rest = left.checked_sub(cell.columns.max(1));
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    let kept = all.iter().rev().take_while(fits).count();
    let tail = all.into_iter().rev().take(kept).collect::<Vec<_>>();
    Line::of("…", Paint::Quiet).join(cut(tail.into_iter().rev(), columns.saturating_sub(1)))
}

#[derive(Default)]
struct Row<'a> {
    cells: Vec<Cell<'a>>,
    columns: usize,
}

impl<'a> Row<'a> {
    fn push(&mut self, cell: Cell<'a>) {
        self.columns += cell.columns;
        self.cells.push(cell);
    }

    fn pop(&mut self) -> Option<Cell<'a>> {
        let cell = self.cells.pop()?;
        self.columns -= cell.columns;
        Some(cell)
    }
}

struct Fold<'a> {
    done: Vec<Line>,
    row: Row<'a>,
    columns: usize,
}

impl<'a> Fold<'a> {
    /// Widens a tab to its stop, or to the row's end. A cell that no row could hold is left out.
    fn fit(&self, cell: Cell<'a>) -> Option<Cell<'a>> {
        if cell.text != TAB {
            return (cell.columns <= self.columns).then_some(cell);
        }
        let at = self.row.columns % self.columns.max(1);
        let blanks = (TAB_COLUMNS - at % TAB_COLUMNS).min(self.columns - at);
        Some(Cell::new(" ".repeat(blanks), cell.paint))
    }

    fn next_row(&mut self, at: Break) {
        let mut carried = Vec::new();
        let is_gap = |cell: &Cell<'_>| cell.text == " ";
        let gap = self.row.cells.iter().rposition(is_gap).unwrap_or(0);
        if at == Break::Words && gap > 0 {
            while self.row.cells.len() > gap + 1 {
                carried.extend(self.row.pop());
            }
        }
        let full = std::mem::take(&mut self.row);
        self.done.push(full.cells.into_iter().collect());
        carried
            .into_iter()
            .rev()
            .for_each(|cell| self.row.push(cell));
    }

    fn mark_cut(&mut self) {
        while self.row.columns + 1 > self.columns && self.row.pop().is_some() {}
        self.row.push(Cell::new("…", Paint::Quiet));
    }

    fn finish(mut self) -> Vec<Line> {
        self.done.push(self.row.cells.into_iter().collect());
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::{Break, cut_front, wrap};
    use crate::cells::cells;
    use crate::line::render;
    use crate::paint::Paint;
    use crate::style::Colour;

    fn check(text: &str, columns: usize, rows: usize, at: Break, expected: &[&str]) {
        let lines = wrap(cells(text, Paint::Plain), columns, rows, at);
        let shown = render(&lines, Colour::Never);
        assert_eq!(
            shown.lines().collect::<Vec<_>>(),
            expected,
            "{text:?} in {columns} × {rows}"
        );
    }

    #[test]
    fn lines_wrap_and_are_cut() {
        check("", 5, 3, Break::Anywhere, &[""]);
        check("abcde", 5, 3, Break::Anywhere, &["abcde"]);
        check("abcdef", 5, 3, Break::Anywhere, &["abcde", "f"]);
        check("abcdefghijk", 5, 2, Break::Anywhere, &["abcde", "fghi…"]);
        check("漢字漢字", 5, 3, Break::Anywhere, &["漢字", "漢字"]);
        check("漢字漢字", 5, 1, Break::Anywhere, &["漢字…"]);
        check("a\tb", 9, 1, Break::Anywhere, &["a   b"]);
        check(
            "abcd\tefghij",
            9,
            2,
            Break::Anywhere,
            &["abcd    e", "fghij"],
        );
        check(
            "the quick brown fox",
            10,
            3,
            Break::Words,
            &["the quick", "brown fox"],
        );
        check(
            "extraordinary",
            6,
            3,
            Break::Words,
            &["extrao", "rdinar", "y"],
        );
        check("a\u{1b}b", 3, 3, Break::Anywhere, &["a\\x", "1bb"]);
    }

    #[test]
    fn a_path_keeps_its_end() {
        let check = |path: &str, columns: usize, expected: &str| {
            let line = cut_front(path, Paint::Plain, columns);
            assert_eq!(render(&[line], Colour::Never).trim_end(), expected);
        };
        check("src/main.rs", 11, "src/main.rs");
        check("src/main.rs", 10, "…c/main.rs");
        check("漢字/漢字.md", 8, "…漢字.md");
        check("漢字.md", 6, "…字.md");
    }
}
