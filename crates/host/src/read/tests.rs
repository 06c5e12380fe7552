//! What reading promises.

use std::os::unix::net::UnixListener;
use std::path::Path;

use proptest::prelude::*;

use super::{LinePage, LineStart, PageLimits, list_folder, read_lines, read_whole};
use crate::{ContentHash, EntryKind, Fault, LineEnding};

const WIDE: PageLimits = PageLimits {
    lines: 2_000,
    line_chars: 2_000,
    total_chars: 30_000,
};

fn page(bytes: &[u8], from: LineStart, limits: PageLimits) -> LinePage {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let page = read_lines(file.path(), from, limits).unwrap();
    assert_eq!(page.hash, ContentHash::of(bytes));
    assert_eq!(page.size, bytes.len() as u64);
    page
}

fn texts(page: &LinePage) -> Vec<&str> {
    page.lines.iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn lines_end_where_editors_end_them() {
    let check = |bytes: &[u8], lines: &[&str], ending: LineEnding, newline: bool| {
        let page = page(bytes, LineStart::FromTop(0), WIDE);
        assert_eq!(texts(&page), lines, "{bytes:?}");
        assert_eq!(page.total_lines, lines.len() as u64);
        assert_eq!(
            (page.line_ending, page.ends_with_newline),
            (ending, newline)
        );
    };
    check(b"", &[], LineEnding::None, false);
    check(b"\xef\xbb\xbf", &[], LineEnding::None, false);
    check(b"a", &["a"], LineEnding::None, false);
    check(b"a\n", &["a"], LineEnding::Lf, true);
    check(b"\n\n", &["", ""], LineEnding::Lf, true);
    check(b"a\r\nb", &["a", "b"], LineEnding::Crlf, false);
    check(b"a\rb\r", &["a", "b"], LineEnding::Cr, true);
    check(b"a\rb\nc\r\n", &["a\rb", "c"], LineEnding::Mixed, true);
    check(b"\xef\xbb\xbfa\nb", &["a", "b"], LineEnding::Lf, false);
    check(
        b"\xff\xfea\0\r\0\n\0b\0",
        &["a", "b"],
        LineEnding::Crlf,
        false,
    );
    check(
        b"caf\xe9\nth\xe9\n",
        &["caf\u{e9}", "th\u{e9}"],
        LineEnding::Lf,
        true,
    );
}

#[test]
fn damaged_places_are_shown_and_told() {
    let check = |bytes: &[u8], encoding: &str, lines: &[&str]| {
        let page = page(bytes, LineStart::FromTop(0), WIDE);
        assert_eq!(
            (page.encoding.as_str(), texts(&page)),
            (encoding, lines.to_vec())
        );
    };
    check(b"\xc3\xa4\xc3\xb6\n", "UTF-8", &["äö"]);
    check(
        b"\xc3\xa4\xff\n\xc3\xb6\n",
        "UTF-8 with 1 damaged byte",
        &["ä\u{fffd}", "ö"],
    );
    check(
        b"\xc3\xa4\n\xc3\xb6\n\xf0\x9f\x98",
        "UTF-8 with 3 damaged bytes",
        &["ä", "ö", "\u{fffd}"],
    );
}

#[test]
fn a_page_is_a_window() {
    let bytes = b"0\n1\n2\n3\n4";
    let check = |from: LineStart, lines: u64, first: u64, expected: &[&str]| {
        let page = page(bytes, from, PageLimits { lines, ..WIDE });
        assert_eq!(
            (page.first, texts(&page)),
            (first, expected.to_vec()),
            "{from:?}"
        );
        assert_eq!(page.total_lines, 5);
    };
    check(LineStart::FromTop(0), 2, 0, &["0", "1"]);
    check(LineStart::FromTop(3), 9, 3, &["3", "4"]);
    check(LineStart::FromTop(4), 9, 4, &["4"]);
    check(LineStart::FromTop(5), 9, 5, &[]);
    check(LineStart::FromTop(u64::MAX), 9, u64::MAX, &[]);
    check(LineStart::FromEnd(1), 9, 4, &["4"]);
    check(LineStart::FromEnd(2), 9, 3, &["3", "4"]);
    check(LineStart::FromEnd(5), 1, 0, &["0"]);
    check(LineStart::FromEnd(99), 9, 0, &["0", "1", "2", "3", "4"]);
    check(LineStart::FromEnd(0), 9, 5, &[]);
}

#[test]
fn what_is_cut_is_counted() {
    let check = |bytes: &[u8], line_chars: usize, total_chars: usize, expected: &[(&str, u64)]| {
        let limits = PageLimits {
            line_chars,
            total_chars,
            lines: 10,
        };
        let page = page(bytes, LineStart::FromTop(0), limits);
        let lines: Vec<(&str, u64)> = page
            .lines
            .iter()
            .map(|line| (line.text.as_str(), line.omitted_chars))
            .collect();
        assert_eq!(lines, expected);
    };
    check("äöü\nxy\n".as_bytes(), 2, 99, &[("äö", 1), ("xy", 0)]);
    check(b"abc\r\nab\r\n", 2, 99, &[("ab", 1), ("ab", 0)]);
    check(b"abcdefgh\r\n", 1, 99, &[("a", 7)]);
    check(b"abc\nd\nefg\nh\n", 9, 6, &[("abc", 0), ("d", 0)]);
    check(b"abcdef\ng\n", 9, 3, &[("abc", 3)]);
    check(b"abc\n", 0, 9, &[("", 3)]);
}

#[test]
fn a_large_file_is_paged_from_both_ends() {
    let text: String = (0..60_000)
        .map(|line| format!("line {line} äöü\n"))
        .collect();
    let from_top = page(
        text.as_bytes(),
        LineStart::FromTop(50_000),
        PageLimits { lines: 2, ..WIDE },
    );
    assert_eq!(texts(&from_top), ["line 50000 äöü", "line 50001 äöü"]);
    let from_end = page(
        text.as_bytes(),
        LineStart::FromEnd(20_000),
        PageLimits { lines: 1, ..WIDE },
    );
    assert_eq!(texts(&from_end), ["line 40000 äöü"]);
    let long = "ä".repeat(400_000);
    let one = page(
        long.as_bytes(),
        LineStart::FromEnd(1),
        PageLimits {
            line_chars: 5,
            ..WIDE
        },
    );
    assert_eq!(one.lines[0].omitted_chars, 399_995);
}

#[test]
fn what_is_no_file_is_told() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    rustix::fs::mkfifoat(rustix::fs::CWD, path("pipe"), rustix::fs::Mode::RWXU).unwrap();
    let _socket = UnixListener::bind(path("socket")).unwrap();
    std::fs::write(path("file"), "").unwrap();
    std::fs::write(path("binary"), "\x7fELF\x02\0\0\0").unwrap();
    let check = |path: &Path, fault: Fault, detail: &str| {
        for err in [
            read_lines(path, LineStart::FromTop(0), WIDE).unwrap_err(),
            read_whole(path, 7).unwrap_err(),
        ] {
            if fault == Fault::Binary && err.fault == Fault::TooLarge {
                continue;
            }
            assert_eq!((err.fault, err.detail.as_str()), (fault, detail));
            assert_eq!(err.path, path);
        }
    };
    check(&path("pipe"), Fault::NotAFile, "it is a pipe, not a file");
    check(
        &path("socket"),
        Fault::NotAFile,
        "it is a socket, not a file",
    );
    check(place.path(), Fault::NotAFile, "it is a folder, not a file");
    check(
        Path::new("/dev/zero"),
        Fault::NotAFile,
        "it is a device, not a file",
    );
    check(&path("none"), Fault::NotFound, "No such file or directory");
    check(&path("file/below"), Fault::NotFound, "Not a directory");
    check(&path("binary"), Fault::Binary, "ELF");
}

