//! Which encoding a file's bytes are in.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use memchr::memchr;

use super::{Encoding, Nul, Text, damaged, encode, looks_binary, what_it_is};
use crate::{Fault, HostError};

/// Decodes bytes, or says why they are no text.
pub(super) fn decode(bytes: Vec<u8>, nul: Nul) -> Result<Text, HostError> {
    if let Some(encoding) = marked(&bytes) {
        return decode_marked(bytes, encoding, nul);
    }
    let has_nul = memchr(0, &bytes).is_some();
    if has_nul && let Some(text) = unmarked_utf16(&bytes) {
        return Ok(text);
    }
    if has_nul && nul == Nul::Refused {
        return Err(binary(&bytes));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Text {
            encoding: Encoding::Utf8,
            bom: false,
            text,
            source: None,
            damaged: Vec::new(),
        }),
        Err(_) if has_nul => Err(binary(&[0])),
        Err(err) => decode_other(err.into_bytes()),
    }
}

/// The encoding whose mark the bytes begin with. UTF-32, whose mark begins like that of UTF-16, is not meant.
fn marked(bytes: &[u8]) -> Option<Encoding> {
    if bytes.starts_with(b"\xff\xfe\0\0") {
        return None;
    }
    [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be]
        .into_iter()
        .find(|encoding| bytes.starts_with(encoding.mark()))
}

fn decode_marked(mut bytes: Vec<u8>, encoding: Encoding, nul: Nul) -> Result<Text, HostError> {
    bytes.drain(..encoding.mark().len());
    let (text, source, damaged) = match encoding {
        Encoding::Utf8 => match String::from_utf8(bytes) {
            Ok(text) => (Some(text), None, Vec::new()),
            Err(err) => {
                let bytes = err.into_bytes();
                let (text, damaged) = damaged::decode(&bytes).unzip();
                (text, Some(bytes), damaged.unwrap_or_default())
            }
        },
        _ => (decode_utf16(&bytes, encoding), Some(bytes), Vec::new()),
    };
    let text = text.ok_or_else(|| {
        let detail = format!(
            "it begins with the mark of {0} and is not valid {0}",
            encoding.name()
        );
        HostError::new(Fault::Unsupported, "", detail)
    })?;
    if nul == Nul::Refused && text.contains('\0') {
        return Err(binary(&[0]));
    }
    Ok(Text {
        encoding,
        bom: true,
        text,
        source,
        damaged,
    })
}

/// Decodes UTF-16 strictly.
fn decode_utf16(bytes: &[u8], encoding: Encoding) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let unit = |pair: &[u8; 2]| match encoding {
        Encoding::Utf16Be => u16::from_be_bytes(*pair),
        _ => u16::from_le_bytes(*pair),
    };
    char::decode_utf16(pairs.iter().map(unit))
        .collect::<Result<String, _>>()
        .ok()
}

/// How many units there have to be before UTF-16 without a mark is believed.
const UTF16_UNITS_MIN: usize = 4;

/// Takes bytes for UTF-16 where that is beyond doubt: one half of the bytes is mostly NUL, the other never, and what
/// comes out holds no control character.
fn unmarked_utf16(bytes: &[u8]) -> Option<Text> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() || pairs.len() < UTF16_UNITS_MIN {
        return None;
    }
    let first = pairs.iter().filter(|[first, _]| *first == 0).count();
    let second = pairs.iter().filter(|[_, second]| *second == 0).count();
    let encoding = match (first, second) {
        (0, nuls) if nuls * 2 > pairs.len() => Encoding::Utf16Le,
        (nuls, 0) if nuls * 2 > pairs.len() => Encoding::Utf16Be,
        _ => return None,
    };
    let text = decode_utf16(bytes, encoding)?;
    let clean = !text
        .chars()
        .any(|char| char.is_control() && !matches!(char, '\t' | '\n' | '\r' | '\u{c}'));
    clean.then(|| Text {
        encoding,
        bom: false,
        text,
        source: Some(bytes.to_vec()),
        damaged: Vec::new(),
    })
}

/// Decodes what is not quite UTF-8: damaged UTF-8, or an older encoding.
fn decode_other(bytes: Vec<u8>) -> Result<Text, HostError> {
    if looks_binary(&bytes) {
        return Err(binary(&bytes));
    }
    match damaged::decode(&bytes) {
        Some((text, damaged)) => Ok(Text {
            encoding: Encoding::Utf8,
            bom: false,
            text,
            source: Some(bytes),
            damaged,
        }),
        None => decode_legacy(bytes),
    }
}

/// Decodes an older encoding, if its bytes come out of its characters again.
fn decode_legacy(bytes: Vec<u8>) -> Result<Text, HostError> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes, true);
    let found = likely(detector.guess(None, Utf8Detection::Deny), &bytes);
    let encoding = Encoding::Legacy(found);
    let text = found
        .decode_without_bom_handling_and_without_replacement(&bytes)
        .filter(|text| returns(encoding, text, &bytes));
    match text {
        Some(text) => Ok(Text {
            encoding,
            bom: false,
            text: text.into_owned(),
            source: Some(bytes),
            damaged: Vec::new(),
        }),
        None => Err(HostError::new(
            Fault::Unsupported,
            "",
            format!(
                "it looks like {} and cannot be decoded without loss",
                found.name()
            ),
        )),
    }
}

/// Below how many characters beyond ASCII a guess rests on too little.
const EVIDENCE_MIN: usize = 8;

/// Takes a guess, or the most common of all older encodings where little speaks for the guess: a few single accented
/// letters among others, as in `na\xefve`. Words of another script are more than that, and pairs of bytes too.
fn likely(guess: &'static encoding_rs::Encoding, bytes: &[u8]) -> &'static encoding_rs::Encoding {
    let beyond = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let alone = bytes
        .array_windows()
        .all(|[first, second]| first.is_ascii() || second.is_ascii());
    if guess.is_single_byte() && beyond < EVIDENCE_MIN && alone {
        encoding_rs::WINDOWS_1252
    } else {
        guess
    }
}

/// Whether the text encodes to these very bytes.
fn returns(encoding: Encoding, text: &str, bytes: &[u8]) -> bool {
    let mut back = Vec::with_capacity(bytes.len());
    encode::encode_into(encoding, text, &mut back).is_ok() && back == bytes
}

fn binary(bytes: &[u8]) -> HostError {
    HostError::new(Fault::Binary, "", what_it_is(bytes))
}
