//! What is never the same twice, and the words that stand for it.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// The words, and what each stands for.
const PLACEHOLDERS: &[(&str, &str)] = &[
    ("[ID]", "[A-Za-z0-9][A-Za-z0-9_.-]*"),
    ("[MS]", r"\d+(?:\.\d+)?"),
    ("[PID]", r"\d+"),
    ("[SECONDS]", r"\d+(?:\.\d+)?"),
    ("[SPILL]", "sp_[0-9a-z]{16}"),
];

/// What is taken for varying where a text is written anew, and what is written instead.
const BLURS: &[(&str, &str)] = &[
    (r"\bsp_[0-9a-z]{16}\b", "[SPILL]"),
    (
        r"\b(Wall time:?) \d+(?:\.\d+)? seconds?\b",
        "$1 [SECONDS] seconds",
    ),
    (r"\b\d+(?:\.\d+)? ms\b", "[MS] ms"),
    (r"\b((?i:pids?|pgid)):? \d+\b", "$1: [PID]"),
];

static BLUR_PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let pattern = |(pattern, with): &(&str, &'static str)| Some((Regex::new(pattern).ok()?, *with));
    BLURS.iter().filter_map(pattern).collect()
});

const WORKSPACE: &str = "[WORKSPACE]";

/// Puts the workspace's real path where a story names it.
pub(crate) fn with_workspace(text: &str, workspace: &Path) -> String {
    text.replace(WORKSPACE, &workspace.to_string_lossy())
}

/// Names the workspace instead of its real path; what lies beside it is shown from there.
pub(crate) fn without_workspace(text: &str, workspace: &Path) -> String {
    let text = text.replace(&*workspace.to_string_lossy(), WORKSPACE);
    match workspace.parent() {
        Some(beside) => text.replace(&*beside.to_string_lossy(), &format!("{WORKSPACE}/..")),
        None => text,
    }
}

/// Whether a text is what a pattern of words says.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    if pattern == text {
        return true;
    }
    if !PLACEHOLDERS.iter().any(|(word, _)| pattern.contains(word)) {
        return false;
    }
    let mut source = regex::escape(pattern);
    for (word, stands_for) in PLACEHOLDERS {
        let escaped = regex::escape(word);
        source = source.replace(&escaped, &format!("(?:{escaped}|{stands_for})"));
    }
    Regex::new(&format!(r"(?s)\A{source}\z")).is_ok_and(|regex| regex.is_match(text))
}

/// Writes a text as a story would that expects `expected`: lines that it foresees stay in its words, all others get
/// words for what varies. The result is equal to `expected` exactly when the text is what is expected.
pub(crate) fn in_words_of(expected: &str, text: &str) -> String {
    let mut ahead: Vec<&str> = expected.split('\n').rev().collect();
    let line = |line: &str| match foreseen(&ahead, line) {
        Some((left, own)) => {
            ahead.truncate(left);
            own.to_owned()
        }
        None => blur(line),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The expected line that a line fits, and how many are left after it: the next one, else a later one that says more
/// of the line than could be guessed. `ahead` holds the next one last.
fn foreseen<'e>(ahead: &[&'e str], line: &str) -> Option<(usize, &'e str)> {
    let fits = |own: &&&'e str| matches(own, line);
    let tells = |own: &&'e str| *own != line || blur(line) != line;
    let next = ahead.len().checked_sub(1)?;
    let place = match ahead.last().filter(fits) {
        Some(_) => next,
        None => ahead
            .iter()
            .rposition(|own| matches(own, line) && tells(own) && !is_bare(own))?,
    };
    ahead.get(place).map(|own| (place, *own))
}

/// Whether a line is a word for what varies and nothing else: it would fit too much.
fn is_bare(line: &str) -> bool {
    PLACEHOLDERS.iter().any(|(word, _)| *word == line)
}

fn blur(line: &str) -> String {
    let blurred = |line: String, (pattern, with): &(Regex, &str)| {
        pattern.replace_all(&line, *with).into_owned()
    };
    BLUR_PATTERNS.iter().fold(line.to_owned(), blurred)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

    use super::{BLUR_PATTERNS, BLURS, in_words_of, matches, with_workspace, without_workspace};

    #[test]
    fn every_blur_is_a_pattern() {
        assert_eq!(BLUR_PATTERNS.len(), BLURS.len());
    }

    #[test]
    fn words_stand_for_what_varies() {
        let check = |pattern: &str, text: &str, expected: bool| {
            assert_eq!(matches(pattern, text), expected, "{pattern} ~ {text}");
        };
        check("a.b", "a.b", true);
        check("a.b", "axb", false);
        check("took [MS] ms", "took 12 ms", true);
        check("took [MS] ms", "took long ms", false);
        check("took [MS] ms", "took 12 ms!", false);
        check("took [MS] ms", "took [MS] ms", true);
        check("[SECONDS] s, pid [PID]", "0.25 s, pid 7", true);
        check("id [ID].", "id sh-1.", true);
        check("id [ID].", "id .", false);
        check("[SPILL]", "sp_0123456789abcdef", true);
        check("[SPILL]", "sp_0123", false);
        check("[OTHER]", "x", false);
        check("(a) [PID]\n$b", "(a) 1\n$b", true);
    }

    #[test]
    fn a_text_is_put_into_the_words_that_were_expected() {
        let check = |expected: &str, text: &str, in_words: &str| {
            assert_eq!(
                in_words_of(expected, text),
                in_words,
                "{expected:?} {text:?}"
            );
        };
        check("", "a\n", "a\n");
        check("a\nb\n", "a\nb\n", "a\nb\n");
        check("a\nb\n", "b\na\n", "b\na\n");
        check("after 100 ms\n", "after 100 ms\n", "after 100 ms\n");
        check("after [MS] ms\n", "after 100 ms\n", "after [MS] ms\n");
        check("x\n", "after 100 ms\n", "after [MS] ms\n");
        check("run [ID]\n", "more\nrun s1\n", "more\nrun [ID]\n");
        check("run [ID]\n", "run s1\nrun s2\n", "run [ID]\nrun s2\n");
        check(
            "",
            "Wall time: 0.1 seconds\nPID: 77\nsee sp_0123456789abcdef.",
            "Wall time: [SECONDS] seconds\nPID: [PID]\nsee [SPILL].",
        );
    }

    #[test]
    fn the_workspace_has_a_name() {
        let workspace = Path::new("/tmp/s-1/place");
        let check = |real: &str, named: &str| {
            assert_eq!(without_workspace(real, workspace), named);
        };
        check("in /tmp/s-1/place/a", "in [WORKSPACE]/a");
        check("/tmp/s-1/b", "[WORKSPACE]/../b");
        check("/tmp/s-2/place", "/tmp/s-2/place");
        assert_eq!(
            with_workspace("[WORKSPACE]/a", workspace),
            "/tmp/s-1/place/a"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn what_was_expected_stays_as_it_is(text in "[a-z \\[\\]\n]{0,60}") {
            prop_assert_eq!(in_words_of(&text, &text), text);
        }

        #[test]
        fn words_of_one_writing_are_stable(text in "([a-z]{0,4}|[0-9]{1,3} ms|pid [0-9]{1,3}|\n){0,8}") {
            let once = in_words_of("", &text);
            prop_assert_eq!(in_words_of(&once, &text), once.clone());
        }
    }
}
