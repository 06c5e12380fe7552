//! The text that comes nearest to one that was not found, to quote it.

use super::lines;

/// How many lines of a file are looked at.
const LIMIT_LINES: usize = 50_000;
/// How many lines are compared closely.
const CLOSE_LINES: usize = 60;
/// How many characters of a line are compared.
const LINE_CHARS: usize = 160;
/// How many lines are quoted at the most.
const QUOTE_LINES: usize = 20;
/// How alike the best line has to be for a quote to help, from 0 to 1.
const ALIKE: f64 = 0.55;

/// Quotes the lines of `text` that come nearest to `wanted`, as `number⇥line`; `None` when nothing is near.
pub(crate) fn quote(text: &str, wanted: &str) -> Option<String> {
    let wanted_lines = lines::of(wanted);
    let (key_at, key) = wanted_lines
        .iter()
        .enumerate()
        .max_by_key(|(_, line)| line.text.trim().len())?;
    let key: String = key.text.trim().chars().take(LINE_CHARS).collect();
    if key.is_empty() {
        return None;
    }
    let all: Vec<lines::Line<'_>> = lines::of(text).into_iter().take(LIMIT_LINES).collect();
    let place = best(&all, &key)?;
    let first = place.saturating_sub(key_at);
    let shown = wanted_lines.len().clamp(1, QUOTE_LINES);
    let quoted: Vec<String> = all
        .iter()
        .enumerate()
        .skip(first)
        .take(shown)
        .map(|(at, line)| {
            let text: String = line.text.chars().take(4 * LINE_CHARS).collect();
            format!("{}\t{text}", at + 1)
        })
        .collect();
    Some(quoted.join("\n"))
}

/// The place of the line that is most like the key.
fn best(all: &[lines::Line<'_>], key: &str) -> Option<usize> {
    let wanted = Letters::of(key);
    let mut rough: Vec<(u32, usize)> = all
        .iter()
        .enumerate()
        .map(|(at, line)| (wanted.apart(&Letters::of(line.text.trim())), at))
        .collect();
    rough.sort_unstable();
    let alike = |at: usize| {
        let line: String = all
            .get(at)
            .map(|line| line.text.trim().chars().take(LINE_CHARS).collect())
            .unwrap_or_default();
        strsim::normalized_levenshtein(&line, key)
    };
    let close = rough
        .iter()
        .take(CLOSE_LINES)
        .map(|(_, at)| (alike(*at), *at));
    // Of equals the first one wins.
    let (score, at) = close.reduce(|best, next| {
        let better = next.0 > best.0 || (next.0 >= best.0 && next.1 < best.1);
        if better { next } else { best }
    })?;
    (score >= ALIKE).then_some(at)
}

/// How often each byte stands in a line: a cheap lower bound of how far two lines are apart.
struct Letters([u16; 64]);

impl Letters {
    fn of(line: &str) -> Self {
        let mut counts = [0u16; 64];
        for byte in line.bytes().take(2 * LINE_CHARS) {
            if let Some(count) = counts.get_mut(usize::from(byte % 64)) {
                *count += 1;
            }
        }
        Self(counts)
    }

    fn apart(&self, other: &Self) -> u32 {
        let pairs = self.0.iter().zip(&other.0);
        pairs
            .map(|(left, right)| u32::from(left.abs_diff(*right)))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::quote;
    use proptest::prelude::*;

    #[test]
    fn the_nearest_text_is_quoted() {
        let check = |text: &str, wanted: &str, expected: Option<&str>| {
            assert_eq!(quote(text, wanted).as_deref(), expected);
        };
        let text = "fn one() {}\nfn two() {\n    body(2)\n}\n";
        check(text, "fn tow() {", Some("2\tfn two() {"));
        check(
            text,
            "{\n    body(3)\n}",
            Some("2\tfn two() {\n3\t    body(2)\n4\t}"),
        );
        check(text, "nothing of the kind is here", None);
        check(text, "\n", None);
        check("", "a", None);
    }

    proptest! {
        #[test]
        fn it_never_breaks(text in "(?s).{0,60}", wanted in "(?s).{0,30}") {
            let quoted = quote(&text, &wanted);
            prop_assert!(quoted.is_none_or(|quoted| !quoted.is_empty()));
        }
    }
}
