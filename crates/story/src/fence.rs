//! Markdown, as far as stories need it: headings and fences with their places in the text.

use std::ops::Range;

/// What stands out in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A heading of the second level.
    Heading {
        /// Its line, from 1.
        line: usize,
        /// Its words.
        title: String,
    },
    /// A fenced block.
    Fence(Fence),
}

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence {
    /// The line where it opens, from 1.
    pub(crate) line: usize,
    /// The words behind the opening fence.
    pub(crate) info: String,
    /// The lines between the fences.
    pub(crate) body: String,
    /// Where all this stands.
    pub(crate) site: Site,
}

/// Where the parts of a fenced block stand, as bytes of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    /// The character that the fence is made of.
    pub(crate) mark: char,
    /// The opening fence without its words.
    pub(crate) opening: Range<usize>,
    /// The words behind it.
    pub(crate) info: Range<usize>,
    /// The lines between.
    pub(crate) body: Range<usize>,
    /// The closing fence.
    pub(crate) closing: Range<usize>,
}

/// What is wrong with a text, and in which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) fact: String,
}

impl Fault {
    pub(crate) fn new(line: usize, fact: impl Into<String>) -> Self {
        let fact = fact.into();
        Self { line, fact }
    }
}

/// Finds the headings and fences of a text, in order.
pub(crate) fn pieces(text: &str) -> Result<Vec<Piece>, Fault> {
    let mut pieces = Vec::new();
    let mut open: Option<Open> = None;
    let mut start = 0;
    for (at, whole) in text.split_inclusive('\n').enumerate() {
        let line = Line::new(at + 1, start, whole);
        start += whole.len();
        open = match open {
            Some(open) if line.closes(&open) => {
                pieces.push(Piece::Fence(open.close(&line, text)));
                None
            }
            Some(open) => Some(open),
            None => {
                pieces.extend(line.heading());
                line.opens()?
            }
        };
    }
    match open {
        Some(open) => Err(Fault::new(open.line, "The fence is never closed.")),
        None => Ok(pieces),
    }
}

/// The shortest fence that holds a text.
pub(crate) fn length_for(mark: char, body: &str) -> usize {
    const LEAST: usize = 3;
    let closing = |line: &str| {
        let rest = line.trim_start_matches(mark);
        let is_fence = rest.trim().is_empty();
        is_fence.then(|| line.len() - rest.len())
    };
    let longest = body.lines().filter_map(closing).max().unwrap_or(0);
    LEAST.max(longest + 1)
}

struct Line<'t> {
    number: usize,
    start: usize,
    whole: &'t str,
    /// The line without its line break.
    text: &'t str,
}

struct Open {
    line: usize,
    mark: char,
    opening: Range<usize>,
    info: Range<usize>,
    body_start: usize,
}

impl<'t> Line<'t> {
    fn new(number: usize, start: usize, whole: &'t str) -> Self {
        Self {
            number,
            start,
            whole,
            text: whole.trim_end_matches(['\n', '\r']),
        }
    }

    fn heading(&self) -> Option<Piece> {
        let title = self.text.strip_prefix("## ")?.trim().to_owned();
        Some(Piece::Heading {
            line: self.number,
            title,
        })
    }

    /// The fence that begins here.
    fn opens(&self) -> Result<Option<Open>, Fault> {
        const CODE_INDENT: usize = 4;
        let bare = self.text.trim_start_matches(' ');
        let indent = self.text.len() - bare.len();
        let Some((mark, length)) = fence_at(bare).filter(|_| indent < CODE_INDENT) else {
            return Ok(None);
        };
        if indent > 0 {
            let fact = "A fence begins in the first column.";
            return Err(Fault::new(self.number, fact));
        }
        let opening = self.start..self.start + length;
        let after = bare.trim_start_matches(mark);
        let info = after.trim();
        let info_start = opening.end + (after.len() - after.trim_start().len());
        Ok(Some(Open {
            line: self.number,
            mark,
            info: info_start..info_start + info.len(),
            opening,
            body_start: self.start + self.whole.len(),
        }))
    }

    fn closes(&self, open: &Open) -> bool {
        let rest = self.text.trim_start_matches(open.mark);
        self.text.len() - rest.len() >= open.opening.len() && rest.trim().is_empty()
    }
}

/// The mark of a fence and how many of it stand there. Backticks with more backticks behind are code in a sentence.
fn fence_at(text: &str) -> Option<(char, usize)> {
    let mark = text.chars().next().filter(|mark| "`~".contains(*mark))?;
    let rest = text.trim_start_matches(mark);
    let length = text.len() - rest.len();
    let in_sentence = mark == '`' && rest.contains('`');
    (length >= 3 && !in_sentence).then_some((mark, length))
}

impl Open {
    fn close(self, line: &Line<'_>, text: &str) -> Fence {
        let rest = line.text.trim_start_matches(self.mark);
        let site = Site {
            mark: self.mark,
            opening: self.opening,
            info: self.info,
            body: self.body_start..line.start,
            closing: line.start..line.start + (line.text.len() - rest.len()),
        };
        let part = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default().to_owned();
        Fence {
            line: self.line,
            info: part(&site.info),
            body: part(&site.body),
            site,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, length_for, pieces};

    fn shown(text: &str) -> Vec<String> {
        let show = |piece: &Piece| match piece {
            Piece::Heading { line, title } => format!("{line} # {title}"),
            Piece::Fence(fence) => format!("{} {}|{}", fence.line, fence.info, fence.body),
        };
        match pieces(text) {
            Ok(pieces) => pieces.iter().map(show).collect(),
            Err(fault) => vec![format!("{}! {}", fault.line, fault.fact)],
        }
    }

    #[test]
    fn headings_and_fences_are_found() {
        let check = |text: &str, expected: &[&str]| assert_eq!(shown(text), expected, "{text:?}");
        check("", &[]);
        check("# A\n### B\n#C\n##D\n", &[]);
        check("## A  \nprose\n## B", &["1 # A", "3 # B"]);
        check("```a b\nx\n\n```\n", &["1 a b|x\n\n"]);
        check("``` a\n```", &["1 a|"]);
        check("~~~~ a\n~~~\n```\n~~~~~  \n", &["1 a|~~~\n```\n"]);
        check("````a\n```\n## B\n````\n", &["1 a|```\n## B\n"]);
        check("```a\r\nx\r\n```\r\n", &["1 a|x\r\n"]);
        check("```a\n ```\n```\n", &["1 a| ```\n"]);
        check("```a``` in a sentence\n", &[]);
        check("    ```\n", &[]);
        check("``\n", &[]);
        check("x\n```a\n``\n", &["2! The fence is never closed."]);
        check("  ~~~ a\n", &["1! A fence begins in the first column."]);
    }

    #[test]
    fn places_are_those_of_the_parts() {
        let text = "é\n````  call x \nbody\n````` \nrest";
        let found = pieces(text).unwrap();
        let [Piece::Fence(fence)] = found.as_slice() else {
            panic!("{found:?}");
        };
        let check = |range: &std::ops::Range<usize>, expected: &str| {
            assert_eq!(text.get(range.clone()), Some(expected));
        };
        check(&fence.site.opening, "````");
        check(&fence.site.info, "call x");
        check(&fence.site.body, "body\n");
        check(&fence.site.closing, "`````");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        let check = |body: &str, expected: usize| assert_eq!(length_for('`', body), expected);
        check("", 3);
        check("a\n``\n", 3);
        check("```\n", 4);
        check("```rust\n````  \n", 5);
        check("~~~~\n", 3);
    }
}
