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
/// How much of what a line holds beyond the key is forgiven.
const SURPLUS_SHARE: f64 = 0.7;
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
        likeness(&line, key)
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

/// How alike a line is to the key, from 1 downwards. That the line holds more than the key counts for less.
fn likeness(line: &str, key: &str) -> f64 {
    let length = |text: &str| f64::from(u32::try_from(text.chars().count()).unwrap_or(u32::MAX));
    let apart = strsim::levenshtein(line, key);
    let apart = f64::from(u32::try_from(apart).unwrap_or(u32::MAX));
    let surplus = (length(line) - length(key)).max(0.0);
    1.0 - (apart - SURPLUS_SHARE * surplus) / length(key).max(1.0)
}

/// How often each byte stands in a line: a cheap guess at how far two lines are apart.
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
            .map(|(own, other)| {
                let (lacks, exceeds) = (own.saturating_sub(*other), other.saturating_sub(*own));
                3 * u32::from(lacks) + u32::from(exceeds)
            })
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
        check(text, "body(3)", Some("3\t    body(2)"));
        check(
            "call(alpha, beta, gamma)\n",
            "call(alfa, beta",
            Some("1\tcall(alpha, beta, gamma)"),
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
