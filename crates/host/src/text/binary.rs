//! What bytes that are no text are.

use memchr::memchr;

/// First bytes, where they stand, and what they begin.
const FORMATS: &[(usize, &[u8], &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "PNG image"),
    (0, b"\xff\xd8\xff", "JPEG image"),
    (0, b"GIF87a", "GIF image"),
    (0, b"GIF89a", "GIF image"),
    (8, b"WEBP", "WebP image"),
    (8, b"WAVE", "WAV audio"),
    (8, b"AVI ", "AVI video"),
    (0, b"BM", "BMP image"),
    (0, b"II*\0", "TIFF image"),
    (0, b"MM\0*", "TIFF image"),
    (0, b"\0\0\x01\0", "icon"),
    (4, b"ftypavif", "AVIF image"),
    (4, b"ftyphei", "HEIF image"),
    (4, b"ftyp", "MP4 video"),
    (0, b"\x1aE\xdf\xa3", "Matroska video"),
    (0, b"OggS", "Ogg media"),
    (0, b"ID3", "MP3 audio"),
    (0, b"\xff\xfb", "MP3 audio"),
    (0, b"fLaC", "FLAC audio"),
    (0, b"%PDF-", "PDF document"),
    (
        0,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "Microsoft Office document",
    ),
    (0, b"PK\x03\x04", "ZIP archive"),
    (0, b"PK\x05\x06", "empty ZIP archive"),
    (0, b"\x1f\x8b", "gzip archive"),
    (0, b"BZh", "bzip2 archive"),
    (0, b"\xfd7zXZ\0", "xz archive"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard archive"),
    (0, b"\x04\x22\x4d\x18", "LZ4 archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
    (0, b"Rar!\x1a\x07", "RAR archive"),
    (257, b"ustar", "tar archive"),
    (0, b"!<arch>\n", "static library"),
    (0, b"\x7fELF", "ELF"),
    (0, b"\0asm", "WebAssembly module"),
    (
        0,
        b"\xca\xfe\xba\xbe",
        "Java class or Mach-O universal binary",
    ),
    (0, b"\xcf\xfa\xed\xfe", "Mach-O binary"),
    (0, b"MZ", "Windows executable"),
    (0, b"SQLite format 3\0", "SQLite database"),
    (0, b"wOFF", "WOFF font"),
    (0, b"wOF2", "WOFF2 font"),
    (0, b"\0\x01\0\0\0", "TrueType font"),
    (0, b"OTTO", "OpenType font"),
    (0, b"PAR1", "Parquet file"),
    (0, b"\xff\xfe\0\0", "UTF-32 text"),
    (0, b"\0\0\xfe\xff", "UTF-32 text"),
];

/// Names a binary format by its first bytes. What is text all through can have such bytes too: ask only when it is not.
#[must_use]
pub fn describe_binary(bytes: &[u8]) -> Option<&'static str> {
    let begins = |(at, magic, _): &&(usize, &[u8], &str)| {
        bytes.get(*at..).is_some_and(|rest| rest.starts_with(magic))
    };
    FORMATS.iter().find(begins).map(|(_, _, name)| *name)
}

/// What bytes that are no text are called, at the least.
pub(crate) fn what_it_is(bytes: &[u8]) -> &'static str {
    describe_binary(bytes).unwrap_or(if memchr(0, bytes).is_some() {
        "NUL bytes"
    } else {
        "binary data"
    })
}

/// The share of control characters above which bytes without NUL are no text in any encoding: one in this many.
const CONTROL_SHARE: usize = 20;

/// Whether bytes that are not UTF-8 are no text in an older encoding either.
pub(crate) fn looks_binary(bytes: &[u8]) -> bool {
    let control = |byte: &&u8| matches!(byte, 0..=7 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f);
    let controls = bytes.iter().filter(control).count();
    controls * CONTROL_SHARE > bytes.len()
        || (controls > 0 && describe_binary(bytes).is_some())
        || bytes.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::describe_binary;

    #[test]
    fn formats_are_known_by_their_first_bytes() {
        let check = |bytes: &[u8], expected: Option<&str>| {
            assert_eq!(describe_binary(bytes), expected, "{bytes:?}");
        };
        check(b"\x89PNG\r\n\x1a\n....", Some("PNG image"));
        check(b"RIFF\x24\0\0\0WEBPVP8 ", Some("WebP image"));
        check(b"%PDF-1.7\n", Some("PDF document"));
        check(b"\x7fELF\x02\x01", Some("ELF"));
        check(b"SQLite format 3\0", Some("SQLite database"));
        check(b"\0asm\x01\0\0\0", Some("WebAssembly module"));
        check(b"PK\x03\x04", Some("ZIP archive"));
        check(b"", None);
        check(b"plain", None);
    }
}
