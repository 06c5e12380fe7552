//! The text model's promises.

use super::{Encoding, LineEnding, Nul, Splice, Text};
use crate::Fault;
use proptest::prelude::*;

fn utf16(text: &str, encoding: Encoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    super::encode::encode_into(encoding, text, &mut bytes).unwrap();
    bytes
}

#[test]
fn encodings_are_found() {
    let check = |bytes: &[u8], name: &str, bom: bool, text: &str| {
        let decoded = Text::decode(bytes).unwrap();
        assert_eq!(
            (
                decoded.encoding().name(),
                decoded.has_bom(),
                decoded.as_str()
            ),
            (name, bom, text)
        );
    };
    check(b"", "UTF-8", false, "");
    check("na\u{ef}ve".as_bytes(), "UTF-8", false, "na\u{ef}ve");
    check(b"\xef\xbb\xbfx", "UTF-8", true, "x");
    check(b"\xff\xfeh\0i\0", "UTF-16LE", true, "hi");
    check(b"\xfe\xff\0h\0i", "UTF-16BE", true, "hi");
    check(b"f\0o\0r\0=\x001\0", "UTF-16LE", false, "for=1");
    check(b"\0f\0o\0r\0=\x001", "UTF-16BE", false, "for=1");
    check(
        b"un caf\xe9 noir\n",
        "windows-1252",
        false,
        "un caf\u{e9} noir\n",
    );
    check(
        b"\x83n\x83\x8d\x81[\x81A\x90\xa2\x8aE\x82\xcc\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd",
        "Shift_JIS",
        false,
        "ハロー、世界のこんにちは",
    );
}

#[test]
fn what_is_no_text_is_named() {
    let check = |bytes: &[u8], fault: Fault, detail: &str| {
        let err = Text::decode(bytes).unwrap_err();
        assert_eq!((err.fault, err.detail.as_str()), (fault, detail));
    };
    check(b"a\0b", Fault::Binary, "NUL bytes");
    check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Fault::Binary, "PNG image");
    check(b"\x7fELF\x02\x01\x01\0\0\0", Fault::Binary, "ELF");
    check(b"\xff\xfe\0\0a\0\0\0", Fault::Binary, "UTF-32 text");
    check(b"\x01\x02\xff\x03\x04", Fault::Binary, "binary data");
    check(
        b"\xff\xfea\0b",
        Fault::Unsupported,
        "it begins with the mark of UTF-16LE and is not valid UTF-16LE",
    );
    check(
        b"\xff\xfe\x00\xd8a\0",
        Fault::Unsupported,
        "it begins with the mark of UTF-16LE and is not valid UTF-16LE",
    );
    check(
        b"\xef\xbb\xbf\xff",
        Fault::Unsupported,
        "it begins with the mark of UTF-8 and is not valid UTF-8",
    );
}

#[test]
fn a_nul_survives_an_edit() {
    let text = Text::decode_with(b"a\0b\n", Nul::Accepted).unwrap();
    let edit = Splice {
        range: 2..3,
        with: "c".into(),
    };
    assert_eq!(text.replace(&[edit]).unwrap(), b"a\0c\n");
    let err = Text::decode_with(b"a\0\xff", Nul::Accepted).unwrap_err();
    assert_eq!(err.fault, Fault::Binary);
}

#[test]
fn line_endings_are_counted() {
    let check = |text: &str, expected: LineEnding| {
        let decoded = Text::decode(text.as_bytes()).unwrap();
        assert_eq!(decoded.line_ending(), expected, "{text:?}");
    };
    check("", LineEnding::None);
    check("a", LineEnding::None);
    check("a\nb\n", LineEnding::Lf);
    check("a\r\nb\r\n", LineEnding::Crlf);
    check("a\rb", LineEnding::Cr);
    check("\r", LineEnding::Cr);
    check("a\r\nb\n", LineEnding::Mixed);
    check("a\r\r\n", LineEnding::Mixed);
    check("a\n\rb", LineEnding::Mixed);
}

