//! What is no text: pictures are shown, everything else is described.

use std::path::Path;

use toolpost_core::{Code, Look, ToolError};
use toolpost_host::{Fault, HostError, describe_binary};

use super::picture;
use super::{Content, Input, Output};
use crate::files::place;

/// The largest picture that is looked at, in bytes.
const PICTURE_BYTES: u64 = 20 << 20;

/// Shows or describes a file that was found to be no text.
pub(super) fn read(
    path: &Path,
    input: &Input,
    look: &Look,
    err: &HostError,
) -> Result<Output, ToolError> {
    let shown = look.show(path);
    let content = match toolpost_host::read_whole(path, PICTURE_BYTES) {
        Ok(content) => content,
        Err(large) if large.fault == Fault::TooLarge => {
            return Err(described(&shown, &large_kind(err), size_of(path)));
        }
        Err(other) => return Err(place::fault(&other, look, path, "read")),
    };
    let size = u64::try_from(content.bytes.len()).unwrap_or(u64::MAX);
    if content.bytes.starts_with(b"%PDF-") {
        return Err(pdf(&shown, input, &content.bytes));
    }
    match picture::read(&content.bytes) {
        Some(Ok(picture)) => Ok(Output {
            shown,
            path: path.to_path_buf(),
            hash: content.hash,
            content: Content::Picture(picture),
        }),
        Some(Err(damage)) => {
            let kind = describe_binary(&content.bytes).unwrap_or("picture");
            let damage = damage.trim_end_matches('.');
            let fact = format!("`{shown}` is a damaged {kind} ({}): {damage}.", bytes(size));
            Err(ToolError::new(Code::Binary, fact).hint("Get the file anew, or leave it aside."))
        }
        None => {
            let kind = describe_binary(&content.bytes);
            Err(described(&shown, kind.unwrap_or("binary data"), size))
        }
    }
}

/// What a large file is, as reading it as text found out.
fn large_kind(err: &HostError) -> String {
    match err.fault {
        Fault::Binary => err.detail.clone(),
        _ => "binary data".to_owned(),
    }
}

fn size_of(path: &Path) -> u64 {
    toolpost_host::stat(path).map_or(0, |stat| stat.size)
}

fn described(shown: &str, kind: &str, size: u64) -> ToolError {
    let fact = format!("`{shown}` cannot be read as text: {kind}, {}.", bytes(size));
    let hint = match kind {
        kind if kind.contains("ZIP") => "List what is in it with `shell.run` and `unzip -l`.",
        kind if kind.contains("tar archive") => {
            "List what is in it with `shell.run` and `tar -tf`."
        }
        kind if kind.starts_with("gzip") => {
            "List or unpack it with `shell.run`: `tar -tzf` for an archive, `zcat` for one file."
        }
        kind if kind.contains("archive") => "List what is in it with `shell.run`.",
        kind if kind.contains("SQLite") => "Ask it with `shell.run` and `sqlite3`.",
        _ => "Look at it with a program for its kind by `shell.run`.",
    };
    ToolError::new(Code::Binary, fact)
        .hint(hint)
        .with("bytes", size)
}

/// Describes a PDF document, and says how its text is got.
fn pdf(shown: &str, input: &Input, content: &[u8]) -> ToolError {
    let size = u64::try_from(content.len()).unwrap_or(u64::MAX);
    let pages = match pages_of(content) {
        0 => String::new(),
        1 => ", 1 page".to_owned(),
        count => format!(", {count} pages"),
    };
    let locked = if contains(content, b"/Encrypt") {
        ", protected by encryption"
    } else {
        ""
    };
    let fact = format!(
        "`{shown}` is a PDF document ({}{pages}{locked}), and is not read as text.",
        bytes(size)
    );
    let part = input.pages.as_deref().and_then(page_range);
    let part = part.map_or_else(String::new, |(first, last)| {
        format!(" -f {first} -l {last}")
    });
    let hint = format!("Get its text with `shell.run`: `pdftotext -layout{part} FILE -`.");
    ToolError::new(Code::Binary, fact)
        .hint(hint)
        .with("bytes", size)
}

/// How many pages a PDF's objects speak of; 0 where they are packed away.
fn pages_of(content: &[u8]) -> usize {
    let mut count = 0;
    let mut rest = content;
    while let Some(at) = find(rest, b"/Type") {
        rest = rest.get(at + 5..).unwrap_or_default();
        let word = rest.trim_ascii_start();
        let follows = word.get(5).copied().unwrap_or(b' ');
        if word.starts_with(b"/Page") && !follows.is_ascii_alphanumeric() {
            count += 1;
        }
    }
    count
}

fn contains(content: &[u8], part: &[u8]) -> bool {
    find(content, part).is_some()
}

fn find(content: &[u8], part: &[u8]) -> Option<usize> {
    content
        .windows(part.len())
        .position(|window| window == part)
}

/// The first and last page of `3` or `3-5`.
pub(super) fn page_range(pages: &str) -> Option<(u32, u32)> {
    let (first, last) = pages.split_once('-').unwrap_or((pages, pages));
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0);
    let (first, last) = (number(first)?, number(last)?);
    (first <= last).then_some((first, last))
}

/// A size in bytes, with marks between the thousands.
fn bytes(size: u64) -> String {
    let digits = size.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    format!("{out} {}", if size == 1 { "byte" } else { "bytes" })
}

#[cfg(test)]
mod tests {
    use super::{bytes, page_range, pages_of};

    #[test]
    fn sizes_and_pages_are_told() {
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(bytes(1_234_567), "1,234,567 bytes");
        assert_eq!(
            pages_of(b"<</Type/Pages>> <</Type /Page/P>> <</Type/Page>>"),
            2
        );
        assert_eq!(page_range("3-5"), Some((3, 5)));
        assert_eq!(page_range("3"), Some((3, 3)));
        assert_eq!(page_range("5-3"), None);
        assert_eq!(page_range("x"), None);
    }
}
