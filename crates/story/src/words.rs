//! The words behind a fence.

use toolpost::core::Code;
use toolpost::{Dialect, Status};

use crate::story::Ending;

/// Cuts a fence's words apart. Quotes hold a path with spaces together.
pub(crate) fn words(info: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = info.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted
                .split_once('"')
                .ok_or_else(|| "A quote is never closed.".to_owned())?,
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    Ok(words)
}

/// Reads a path of the workspace: relative, at the most one folder up, so that it stays in the story's own place.
pub(crate) fn path(word: &str) -> Result<String, String> {
    let inner = word.strip_prefix("../").unwrap_or(word);
    let sound = |part: &str| !matches!(part, "" | "." | "..");
    if inner.split('/').all(sound) {
        return Ok(word.to_owned());
    }
    Err(format!(
        "`{word}` is no path below the workspace; one `../` in front is the most."
    ))
}

/// Reads how a call ends.
pub(crate) fn ending(words: &[&str]) -> Result<Ending, String> {
    let (status, code) = match words {
        [status] => (status, None),
        [status, code] => (status, Some(code)),
        [] => return Err("`reply` needs a status.".to_owned()),
        _ => return Err("`reply` takes a status and a code, no more.".to_owned()),
    };
    let known: Status = named(status).ok_or_else(|| format!("There is no status `{status}`."))?;
    let Some(code) = code else {
        return Ok(Ending::new(known, None));
    };
    let code: Code = named(code).ok_or_else(|| format!("There is no code `{code}`."))?;
    if code.status() != known {
        return Err(format!(
            "The code `{}` goes with `{}`, not with `{status}`.",
            code.name(),
            code.status().name()
        ));
    }
    Ok(Ending::new(known, Some(code)))
}

/// Finds a family by its name.
pub(crate) fn dialect(word: &str) -> Result<Dialect, String> {
    toolpost::tools::dialect_named(word).ok_or_else(|| format!("There is no dialect `{word}`."))
}

/// A status or code by the name that programs read.
pub(crate) fn named<T: serde::de::DeserializeOwned>(name: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(name.to_owned())).ok()
}

#[cfg(test)]
mod tests {
    use super::{ending, path, words};

    #[test]
    fn words_are_cut_apart() {
        let check = |info: &str, expected: Result<&[&str], &str>| {
            let expected = expected
                .map(|words| words.iter().map(ToString::to_string).collect())
                .map_err(str::to_owned);
            assert_eq!(words(info), expected, "{info}");
        };
        check("", Ok(&[]));
        check(
            "call  fs.read as\tplain",
            Ok(&["call", "fs.read", "as", "plain"]),
        );
        check(
            "given \"a b.txt\" base64",
            Ok(&["given", "a b.txt", "base64"]),
        );
        check("given \"a", Err("A quote is never closed."));
    }

    #[test]
    fn paths_stay_in_the_place() {
        let check = |word: &str, sound: bool| assert_eq!(path(word).is_ok(), sound, "{word}");
        check("a.txt", true);
        check("src/a b.rs", true);
        check("../beside.txt", true);
        check("/etc/passwd", false);
        check("../../a", false);
        check("a/../b", false);
        check("a/", false);
        check(".", false);
    }

    #[test]
    fn endings_are_of_the_closed_list() {
        let check = |words: &[&str], expected: Result<&str, &str>| {
            let got = ending(words).map(|ending| ending.to_string());
            assert_eq!(
                got.as_deref().map_err(String::as_str),
                expected,
                "{words:?}"
            );
        };
        check(&["ok"], Ok("ok"));
        check(&["error", "no_match"], Ok("error no_match"));
        check(&["denied", "denied"], Ok("denied"));
        check(&["denied", "outside"], Ok("denied outside"));
        check(&[], Err("`reply` needs a status."));
        check(&["fine"], Err("There is no status `fine`."));
        check(&["error", "nomatch"], Err("There is no code `nomatch`."));
        check(
            &["denied", "no_match"],
            Err("The code `no_match` goes with `error`, not with `denied`."),
        );
        check(
            &["ok", "io", "x"],
            Err("`reply` takes a status and a code, no more."),
        );
    }
}