#[test]
fn only_the_span_changes() {
    let check = |bytes: &[u8], old: &str, new: &str, expected: &[u8]| {
        let text = Text::decode_with(bytes, Nul::Accepted).unwrap();
        let start = text.as_str().find(old).unwrap();
        let edit = Splice {
            range: start..start + old.len(),
            with: new.into(),
        };
        assert_eq!(text.replace(&[edit]).unwrap(), expected);
    };
    check(
        b"caf\xe9 = 1\r\nx = 2\n",
        "1",
        "d\u{e9}",
        b"caf\xe9 = d\xe9\r\nx = 2\n",
    );
    check(
        b"\xef\xbb\xbfa\r\nb",
        "b",
        "\u{1f600}",
        b"\xef\xbb\xbfa\r\n\xf0\x9f\x98\x80",
    );
    check(
        b"\xff\xfea\0=\0",
        "=",
        "\u{1f600}",
        b"\xff\xfea\0\x3d\xd8\0\xde",
    );
    check(b"\xfe\xff\0a\0=", "a", "bc", b"\xfe\xff\0b\0c\0=");
    check(
        b"\x83n\x83\x8d\x81[\x81A\x90\xa2\x8aE\x82\xcc=1",
        "=1",
        "\u{306e}",
        b"\x83n\x83\x8d\x81[\x81A\x90\xa2\x8aE\x82\xcc\x82\xcc",
    );
}

#[test]
fn what_an_encoding_lacks_is_named() {
    let latin = Text::decode(b"caf\xe9 et th\xe9\n").unwrap();
    let err = latin.encode_like("a \u{4e16}").unwrap_err();
    assert_eq!(err.fault, Fault::Unsupported);
    assert_eq!(
        err.detail,
        "the file is windows-1252 and that encoding does not have `\u{4e16}` (U+4E16)"
    );
    let sjis = Text {
        encoding: Encoding::Legacy(encoding_rs::SHIFT_JIS),
        bom: false,
        text: String::new(),
        source: Some(Vec::new()),
        damaged: Vec::new(),
    };
    assert!(
        sjis.encode_like("5\u{a5}")
            .unwrap_err()
            .detail
            .contains("U+00A5")
    );
}

#[test]
fn misplaced_parts_are_refused() {
    let text = Text::decode("aé".as_bytes()).unwrap();
    let splice = |range| Splice {
        range,
        with: String::new(),
    };
    for edits in [
        vec![splice(1..2)],
        vec![splice(0..9)],
        vec![splice(1..3), splice(0..1)],
        vec![splice(0..2), splice(1..3)],
    ] {
        assert_eq!(text.replace(&edits).unwrap_err().fault, Fault::Unsupported);
        let err = text.clone().into_replaced(&edits).unwrap_err();
        assert_eq!(err.fault, Fault::Unsupported);
    }
}

#[test]
fn a_whole_text_keeps_encoding_and_mark() {
    let text = Text::decode(b"\xff\xfea\0").unwrap();
    assert_eq!(text.encode_like("b\n").unwrap(), b"\xff\xfeb\0\n\0");
}

#[test]
fn a_mark_alone_is_an_empty_text() {
    let check = |bytes: &[u8], name: &str, with_x: &[u8]| {
        let text = Text::decode(bytes).unwrap();
        assert_eq!((text.encoding().name(), text.as_str()), (name, ""));
        assert!(text.has_bom());
        assert_eq!(text.replace(&[]).unwrap(), bytes);
        let edit = Splice {
            range: 0..0,
            with: "x".into(),
        };
        assert_eq!(text.into_replaced(&[edit]).unwrap(), with_x);
    };
    check(b"\xef\xbb\xbf", "UTF-8", b"\xef\xbb\xbfx");
    check(b"\xff\xfe", "UTF-16LE", b"\xff\xfex\0");
    check(b"\xfe\xff", "UTF-16BE", b"\xfe\xff\0x");
}

#[test]
fn an_odd_byte_at_the_end_is_no_utf16() {
    let check = |bytes: &[u8], fault: Fault| {
        assert_eq!(Text::decode(bytes).unwrap_err().fault, fault);
    };
    check(b"\xff\xfea\0\n", Fault::Unsupported);
    check(b"\xfe\xff\0a\0", Fault::Unsupported);
    check(b"f\0o\0r\0=\x001\0\n", Fault::Binary);
    // A NUL within marked text is a character, and still no text to read.
    check(b"\xff\xfea\0\0\0", Fault::Binary);
    check(b"\xef\xbb\xbfa\0", Fault::Binary);
}

#[test]
fn short_older_texts_come_back_as_they_were() {
    let check = |bytes: &[u8], text: &str| {
        let decoded = Text::decode(bytes).unwrap();
        assert_eq!(decoded.as_str(), text);
        assert_eq!(decoded.replace(&[]).unwrap(), bytes);
    };
    check(b"caf\xe9", "caf\u{e9}");
    check(b"na\xefve\n", "na\u{ef}ve\n");
    check(b"\xa9 2020\n", "\u{a9} 2020\n");
    check(
        b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!\n",
        "Привет, мир!\n",
    );
    check(b"r\xe9sum\xe9\r\nx\ry\n", "r\u{e9}sum\u{e9}\r\nx\ry\n");
}

