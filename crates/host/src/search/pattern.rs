//! What is looked for in files.

use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};

use super::SearchError;

/// How a pattern's text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// As a regular expression.
    #[default]
    Regex,
    /// As the very text that is looked for.
    Literal,
}

/// Whether capital and small letters differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Case {
    /// They do.
    #[default]
    Sensitive,
    /// They do not.
    Insensitive,
}

/// Whether a match may span lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Multiline {
    /// It lies in one line.
    #[default]
    Off,
    /// It may span lines, and `.` matches line breaks.
    On,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pattern {
    /// The pattern's text.
    pub text: String,
    /// How it is read.
    pub literal: Reading,
    /// Whether capital and small letters differ.
    pub case: Case,
    /// Whether a match may span lines.
    pub multiline: Multiline,
}

impl Pattern {
    /// Makes the machine that looks for it.
    pub(super) fn matcher(&self) -> Result<RegexMatcher, SearchError> {
        let spans = self.multiline == Multiline::On;
        let mut builder = RegexMatcherBuilder::new();
        builder
            .multi_line(true)
            .case_insensitive(self.case == Case::Insensitive)
            .fixed_strings(self.literal == Reading::Literal)
            .dot_matches_new_line(spans);
        if !spans {
            // The end of a line lies before a carriage return, too.
            builder.crlf(true);
        }
        builder.build(&self.text).map_err(|err| match err.kind() {
            ErrorKind::NotAllowed(_) => SearchError::pattern(
                "the pattern has a line break, and a match lies in one line unless `multiline` is on",
            ),
            ErrorKind::Regex(text) => self.explain(text),
            _ => SearchError::pattern(err.to_string()),
        })
    }
}

impl Pattern {
    /// Says what is wrong. The matcher's parser saw the pattern within a group, so the pattern is parsed again alone.
    fn explain(&self, text: &str) -> SearchError {
        match regex::Regex::new(&self.text) {
            Err(err) => explain(&err.to_string()),
            Ok(_) => explain(text),
        }
    }
}

/// Takes the sentence and the place out of a parser's drawing: the pattern is indented by four, a caret stands below
/// the place, and the sentence comes last.
fn explain(drawing: &str) -> SearchError {
    const INDENT: usize = 4;
    let mut lines = drawing.lines();
    let _ = lines.next();
    let (pattern, carets) = (lines.next().unwrap_or_default(), lines.next());
    let message = drawing
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("error: "))
        .unwrap_or(drawing);
    let place = carets.and_then(|line| {
        let at = line.chars().position(|char| char == '^')?;
        let (start, _) = pattern
            .char_indices()
            .nth(at)
            .unwrap_or((pattern.len(), ' '));
        start.checked_sub(INDENT)
    });
    SearchError::Pattern {
        message: message.to_owned(),
        offset: place,
    }
}

#[cfg(test)]
mod tests {
    use super::{Multiline, Pattern};
    use crate::SearchError;

    #[test]
    fn what_is_wrong_with_a_pattern_is_said() {
        let check = |text: &str, expected: &str, place: Option<usize>| {
            let pattern = Pattern {
                text: text.into(),
                ..Pattern::default()
            };
            match pattern.matcher() {
                Err(SearchError::Pattern { message, offset }) => {
                    assert_eq!((message.as_str(), offset), (expected, place));
                }
                other => panic!("{text}: {other:?}"),
            }
        };
        check("ab(c", "unclosed group", Some(2));
        check("ä[b", "unclosed character class", Some(2));
        check(
            "x(?=y)",
            "look-around, including look-ahead and look-behind, is not supported",
            Some(1),
        );
        check(
            "a\\nb",
            "the pattern has a line break, and a match lies in one line unless `multiline` is on",
            None,
        );
        let spans = Pattern {
            text: "a\\nb".into(),
            multiline: Multiline::On,
            ..Pattern::default()
        };
        assert!(spans.matcher().is_ok());
    }
}
