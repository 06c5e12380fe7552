//! What the tests of all wires share.

use serde_json::Value;
use toolpost_core::{Completeness, RawArgs};
use toolpost_wire::{Turn, Wire, read};

/// A turn as a table shows it: `id name args`, with a `!` where the call was cut off.
pub(crate) fn shown(turn: &Turn) -> Vec<String> {
    let row = |call: &toolpost_core::RawCall| {
        let args = match &call.args {
            RawArgs::Text(text) => text.clone(),
            RawArgs::Value(value) => value.to_string(),
            RawArgs::Free(text) => format!("<{text}>"),
        };
        let mark = match call.completeness {
            Completeness::Whole => "",
            Completeness::CutOff => " !",
        };
        let id = match call.id.0.starts_with(toolpost_wire::SYNTHETIC_ID) {
            true => "?",
            false => call.id.0.as_str(),
        };
        format!("{id} {} {args}{mark}", call.name)
    };
    turn.calls.iter().map(row).collect()
}

/// Reads a document and compares what was found.
pub(crate) fn check(wire: Wire, document: &str, expected: &[&str]) -> Turn {
    let turn = read(wire, document.as_bytes()).unwrap_or_else(|err| panic!("{document}: {err:?}"));
    assert_eq!(shown(&turn), expected, "{document}");
    turn
}

/// Events as a stream: with names, as `OpenAI` and Anthropic send them.
pub(crate) fn stream(events: &[Value]) -> String {
    let one = |event: &Value| {
        let name = event["type"]
            .as_str()
            .map_or(String::new(), |name| format!("event: {name}\n"));
        format!("{name}data: {event}\n\n")
    };
    events.iter().map(one).collect()
}

/// A text in pieces of so many characters.
pub(crate) fn pieces(text: &str, size: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(size.max(1))
        .map(|piece| piece.iter().collect())
        .collect()
}

/// Events cut at any byte never panic, never make a new call, and leave no call whole unless the end was seen.
pub(crate) fn check_cuts(wire: Wire, document: &str) {
    let whole = read(wire, document.as_bytes()).unwrap();
    for end in 0..document.len() {
        let Ok(turn) = read(wire, &document.as_bytes()[..end]) else {
            continue;
        };
        assert!(turn.calls.len() <= whole.calls.len());
        for (call, full) in turn.calls.iter().zip(&whole.calls) {
            let same = shown(&one(call)) == shown(&one(full));
            assert!(
                same || call.completeness == Completeness::CutOff,
                "{end}: {call:?}"
            );
        }
    }
}

fn one(call: &toolpost_core::RawCall) -> Turn {
    Turn {
        calls: vec![call.clone()],
        notices: Vec::new(),
    }
}