#[test]
fn damaged_utf8_stays_utf8() {
    let check = |bytes: &[u8], words: &str, text: &str| {
        let decoded = Text::decode(bytes).unwrap();
        assert_eq!(
            (decoded.encoding_words().as_str(), decoded.as_str()),
            (words, text)
        );
        assert_eq!(decoded.replace(&[]).unwrap(), bytes);
    };
    check(
        b"d\xc3\xbc \xc3\xa9\xff\n",
        "UTF-8 with 1 damaged byte",
        "dü é\u{fffd}\n",
    );
    check(
        b"\xe4\xb8\xad\xe6\x96\x87\xe5\xad",
        "UTF-8 with 2 damaged bytes",
        "中文\u{fffd}",
    );
    check(
        "\u{e4}\u{f6}\u{fc}\u{df} \u{1f600}\n"
            .as_bytes()
            .get(..12)
            .unwrap(),
        "UTF-8 with 3 damaged bytes",
        "äöüß \u{fffd}",
    );
    check(
        b"\xef\xbb\xbf\xc3\xa4\xc3\xb6\x80",
        "UTF-8 with 1 damaged byte",
        "äö\u{fffd}",
    );
    // A sign that is written out is a character like all others.
    check("a\u{fffd}b".as_bytes(), "UTF-8", "a\u{fffd}b");
    // Too little speaks for UTF-8.
    let other = Text::decode(b"\xc3\xa9 et th\xe9\n").unwrap();
    assert_ne!(other.encoding(), Encoding::Utf8);
}

#[test]
fn a_damaged_place_is_not_touched() {
    let bytes = b"\xc3\xa4\xff = 1\nl\xc3\xb6\xe4\xb8x\xad \xc3\xbc\xc3\x9f\xc3\xa9 \xc3\xb1\n";
    let text = Text::decode(bytes).unwrap();
    assert_eq!(text.as_str(), "ä\u{fffd} = 1\nlö\u{fffd}x\u{fffd} üßé ñ\n");
    let edited = |old: &str, new: &str| {
        let start = text.as_str().find(old).unwrap();
        let edit = Splice {
            range: start..start + old.len(),
            with: new.into(),
        };
        text.clone().into_replaced(&[edit])
    };
    let check = |old: &str, new: &str, expected: &[u8]| {
        assert_eq!(edited(old, new).unwrap(), expected, "{old}");
    };
    check(
        "1",
        "2é",
        b"\xc3\xa4\xff = 2\xc3\xa9\nl\xc3\xb6\xe4\xb8x\xad \xc3\xbc\xc3\x9f\xc3\xa9 \xc3\xb1\n",
    );
    check(
        "x",
        "",
        b"\xc3\xa4\xff = 1\nl\xc3\xb6\xe4\xb8\xad \xc3\xbc\xc3\x9f\xc3\xa9 \xc3\xb1\n",
    );
    check(
        "ä",
        "",
        b"\xff = 1\nl\xc3\xb6\xe4\xb8x\xad \xc3\xbc\xc3\x9f\xc3\xa9 \xc3\xb1\n",
    );
    check(
        " ñ\n",
        "",
        b"\xc3\xa4\xff = 1\nl\xc3\xb6\xe4\xb8x\xad \xc3\xbc\xc3\x9f\xc3\xa9",
    );
    let refused = |old: &str, line: &str| {
        let err = edited(old, "").unwrap_err();
        assert_eq!(err.fault, Fault::Unsupported);
        assert!(err.detail.contains(line), "{}", err.detail);
    };
    refused("\u{fffd} = 1", "in line 1,");
    refused("ö\u{fffd}", "in line 2,");
    refused("1\nlö\u{fffd}x", "in line 2,");
    refused(text.as_str(), "in line 1,");
    assert_eq!(
        text.encode_like("ä\u{fffd}").unwrap(),
        "ä\u{fffd}".as_bytes()
    );
}

