//! Writing to the two outputs.

use std::io::{IsTerminal as _, Write as _};

/// Writes results to standard output, byte for byte, with a line break after them.
pub(crate) fn line(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Writes what a tool gave to standard output: as it is for a program, harmless for a terminal.
pub(crate) fn foreign(text: &str) -> std::io::Result<()> {
    if std::io::stdout().is_terminal() {
        line(&harmless(text))
    } else {
        line(text)
    }
}

/// Tells a person something on standard error. Nobody there to read it is no error.
pub(crate) fn note(text: &str) {
    let mut out = anstream::stderr().lock();
    let _ = writeln!(out, "{}", harmless(text));
}

/// A text in which nothing steers a terminal: control characters other than line breaks and tabs are spelled out.
pub(crate) fn harmless(text: &str) -> String {
    let spelled = |char: char| match char {
        '\n' | '\t' => char.to_string(),
        _ if char.is_control() || is_bidi(char) => char.escape_default().to_string(),
        _ => char.to_string(),
    };
    text.chars().map(spelled).collect()
}

/// A text as one line in which nothing steers a terminal.
pub(crate) fn one_line(text: &str) -> String {
    harmless(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Whether a character changes the direction of what follows.
fn is_bidi(char: char) -> bool {
    matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

#[cfg(test)]
mod tests {
    use super::{harmless, one_line};

    #[test]
    fn nothing_steers_a_terminal() {
        assert_eq!(
            harmless("a\tb\nc\u{1b}[2J\u{7f}\u{202e}"),
            "a\tb\nc\\u{1b}[2J\\u{7f}\\u{202e}"
        );
        assert_eq!(one_line("a\n2026 forged"), "a\\n2026 forged");
    }
}
