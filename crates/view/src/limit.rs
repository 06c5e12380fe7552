//! How much of a long block is shown.

use crate::line::Line;
use crate::paint::Paint;

/// What is left out, in words.
pub(crate) fn more(count: u64, what: &str) -> Line {
    let plural = if count == 1 || what.is_empty() {
        ""
    } else {
        "s"
    };
    let blank = if what.is_empty() { "" } else { " " };
    Line::of(format!("… {count} more{blank}{what}{plural}"), Paint::Quiet)
}

/// Shows the beginning: lays out one item after the other until the rows are full. Gives the rows and how many items
/// are left out.
pub(crate) fn head<T>(
    items: &[T],
    rows: usize,
    layout: impl Fn(&T) -> Vec<Line>,
) -> (Vec<Line>, usize) {
    let mut shown: Vec<Line> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let next = layout(item);
        if shown.len() + next.len() > rows {
            return (shown, items.len() - index);
        }
        shown.extend(next);
    }
    (shown, 0)
}

/// Shows both ends, the last lines above all: for what a program printed.
pub(crate) fn ends<T>(items: &[T], rows: usize, layout: impl Fn(&T) -> Vec<Line>) -> Vec<Line> {
    let (all, left) = head(items, rows, &layout);
    if left == 0 {
        return all;
    }
    let (mut shown, left) = head(items, rows / 4, &layout);
    let (_, rest) = items.split_at(items.len() - left);
    let mut tail: Vec<Vec<Line>> = Vec::new();
    let mut free = rows - shown.len();
    for item in rest.iter().rev() {
        let next = layout(item);
        if next.len() > free {
            break;
        }
        free -= next.len();
        tail.push(next);
    }
    let hidden = (rest.len() - tail.len()) as u64;
    shown.push(more(hidden, "line"));
    shown.extend(tail.into_iter().rev().flatten());
    shown
}

#[cfg(test)]
mod tests {
    use super::{ends, head, more};
    use crate::line::{Line, render};
    use crate::paint::Paint;
    use crate::style::Colour;

    fn one(item: &u32) -> Vec<Line> {
        vec![Line::of(item.to_string(), Paint::Plain)]
    }

    fn check(count: u32, rows: usize, expected: &str) {
        let items: Vec<u32> = (1..=count).collect();
        let shown = render(&ends(&items, rows, one), Colour::Never);
        assert_eq!(shown.lines().collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn both_ends_are_shown() {
        check(0, 4, "");
        check(4, 4, "1 2 3 4");
        check(5, 4, "1 … 1 more line 3 4 5");
        check(100, 8, "1 2 … 92 more lines 95 96 97 98 99 100");
    }

    #[test]
    fn the_beginning_is_shown() {
        let items = [1, 2, 3];
        let (shown, left) = head(&items, 2, one);
        assert_eq!((shown.len(), left), (2, 1));
        let left = render(&[more(left as u64, "")], Colour::Never);
        assert_eq!(left, "… 1 more\n");
    }
}
