//! Why arguments could not be taken, in words that say what to do.

use serde_json::Value;
use toolpost_core::{Code, RawArgs, ToolError};

use super::node::{Node, spoken};
use super::reading::{self, Fault};
use super::wanted::Wanted;

const SMALLER: &str = "Do not send the same call again: send it in smaller pieces, for example the first part of a long \
                       text now and the rest with further calls.";
const AGAIN: &str = "Send the call again with the arguments as one JSON object.";

/// The reply that held the call was cut off.
pub(super) fn cut_off(raw: &RawArgs) -> ToolError {
    let place = match raw {
        RawArgs::Text(text) => match reading::read(text) {
            Err(Fault::Cut { at }) => format!(", {}", whereabouts(text, &at)),
            _ => String::new(),
        },
        RawArgs::Value(_) | RawArgs::Free(_) => String::new(),
    };
    let fact = format!(
        "The reply was cut off before its end{place}, so the arguments may be truncated, and nothing was done."
    );
    ToolError::new(Code::Truncated, fact).hint("Send it again, in smaller pieces if it was long.")
}

/// The code fence around the arguments has no end.
pub(super) fn open_fence() -> ToolError {
    let fact =
        "The arguments are truncated: the code fence around them has no end. Nothing was done.";
    ToolError::new(Code::Truncated, fact).hint(AGAIN)
}

/// The text could not be read.
pub(super) fn error(fault: &Fault, text: &str) -> ToolError {
    match fault {
        Fault::Cut { at } => {
            let place = whereabouts(text, at);
            let fact = format!(
                "The arguments are truncated: they were cut off {place}. Nothing was done."
            );
            ToolError::new(Code::Truncated, fact).hint(SMALLER)
        }
        Fault::Broken { offset, wanted } => broken(text, *offset, wanted),
        Fault::Twice { at, key } => {
            let place = spoken(at);
            let inside = if place.is_empty() {
                String::new()
            } else {
                format!(" inside `{place}`")
            };
            let fact = format!(
                "The arguments name `{key}` twice{inside}, and only one of the two can hold."
            );
            ToolError::new(Code::Invalid, fact)
                .hint(format!("Send the call again with one `{key}`."))
        }
        Fault::Deep => too_deep(),
    }
}

/// Says how a free-form tool is called where its text has to come as JSON.
pub(super) fn with_field(err: ToolError, field: Option<&str>) -> ToolError {
    match field {
        Some(field) if err.code == Code::Parse => err.hint(format!(
            "Send the call again with the text inside JSON: `{{\"{field}\": \"…\"}}`."
        )),
        _ => err,
    }
}

/// The arguments are nested too deeply.
pub(super) fn too_deep() -> ToolError {
    let fact = format!(
        "The arguments are nested deeper than {} levels.",
        super::DEPTH
    );
    ToolError::new(Code::Invalid, fact).hint("Send the call again with flatter arguments.")
}

/// The arguments are something else than an object.
pub(super) fn not_an_object(node: &Node, schema: &Value) -> ToolError {
    let keys = Wanted::of(schema).keys();
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    let with = if keys.is_empty() {
        String::new()
    } else {
        format!(" with the keys {}", keys.join(", "))
    };
    let fact = format!(
        "The arguments must be a JSON object{with}, and are {}.",
        node.kind()
    );
    ToolError::new(Code::Invalid, fact).hint(AGAIN)
}

/// The schema does not take them.
pub(super) fn unfit(problems: &[String]) -> ToolError {
    let fact = match problems {
        [only] => only.clone(),
        several => several.join(" "),
    };
    ToolError::new(Code::Invalid, fact)
        .hint("Send the call again with this put right.")
        .with("problems", problems.to_vec())
}

fn broken(text: &str, offset: usize, wanted: &str) -> ToolError {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .chars()
        .rev()
        .take_while(|letter| *letter != '\n')
        .count()
        + 1;
    let found = text
        .get(offset..)
        .and_then(|rest| rest.chars().next())
        .map_or_else(|| "the end".to_owned(), |letter| format!("`{letter}`"));
    let fact = format!(
        "The arguments are not valid JSON: at line {line}, column {column}, {found} stands where {wanted} should."
    );
    ToolError::new(Code::Parse, fact)
        .quote(around(text, offset))
        .hint(AGAIN)
}

/// A few characters on both sides of a place, in one line, and a mark below it.
fn around(text: &str, offset: usize) -> String {
    const SIDE_CHARS: usize = 30;
    let flat = |letter: char| if letter.is_control() { ' ' } else { letter };
    let (left, right) = text.split_at_checked(offset).unwrap_or((text, ""));
    let mut before: Vec<char> = left.chars().rev().take(SIDE_CHARS).map(flat).collect();
    before.reverse();
    let start: String = before.iter().collect();
    let end: String = right.chars().take(SIDE_CHARS).map(flat).collect();
    format!("{start}{end}\n{}^", " ".repeat(before.len()))
}

/// Where a text ends too early: inside which text or after what, and what is still open.
fn whereabouts(text: &str, at: &str) -> String {
    let open = Open::of(text);
    let mut told = Vec::new();
    if open.text {
        told.push("inside a text that has no end".to_owned());
    }
    for (count, bracket) in [(open.braces, '{'), (open.brackets, '[')] {
        if count > 0 {
            told.push(format!("with {count} unclosed `{bracket}`"));
        }
    }
    let place = spoken(at);
    let told = told.join(", ");
    match (place.is_empty(), told.is_empty()) {
        (true, true) => "at their end".to_owned(),
        (true, false) => told,
        (false, true) => format!("in `{place}`"),
        (false, false) => format!("in `{place}`, {told}"),
    }
}

/// What a text leaves open at its end.
#[derive(Debug, Default, PartialEq, Eq)]
struct Open {
    text: bool,
    braces: usize,
    brackets: usize,
}

impl Open {
    fn of(text: &str) -> Self {
        let mut open = Self::default();
        let mut escaped = false;
        for letter in text.chars() {
            if open.text {
                match letter {
                    _ if escaped => escaped = false,
                    '\\' => escaped = true,
                    '"' => open.text = false,
                    _ => {}
                }
                continue;
            }
            match letter {
                '"' => open.text = true,
                '{' => open.braces += 1,
                '}' => open.braces = open.braces.saturating_sub(1),
                '[' => open.brackets += 1,
                ']' => open.brackets = open.brackets.saturating_sub(1),
                _ => {}
            }
        }
        open
    }
}

#[cfg(test)]
mod tests {
    use super::{Open, around, whereabouts};

    #[test]
    fn what_is_open_is_counted_outside_texts() {
        let check = |text: &str, expected: (bool, usize, usize)| {
            let open = Open::of(text);
            assert_eq!((open.text, open.braces, open.brackets), expected, "{text}");
        };
        check(r#"{"a":[{"#, (false, 2, 1));
        check(r#"{"a":"{[\"{"#, (true, 1, 0));
        check(r#"{"a":"b"}"#, (false, 0, 0));
    }

    #[test]
    fn whereabouts_name_the_field() {
        assert_eq!(
            whereabouts(r#"{"content":"hel"#, "/content"),
            "in `content`, inside a text that has no end, with 1 unclosed `{`"
        );
        assert_eq!(whereabouts("{", ""), "with 1 unclosed `{`");
    }

    #[test]
    fn a_quote_keeps_to_characters() {
        assert_eq!(around("é'x", 2), "é'x\n ^");
        assert_eq!(around("", 0), "\n^");
    }
}
