//! Writing to the two outputs.

use std::io::Write as _;

/// Writes results to standard output, with a line break after them.
pub(crate) fn line(text: &str) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Tells a person something on standard error. Nobody there to read it is no error.
pub(crate) fn note(text: &str) {
    let mut out = anstream::stderr().lock();
    let _ = writeln!(out, "{text}");
}
