//! The work of finding files by name.

use toolpost_core::{Look, ToolError};
use toolpost_host::{Rules, Stop};

use super::{Output, Ready};
use crate::looking::page::{Page, Wanted};
use crate::looking::{fault, hidden, ignored, one_line, without_own};

/// How many paths are given unless the call says otherwise.
const LIMIT: u64 = 1_000;
/// How many characters a page holds.
const PAGE_CHARS: usize = 30_000;

/// Finds the files, and takes the page that was asked for.
pub(super) fn find(ready: Ready, look: &Look, stop: &Stop) -> Result<Output, ToolError> {
    let Ready {
        root,
        pattern,
        input,
    } = ready;
    let rules = Rules {
        hidden: hidden(input.hidden),
        ignored: ignored(input.no_ignore),
        globs: without_own(look, &root),
        ..Rules::default()
    };
    let asked = if input.ignore_case {
        any_case(&pattern)
    } else {
        pattern
    };
    let found =
        toolpost_host::glob(&root, &asked, &rules, stop).map_err(|err| fault(&err, look, &root))?;
    let offset = input.offset.unwrap_or(0);
    let wanted = Wanted {
        offset,
        limit: input.limit.unwrap_or(LIMIT),
    };
    let total = u64::try_from(found.len()).unwrap_or(u64::MAX);
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    let rest: Vec<String> = found
        .iter()
        .skip(skip)
        .take(usize::try_from(wanted.limit).unwrap_or(usize::MAX))
        .map(|found| one_line(look.show(&found.path)))
        .collect();
    let shown = wanted.fitting(rest.iter().map(|path| path.chars().count() + 1), PAGE_CHARS);
    Ok(Output {
        pattern: input.pattern,
        root: look.show(&root),
        paths: rest
            .into_iter()
            .take(usize::try_from(shown).unwrap_or(usize::MAX))
            .collect(),
        page: Page::of(offset, shown, total),
    })
}

/// Splits the folder off a pattern that leaves the place it is searched in: an absolute one, or one with `..`.
pub(super) fn split(pattern: &str, path: Option<&str>) -> (Option<String>, String) {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let leaves = pattern.starts_with('/') || pattern.split('/').any(|part| part == "..");
    let given = path.map(str::to_owned);
    if !leaves {
        return (given, pattern.to_owned());
    }
    let special = |part: &str| part.contains(['*', '?', '[', '{']);
    let parts: Vec<&str> = pattern.split('/').collect();
    let plain = parts.iter().take_while(|part| !special(part)).count();
    // The last part is always the pattern.
    let (folder, rest) = parts.split_at(plain.min(parts.len() - 1));
    let folder = match folder.join("/") {
        empty if empty.is_empty() && pattern.starts_with('/') => "/".to_owned(),
        folder => folder,
    };
    let folder = match given {
        Some(given) if !pattern.starts_with('/') => format!("{given}/{folder}"),
        _ => folder,
    };
    (Some(folder), rest.join("/"))
}

/// A glob in which every letter stands for both its cases.
fn any_case(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() * 4);
    let (mut in_class, mut escaped) = (false, false);
    for char in pattern.chars() {
        let both = char.is_ascii_alphabetic() && !in_class && !escaped;
        if both {
            out.extend([
                '[',
                char.to_ascii_lowercase(),
                char.to_ascii_uppercase(),
                ']',
            ]);
        } else {
            out.push(char);
        }
        escaped = char == '\\' && !escaped;
        in_class = (in_class || char == '[') && char != ']';
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{any_case, split};

    #[test]
    fn folders_come_off_patterns_that_leave() {
        let check = |pattern: &str, path: Option<&str>, folder: Option<&str>, rest: &str| {
            let expected = (folder.map(str::to_owned), rest.to_owned());
            assert_eq!(split(pattern, path), expected, "{pattern} in {path:?}");
        };
        check("*.rs", None, None, "*.rs");
        check("./src/*.rs", Some("a"), Some("a"), "src/*.rs");
        check("/w/src/**/*.rs", None, Some("/w/src"), "**/*.rs");
        check("/w/src/**/*.rs", Some("a"), Some("/w/src"), "**/*.rs");
        check("/w/a.rs", None, Some("/w"), "a.rs");
        check("/*.rs", None, Some("/"), "*.rs");
        check("../b/*.rs", None, Some("../b"), "*.rs");
        check("../b/*.rs", Some("a"), Some("a/../b"), "*.rs");
    }

    #[test]
    fn letters_stand_for_both_cases() {
        let check = |pattern: &str, expected: &str| assert_eq!(any_case(pattern), expected);
        check("*.Rs", "*.[rR][sS]");
        check("[a-c]x", "[a-c][xX]");
        check("{a,b}", "{[aA],[bB]}");
        check(r"\a1", r"\a1");
    }
}