/// Encodings that people's files are in, beside UTF-8.
const ENCODINGS: [Encoding; 12] = [
    Encoding::Utf16Le,
    Encoding::Utf16Be,
    Encoding::Legacy(encoding_rs::WINDOWS_1252),
    Encoding::Legacy(encoding_rs::WINDOWS_1251),
    Encoding::Legacy(encoding_rs::ISO_8859_2),
    Encoding::Legacy(encoding_rs::KOI8_R),
    Encoding::Legacy(encoding_rs::SHIFT_JIS),
    Encoding::Legacy(encoding_rs::EUC_JP),
    Encoding::Legacy(encoding_rs::GBK),
    Encoding::Legacy(encoding_rs::GB18030),
    Encoding::Legacy(encoding_rs::BIG5),
    Encoding::Legacy(encoding_rs::EUC_KR),
];

/// A text in an encoding, of the characters that it has.
fn text_in(encoding: Encoding, text: &str) -> Text {
    let mut bytes = Vec::new();
    let has = |char: &char| {
        super::encode::encode_into(encoding, &char.to_string(), &mut Vec::new()).is_ok()
    };
    let text: String = text.chars().filter(has).collect();
    super::encode::encode_into(encoding, &text, &mut bytes).unwrap();
    Text {
        encoding,
        bom: false,
        text,
        source: Some(bytes),
        damaged: Vec::new(),
    }
}

/// Bytes as files have them: text in several encodings, and noise.
fn some_bytes() -> impl Strategy<Value = Vec<u8>> {
    let text = "[a-z\u{e0}-\u{ff} \r\n\u{3041}-\u{3090}\u{1f600}]{0,40}";
    let latin = "[a-zA-Z ,.\r\n]{0,20}";
    prop_oneof![
        any::<Vec<u8>>(),
        text.prop_map(String::into_bytes),
        text.prop_map(|text| [b"\xef\xbb\xbf".as_slice(), text.as_bytes()].concat()),
        text.prop_map(|text| [b"\xff\xfe".to_vec(), utf16(&text, Encoding::Utf16Le)].concat()),
        text.prop_map(|text| [b"\xfe\xff".to_vec(), utf16(&text, Encoding::Utf16Be)].concat()),
        latin.prop_map(|text| utf16(&text, Encoding::Utf16Le)),
        proptest::collection::vec(
            prop_oneof![0x20..0x7f_u8, 0xa0..=0xff_u8, Just(b'\n')],
            0..60
        ),
        "[\u{3041}-\u{3090}\u{4e00}-\u{4f00}a-z\n]{1,40}"
            .prop_map(|text| encoding_rs::SHIFT_JIS.encode(&text).0.into_owned()),
        "[\u{4e00}-\u{4f00}a-z\n]{1,40}"
            .prop_map(|text| encoding_rs::GBK.encode(&text).0.into_owned()),
    ]
}

