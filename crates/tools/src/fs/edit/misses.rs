//! Why an edit cannot be made, with what helps to go on.

use toolpost_core::{Code, ToolError};

use super::Input;
use super::matching::{self, Found};
use super::prepare::File;
use crate::files::{lines, nearest};

/// How many line numbers are told.
const TOLD_LINES: usize = 20;

/// The text is not there.
pub(super) fn no_match(file: &File, input: &Input) -> ToolError {
    let text = file.text.as_str();
    let shown = &file.shown;
    if let Some(place) = matching::only_space_differs(text, &input.old) {
        let line = lines::number_at(text, place);
        let fact = format!(
            "`old` is not in `{shown}`; the text at line {line} differs from it only in white space (indentation, tabs, \
             blank lines)."
        );
        let quoted = numbered(text, line, lines::of(&input.old).len() + 1);
        return ToolError::new(Code::NoMatch, fact)
            .quote(quoted)
            .hint("Repeat the call with the white space as it stands there.");
    }
    let error = ToolError::new(Code::NoMatch, format!("`old` is not in `{shown}`."));
    match nearest::quote(text, &input.old) {
        Some(quoted) => error
            .quote(format!(
                "The nearest text there, with line numbers:\n{quoted}"
            ))
            .hint("Repeat the call with the text as it stands there, without the line numbers."),
        None => error.hint(format!(
            "Read `{shown}` with `fs.read` and copy the text from there."
        )),
    }
}

/// The text is there more than once.
pub(super) fn ambiguous(file: &File, found: &Found) -> ToolError {
    let (told, count) = told_lines(file, found);
    let times = if found.overlaps && count == 1 {
        "more than once, overlapping".to_owned()
    } else {
        format!("{count} times")
    };
    let loosely = found
        .how
        .forgiven()
        .map(|forgiven| format!(" when {forgiven} are ignored"))
        .unwrap_or_default();
    let fact = format!("`old` is in `{}` {times}{loosely}: {told}.", file.shown);
    ToolError::new(Code::Ambiguous, fact)
        .hint("Add text around it until it is unique, or set `replace_all` to change every one.")
        .with("matches", count)
}

/// The text is there another number of times than was expected.
pub(super) fn other_count(file: &File, found: &Found, expected: u64) -> ToolError {
    let (told, count) = told_lines(file, found);
    let times = if count == 1 { "once" } else { "times" };
    let seen = if count == 1 {
        String::new()
    } else {
        format!("{count} ")
    };
    let fact = format!(
        "`old` is in `{}` {seen}{times} ({told}), and {expected} were expected.",
        file.shown
    );
    ToolError::new(Code::Ambiguous, fact)
        .hint("Correct `expected`, or add text around `old`.")
        .with("matches", count)
}

/// The text was found, but not so that it could be changed unseen.
pub(super) fn unseen(error: ToolError, file: &File, found: &Found) -> ToolError {
    let text = file.text.as_str();
    let Some(span) = found.spans.first() else {
        return error;
    };
    let how = match found.how.forgiven() {
        Some(forgiven) => format!("its text matches `old` only when {forgiven} are ignored"),
        None => format!("`old` is in it {} times", found.spans.len()),
    };
    let fact = format!("{} and {how}.", error.fact.trim_end_matches('.'));
    let wanted = text
        .get(span.clone())
        .map_or(1, |part| lines::of(part).len());
    let quoted = numbered(text, lines::number_at(text, span.start), wanted);
    ToolError { fact, ..error }.quote(quoted)
}

/// What is to be written is there already.
pub(super) fn no_change(shown: &str) -> ToolError {
    let fact = format!("`{shown}` would hold the same as before.");
    ToolError::new(Code::NoChange, fact)
}

/// A file that was to be created is there already.
pub(super) fn exists(shown: &str) -> ToolError {
    let fact = format!("`{shown}` exists already, and the text to be replaced is empty.");
    ToolError::new(Code::Exists, fact)
        .hint("Give the text to be replaced, or overwrite the file as a whole.")
}

fn told_lines(file: &File, found: &Found) -> (String, u64) {
    let text = file.text.as_str();
    let numbers: Vec<String> = found
        .spans
        .iter()
        .take(TOLD_LINES)
        .map(|span| lines::number_at(text, span.start).to_string())
        .collect();
    let more = if found.spans.len() > TOLD_LINES {
        " …"
    } else {
        ""
    };
    let word = if numbers.len() == 1 { "line" } else { "lines" };
    let told = format!("{word} {}{more}", numbers.join(", "));
    (told, u64::try_from(found.spans.len()).unwrap_or(u64::MAX))
}

/// Some lines of a text from a number on, as `number⇥line`.
fn numbered(text: &str, from: u64, count: usize) -> String {
    let skip = usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX);
    let all = lines::of(text);
    let part = all.iter().skip(skip).take(count.clamp(1, TOLD_LINES));
    let quoted: Vec<String> = (from..)
        .zip(part)
        .map(|(number, line)| format!("{number}\t{}", line.text))
        .collect();
    quoted.join("\n")
}
