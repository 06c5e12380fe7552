//! The text model: whatever bytes a file holds, decoding and encoding is identity, and an edit changes nothing outside
//! its part.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpost_host::{Nul, Splice, Text};

/// The first three bytes choose the part and what comes in its place; the rest is the file.
fuzz_target!(|input: &[u8]| {
    let [from, length, with, file @ ..] = input else {
        return;
    };
    let nul = if with & 1 == 0 {
        Nul::Accepted
    } else {
        Nul::Refused
    };
    let Ok(text) = Text::decode_with(file, nul) else {
        return;
    };
    assert_eq!(text.replace(&[]).unwrap(), file);
    if text.damaged_bytes() > 0 {
        // A whole new text cannot hold what is no text; only edits keep it.
        return;
    }
    assert_eq!(text.encode_like(text.as_str()).unwrap(), file);

    let whole = text.as_str();
    let border = |at: usize| {
        (at..=whole.len())
            .find(|at| whole.is_char_boundary(*at))
            .unwrap_or(whole.len())
    };
    let start = border(whole.len() * usize::from(*from) / 256);
    let end = border(start + usize::from(*length)).min(whole.len());
    let with =
        ["", "x", "\r\n", "é", "\u{1f600}", "\\", "\u{a5}", "ハ"][usize::from(with >> 1) % 8];
    let edit = Splice {
        range: start..end,
        with: with.into(),
    };
    let Ok(changed) = text.replace(&[edit]) else {
        return;
    };
    // Made the slow way: as a text, encoded as a whole.
    let mut slow = whole.to_owned();
    slow.replace_range(start..end, with);
    assert_eq!(changed, text.encode_like(&slow).unwrap());
    let head = text.encode_like(&whole[..start]).unwrap();
    let tail = text.encode_like(&whole[end..]).unwrap();
    let tail = &tail[text.encode_like("").unwrap().len()..];
    assert!(file.starts_with(&head) && changed.starts_with(&head));
    assert!(file.ends_with(tail) && changed.ends_with(tail));
});