proptest! {
    #[test]
    fn decoding_and_encoding_is_identity(bytes in some_bytes()) {
        if let Ok(text) = Text::decode_with(&bytes, Nul::Accepted) {
            if text.damaged_bytes() == 0 {
                prop_assert_eq!(&text.encode_like(text.as_str()).unwrap(), &bytes);
            }
            prop_assert_eq!(&text.replace(&[]).unwrap(), &bytes);
        }
    }

    #[test]
    fn bytes_outside_the_spans_stay(
        bytes in some_bytes(),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
        with in "[a-z\n\u{e9}]{0,5}",
    ) {
        let Ok(text) = Text::decode_with(&bytes, Nul::Accepted) else { return Ok(()) };
        let borders: Vec<usize> = text.as_str().char_indices().map(|(at, _)| at).chain([text.as_str().len()]).collect();
        let mut places: Vec<usize> = cuts.iter().map(|cut| borders[cut.index(borders.len())]).collect();
        places.sort_unstable();
        let edits: Vec<Splice> = places
            .chunks_exact(2)
            .map(|pair| Splice { range: pair[0]..pair[1], with: with.clone() })
            .collect();
        let changed = text.replace(&edits);
        prop_assert_eq!(text.clone().into_replaced(&edits).ok(), changed.clone().ok());
        let Ok(changed) = changed else { return Ok(()) };
        if text.damaged_bytes() > 0 { return Ok(()) }
        // The same, made the slow way: the text is changed as a text and encoded as a whole.
        let mut whole = text.as_str().to_owned();
        for edit in edits.iter().rev() {
            whole.replace_range(edit.range.clone(), &edit.with);
        }
        prop_assert_eq!(&changed, &text.encode_like(&whole).unwrap());
        if let (Some(first), Some(last)) = (edits.first(), edits.last()) {
            let head = text.encode_like(text.as_str().get(..first.range.start).unwrap()).unwrap();
            prop_assert!(bytes.starts_with(&head) && changed.starts_with(&head));
            let tail = (text.as_str().len() - last.range.end).min(1);
            prop_assert_eq!(bytes.ends_with(&changed[changed.len() - tail..]), true);
        }
    }

    #[test]
    fn every_encoding_keeps_what_is_outside(
        number in 0..ENCODINGS.len(),
        text in "[a-z\u{e0}-\u{ff}\u{400}-\u{44f}\u{3041}-\u{3090}\u{4e00}-\u{4fff}\u{ac00}-\u{acff} \r\n]{0,40}",
        cut in any::<(proptest::sample::Index, proptest::sample::Index)>(),
        with in "[a-z\r\n]{0,5}",
    ) {
        let text = text_in(ENCODINGS[number], &text);
        let borders: Vec<usize> = text.as_str().char_indices().map(|(at, _)| at).chain([text.as_str().len()]).collect();
        let (a, b) = (borders[cut.0.index(borders.len())], borders[cut.1.index(borders.len())]);
        let edit = Splice { range: a.min(b)..a.max(b), with };
        let part = |range: std::ops::Range<usize>| text.encode_like(text.as_str().get(range).unwrap()).unwrap();
        let expected = [
            part(0..edit.range.start),
            text.encode_like(&edit.with).unwrap(),
            part(edit.range.end..text.as_str().len()),
        ].concat();
        prop_assert_eq!(text.replace(&[edit]).unwrap(), expected);
    }

    #[test]
    fn damaged_bytes_stay_through_edits(
        whole in "[a-z\u{e4}\u{4e16}\u{1f600} \n]{0,30}",
        stray in proptest::collection::vec((any::<proptest::sample::Index>(), 0x80..=0xff_u8), 1..4),
        cut in any::<(proptest::sample::Index, proptest::sample::Index)>(),
        with in "[a-z\u{e9}]{0,4}",
    ) {
        let mut bytes = whole.into_bytes();
        bytes.extend_from_slice("\u{fc}".repeat(12).as_bytes());
        for (at, byte) in stray {
            bytes.insert(at.index(bytes.len() + 1), byte);
        }
        let text = Text::decode(&bytes).unwrap();
        if text.damaged_bytes() == 0 { return Ok(()) }
        prop_assert_eq!(text.encoding(), Encoding::Utf8);
        // The places in both, told the slow way.
        let mut places = vec![(0, 0)];
        let (mut shown, mut held) = (0, 0);
        for chunk in bytes.utf8_chunks() {
            for char in chunk.valid().chars() {
                (shown, held) = (shown + char.len_utf8(), held + char.len_utf8());
                places.push((shown, held));
            }
            if !chunk.invalid().is_empty() {
                (shown, held) = (shown + 3, held + chunk.invalid().len());
                places.push((shown, held));
            }
        }
        let (a, b) = (places[cut.0.index(places.len())], places[cut.1.index(places.len())]);
        let (from, to) = (a.min(b), a.max(b));
        let intact = text.as_str().as_bytes()[from.0..to.0] == bytes[from.1..to.1];
        let changed = text.replace(&[Splice { range: from.0..to.0, with: with.clone() }]);
        let expected = [&bytes[..from.1], with.as_bytes(), &bytes[to.1..]].concat();
        prop_assert_eq!(changed.ok(), intact.then_some(expected));
    }

    #[test]
    fn an_edit_and_its_reverse_is_identity(bytes in some_bytes(), at in any::<proptest::sample::Index>()) {
        let Ok(text) = Text::decode_with(&bytes, Nul::Accepted) else { return Ok(()) };
        if text.damaged_bytes() > 0 { return Ok(()) }
        let borders: Vec<usize> = text.as_str().char_indices().map(|(at, _)| at).chain([text.as_str().len()]).collect();
        let place = borders[at.index(borders.len())];
        let changed = text.replace(&[Splice { range: place..place, with: "zz".into() }]).unwrap();
        let again = Text { source: text.source.as_ref().map(|_| changed[if text.bom { 2 } else { 0 }..].to_vec()),
            text: format!("{}zz{}", text.as_str().get(..place).unwrap(), text.as_str().get(place..).unwrap()), ..text.clone() };
        let back = again.replace(&[Splice { range: place..place + 2, with: String::new() }]).unwrap();
        prop_assert_eq!(back, bytes);
    }
}
