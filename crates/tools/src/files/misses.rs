//! Why an edit cannot be made, with what helps to go on.

use toolpost_core::{Code, ToolError};

use super::matching::{self, Found};
use super::{escapes, lines, nearest};

/// How many line numbers are told.
const TOLD_LINES: usize = 20;

/// The text is not there.
pub(crate) fn no_match(shown: &str, text: &str, old: &str) -> ToolError {
    if let Some(error) = dressed(shown, text, old) {
        return error;
    }
    if let Some(place) = matching::only_space_differs(text, old) {
        let line = lines::number_at(text, place);
        let fact = format!(
            "`old` is not in `{shown}`; the text at line {line} differs from it only in white space (indentation, tabs, \
             blank lines)."
        );
        let quoted = numbered(text, line, lines::of(old).len() + 1);
        return ToolError::new(Code::NoMatch, fact)
            .quote(quoted)
            .hint("Repeat the call with the white space as it stands there.");
    }
    let error = ToolError::new(Code::NoMatch, format!("`old` is not in `{shown}`."));
    match nearest::quote(text, old) {
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

/// The text is there once something is taken off it that came on the way: escapes, or line numbers.
fn dressed(shown: &str, text: &str, old: &str) -> Option<ToolError> {
    let (dress, found) = escapes::undressed(old).find_map(|(dress, bare)| {
        let found = matching::find(text, &bare)?;
        Some((dress, found))
    })?;
    let span = found.spans.first()?;
    let line = lines::number_at(text, span.start);
    let fact = format!(
        "`old` is not in `{shown}` as it was sent, but it is at line {line} {}.",
        dress.told()
    );
    let count = text
        .get(span.clone())
        .map_or(1, |part| lines::of(part).len());
    let hint = format!(
        "Send `old` and `new` {}; both are taken literally.",
        dress.remedy()
    );
    let error = ToolError::new(Code::NoMatch, fact).quote(numbered(text, line, count));
    Some(error.hint(hint))
}

/// The lines are indented otherwise, and what is to come cannot be indented like them.
pub(crate) fn cannot_move(shown: &str, text: &str, place: usize) -> ToolError {
    let line = lines::number_at(text, place);
    let fact = format!(
        "The text at line {line} of `{shown}` is indented less than `old`, and `new` has a line that is not indented \
         that far, so it cannot be moved along."
    );
    ToolError::new(Code::NoMatch, fact)
        .quote(numbered(text, line, 3))
        .hint("Repeat the call with the indentation as it stands there.")
}

/// The text is there more than once.
pub(crate) fn ambiguous(shown: &str, text: &str, found: &Found) -> ToolError {
    let (told, count) = told_lines(text, found);
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
    let fact = format!("`old` is in `{shown}` {times}{loosely}: {told}.");
    ToolError::new(Code::Ambiguous, fact)
        .hint("Add text around it until it is unique, or set `replace_all` to change every one.")
        .with("matches", count)
}

/// The text is there another number of times than was expected.
pub(crate) fn other_count(shown: &str, text: &str, found: &Found, expected: u64) -> ToolError {
    let (told, count) = told_lines(text, found);
    let times = if count == 1 { "once" } else { "times" };
    let seen = if count == 1 {
        String::new()
    } else {
        format!("{count} ")
    };
    let fact =
        format!("`old` is in `{shown}` {seen}{times} ({told}), and {expected} were expected.");
    ToolError::new(Code::Ambiguous, fact)
        .hint("Correct `expected`, or add text around `old`.")
        .with("matches", count)
}

/// The text was found, but not so that it could be changed unseen.
pub(crate) fn unseen(error: ToolError, text: &str, found: &Found) -> ToolError {
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
pub(crate) fn no_change(shown: &str) -> ToolError {
    let fact = format!("`{shown}` would hold the same as before.");
    ToolError::new(Code::NoChange, fact)
}

fn told_lines(text: &str, found: &Found) -> (String, u64) {
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
