//! What may have come upon a text on its way: escapes and line numbers. It is taken off to find a place, never to write.

/// What came upon a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dress {
    /// Backslashes before quotes, and `\\n` for a line break.
    Backslashes,
    /// `&lt;` and the like.
    Entities,
    /// The numbers that reading puts before each line.
    Numbers,
}

impl Dress {
    /// Where the text is then, as the end of a sentence.
    pub(crate) fn told(self) -> &'static str {
        match self {
            Self::Backslashes => {
                "once its escapes are undone (backslashes before quotes, `\\n` for a line break)"
            }
            Self::Entities => "once its character references (such as `&lt;`) are undone",
            Self::Numbers => "without the line numbers",
        }
    }

    /// How to send it instead.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Self::Backslashes => "with one level of escaping less",
            Self::Entities => "without character references",
            Self::Numbers => "without the numbers that `fs.read` puts before the lines",
        }
    }
}

/// The text without each of these; only those that change it.
pub(crate) fn undressed(text: &str) -> impl Iterator<Item = (Dress, String)> {
    let all = [
        (Dress::Backslashes, without_backslashes(text)),
        (Dress::Entities, without_entities(text)),
        (Dress::Numbers, without_numbers(text).unwrap_or_default()),
    ];
    let text = text.to_owned();
    all.into_iter()
        .filter(move |(_, bare)| !bare.is_empty() && *bare != text)
}

fn without_backslashes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            out.push(char);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some(other @ ('"' | '\'' | '`' | '\\' | '/' | '$')) => out.push(other),
            Some(other) => out.extend([char, other]),
            None => out.push(char),
        }
    }
    out
}

fn without_entities(text: &str) -> String {
    let pairs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    pairs
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// `None` when a line has no number before it.
fn without_numbers(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start_matches([' ', 'L']);
        let bare = rest.trim_start_matches(|char: char| char.is_ascii_digit());
        if bare.len() == rest.len() {
            return None;
        }
        out.push_str(
            bare.strip_prefix('\t')
                .or_else(|| bare.strip_prefix(": "))?,
        );
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{Dress, undressed};

    #[test]
    fn what_came_on_the_way_is_taken_off() {
        let check = |text: &str, expected: &[(Dress, &str)]| {
            let seen: Vec<(Dress, String)> = undressed(text).collect();
            let seen: Vec<(Dress, &str)> = seen
                .iter()
                .map(|(dress, bare)| (*dress, bare.as_str()))
                .collect();
            assert_eq!(seen, expected, "{text:?}");
        };
        check("plain\n", &[]);
        check(
            r#"say(\"a\");\n\tb"#,
            &[(Dress::Backslashes, "say(\"a\");\n\tb")],
        );
        check(r"\d \\", &[(Dress::Backslashes, r"\d \")]);
        check("a &lt; b", &[(Dress::Entities, "a < b")]);
        check("12\ta\n13\tb", &[(Dress::Numbers, "a\nb")]);
        check("L12: a", &[(Dress::Numbers, "a")]);
        check("12 a", &[]);
    }
}