#[test]
fn the_limit_holds() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"12345").unwrap();
    assert_eq!(read_whole(file.path(), 5).unwrap().bytes, b"12345");
    let err = read_whole(file.path(), 4).unwrap_err();
    assert_eq!(err.fault, Fault::TooLarge);
    assert_eq!(err.detail, "it holds 5 bytes, and the limit is 4");
}

#[test]
fn a_file_of_the_kernel_is_read() {
    let page = read_lines(Path::new("/proc/self/status"), LineStart::FromTop(0), WIDE).unwrap();
    assert!(page.lines[0].text.starts_with("Name:"));
}

#[test]
fn a_folder_is_listed_by_name() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("b"), "xy").unwrap();
    std::fs::create_dir(place.path().join("a")).unwrap();
    std::os::unix::fs::symlink("b", place.path().join(".c")).unwrap();
    let entries = list_folder(place.path()).unwrap();
    let seen: Vec<_> = entries
        .iter()
        .map(|entry| (entry.name.as_str(), entry.kind, entry.size))
        .collect();
    assert_eq!(
        seen,
        [
            (".c", EntryKind::Link, 0),
            ("a", EntryKind::Folder, 0),
            ("b", EntryKind::File, 2),
        ]
    );
    let err = list_folder(&place.path().join("b")).unwrap_err();
    assert_eq!(err.fault, Fault::NotAFolder);
}

proptest! {
    #[test]
    fn pages_are_the_lines_of_the_whole(text in "[a-c\u{e4}\u{4e16}\r\n]{0,60}", at in 0..20_u64, lines in 0..8_u64, from_end in any::<bool>()) {
        let by = if text.contains('\n') { '\n' } else { '\r' };
        let whole: Vec<String> = text
            .split_terminator(by)
            .map(|line| if by == '\n' { line.strip_suffix('\r').unwrap_or(line) } else { line })
            .map(str::to_owned)
            .collect();
        let from = if from_end { LineStart::FromEnd(at) } else { LineStart::FromTop(at) };
        let page = page(text.as_bytes(), from, PageLimits { lines, ..WIDE });
        let first = if from_end { whole.len().saturating_sub(at as usize) } else { at as usize };
        let expected: Vec<&String> = whole.iter().skip(first).take(lines as usize).collect();
        prop_assert_eq!(page.lines.iter().map(|line| &line.text).collect::<Vec<_>>(), expected);
        prop_assert_eq!(page.total_lines, whole.len() as u64);
        let decoded = crate::Text::decode(text.as_bytes()).unwrap();
        prop_assert_eq!(page.line_ending, decoded.line_ending());
    }

    #[test]
    fn omitted_and_kept_are_all(text in "[a-c\u{e4}\u{4e16}]{0,30}\r?", limit in 0..12_usize) {
        let line = text.strip_suffix('\r').unwrap_or(&text);
        let bytes = format!("{text}\n");
        let page = page(bytes.as_bytes(), LineStart::FromTop(0), PageLimits { line_chars: limit, ..WIDE });
        let kept: String = line.chars().take(limit).collect();
        prop_assert_eq!(&page.lines[0].text, &kept);
        prop_assert_eq!(page.lines[0].omitted_chars as usize, line.chars().count() - kept.chars().count());
    }
}
