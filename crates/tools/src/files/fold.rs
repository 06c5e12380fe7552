//! Characters that look alike: a place may be found through them, and they are never written.

/// The plain character for a typographic one. The table is the one that the families' own tools use.
pub(crate) fn plain(char: char) -> char {
    match char {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}'..='\u{201B}' => '\'',
        '\u{201C}'..='\u{201F}' => '"',
        '\u{00A0}' | '\u{2002}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
        other => other,
    }
}

/// Whether two lines are the same once both are folded.
pub(crate) fn same(left: &str, right: &str) -> bool {
    left.chars().map(plain).eq(right.chars().map(plain))
}
