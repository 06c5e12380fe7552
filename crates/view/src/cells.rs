//! Hostile text made harmless, a column or two at a time.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::paint::Paint;

/// What is put on the screen in one step: a character with what belongs to it, or a part of an escape.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cell<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) columns: usize,
    pub(crate) paint: Paint,
}

/// The text of a cell that is to be widened to the next tab stop.
pub(crate) const TAB: &str = "\t";

/// How many code points one visible character may be made of; the longest family of emoji has ten.
const POINTS_MOST: usize = 12;

impl<'a> Cell<'a> {
    pub(crate) fn new(text: impl Into<Cow<'a, str>>, paint: Paint) -> Self {
        let text = text.into();
        let columns = text.width();
        Self {
            text,
            columns,
            paint,
        }
    }
}

/// The cells of one line of text. Line breaks within it are escapes; tabs stay, for the wrapping to widen.
pub(crate) fn cells(text: &str, paint: Paint) -> impl Iterator<Item = Cell<'_>> {
    text.graphemes(true)
        .flat_map(move |cluster| cluster_cells(cluster, paint))
}

/// A cluster is one cell when it can be seen as it is; otherwise each of its characters is looked at alone.
fn cluster_cells(cluster: &str, paint: Paint) -> Vec<Cell<'_>> {
    if cluster == TAB || is_sound(cluster) {
        return vec![Cell::new(cluster, paint)];
    }
    cluster
        .chars()
        .flat_map(|char| char_cells(char, paint))
        .collect()
}

fn char_cells(char: char, paint: Paint) -> Vec<Cell<'static>> {
    let is_visible = !is_hidden(char) && char.width().is_some_and(|columns| columns > 0);
    if is_visible {
        return vec![Cell::new(char.to_string(), paint)];
    }
    let escape = escape(char);
    let signs = escape.chars().map(|sign| sign.to_string());
    signs.map(|sign| Cell::new(sign, Paint::Escape)).collect()
}

/// Whether a cluster begins with something visible and hides nothing.
fn is_sound(cluster: &str) -> bool {
    let mut chars = cluster.chars();
    let Some(first) = chars.next() else {
        return false;
    };
    let may_join = |rest: char| rest == ZERO_WIDTH_JOINER && !first.is_ascii();
    !is_hidden(first)
        && first.width().is_some_and(|columns| columns > 0)
        && cluster.chars().count() <= POINTS_MOST
        && chars.all(|rest| may_join(rest) || !is_hidden(rest))
}

const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// Characters that steer the terminal, turn the direction of a line, or are not seen at all. The joiner is
/// among them, but makes families of emoji and letters of some scripts: clusters have a say there.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// A character as a person can read it.
fn escape(char: char) -> String {
    match char {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        char if char.is_ascii() => format!("\\x{:02x}", u32::from(char)),
        char => format!("\\u{{{:x}}}", u32::from(char)),
    }
}

#[cfg(test)]
mod tests {
    use super::cells;
    use crate::paint::Paint;

    fn check(text: &str, expected: &str, columns: usize) {
        let cells: Vec<_> = cells(text, Paint::Plain).collect();
        let shown: String = cells.iter().map(|cell| cell.text.as_ref()).collect();
        assert_eq!(shown, expected, "{text:?}");
        let sum: usize = cells.iter().map(|cell| cell.columns).sum();
        assert_eq!(sum, columns, "{text:?}");
    }

    #[test]
    fn what_can_be_seen_stays() {
        check("abc", "abc", 3);
        check("漢字", "漢字", 4);
        check("e\u{301}", "e\u{301}", 1);
        check("👩\u{200d}🚀", "👩\u{200d}🚀", 2);
        check("☁\u{fe0f}", "☁\u{fe0f}", 2);
        check("a\\x1b", "a\\x1b", 5);
    }

    #[test]
    fn what_steers_or_hides_is_an_escape() {
        check("\u{1b}[31m", "\\x1b[31m", 8);
        check("a\u{202e}b", "a\\u{202e}b", 10);
        check("a\u{9b}2J", "a\\u{9b}2J", 9);
        check("a\r\n", "a\\r\\n", 5);
        check("\u{7}\u{0}\u{7f}", "\\x07\\x00\\x7f", 12);
        check("x\u{200b}y", "x\\u{200b}y", 10);
        check("\u{feff}#", "\\u{feff}#", 9);
        check("\u{e0041}", "\\u{e0041}", 9);
        check("a\u{200d}b", "a\\u{200d}b", 10);
        check("\u{301}a", "\\u{301}a", 8);
    }

    #[test]
    fn a_pile_of_marks_is_taken_apart() {
        let pile = format!("a{}", "\u{301}".repeat(40));
        let shown: String = cells(&pile, Paint::Plain)
            .map(|cell| cell.text.into_owned())
            .collect();
        assert!(shown.starts_with("a\\u{301}\\u{301}"), "{shown}");
    }
}
