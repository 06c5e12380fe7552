use toolpost_core::{By, Code, RawArgs};
use toolpost_wire::plain::{Line, PlainError};
use toolpost_wire::{Turn, Wire};

use crate::common::{check, shown};

fn read(line: &str) -> Result<Line, PlainError> {
    toolpost_wire::plain::read(line.as_bytes())
}

fn batch(line: &str, expected: &[&str]) {
    match read(line).unwrap_or_else(|err| panic!("{line}: {err:?}")) {
        Line::Batch(calls) => {
            let turn = Turn {
                calls: calls.into_iter().map(Result::unwrap).collect(),
                notices: Vec::new(),
            };
            assert_eq!(shown(&turn), expected, "{line}");
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn calls_are_read_as_they_are_written() {
    batch(
        r#"{"id":"1","tool":"fs.read","args":{"path": 1.10}}"#,
        &[r#"1 fs.read {"path": 1.10}"#],
    );
    batch(
        r#"{"id":"1","tool":"fs.read","args":"{\"path\":"}"#,
        &[r#"1 fs.read {"path":"#],
    );
    batch(" {\"id\":7,\"tool\":\"x\"}\r\n", &["7 x {}"]);
    batch(
        r#"[{"id":"1","tool":"a"},{"id":"2","tool":"b","args":null}]"#,
        &["1 a {}", "2 b null"],
    );
    batch(
        r#"{"id":12345678901234567890123,"tool":"x"}"#,
        &["12345678901234567890123 x {}"],
    );
    batch(r#"{"id":1.0,"tool":"x"}"#, &["1.0 x {}"]);
    match read(r#"{"id":"1","tool":"x","args":{"a":1,"a":2}}"#).unwrap() {
        Line::Batch(calls) => {
            assert_eq!(
                calls[0].as_ref().unwrap().args,
                RawArgs::Text(r#"{"a":1,"a":2}"#.to_owned())
            )
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn other_lines_are_read() {
    match read(r#"{"cancel":"1"}"#).unwrap() {
        Line::Cancel(id) => assert_eq!(id.0, "1"),
        other => panic!("{other:?}"),
    }
    match read(r#"{"answer":{"id":"1","verdict":"deny","args":null,"reason":"No."}}"#).unwrap() {
        Line::Answer {
            id,
            verdict,
            args,
            reason,
        } => {
            assert_eq!((id.0.as_str(), verdict.as_str(), args), ("1", "deny", None));
            assert_eq!(reason.as_deref(), Some("No."));
        }
        other => panic!("{other:?}"),
    }
}

/// A faulty call of a batch is told in its place, a faulty line as a whole.
fn faulty(line: &str, id: Option<&str>, code: Code, word: &str) {
    let err = match read(line) {
        Ok(Line::Batch(mut calls)) => calls.remove(0).unwrap_err(),
        other => other.unwrap_err(),
    };
    let told = (err.id.as_deref(), err.failure.code);
    assert_eq!(told, (id, code), "{line}: {err:?}");
    let fact = &err.failure.fact;
    assert!(
        fact.contains(word) && fact.ends_with('.'),
        "{line}: {err:?}"
    );
    assert_eq!(err.failure.by, Some(By::Schema));
}

#[test]
fn what_is_no_line_is_told() {
    faulty("hello", None, Code::Parse, "JSON");
    faulty("", None, Code::Truncated, "ends");
    faulty(r#"{"id":"1","tool":"#, None, Code::Truncated, "ends");
    faulty("17", None, Code::Invalid, "object");
    faulty("[]", None, Code::Invalid, "empty");
    faulty("[17]", None, Code::Invalid, "object");
    faulty(r#"{"cancel":{}}"#, None, Code::Invalid, "`cancel`");
}

#[test]
fn a_key_that_stands_twice_is_told() {
    let check = |line: &str, id, word: &str| faulty(line, id, Code::Invalid, word);
    check(r#"{"id":"1","id":"2","tool":"x"}"#, None, "`id` twice");
    let one = Some("1");
    check(r#"[{"id":"1","tool":"x","tool":"x"}]"#, one, "`tool` twice");
    check(
        r#"{"id":"1","tool":"x","args":{},"args":{"a":1}}"#,
        one,
        "`args` twice",
    );
    check(
        r#"{"answer":{"id":"1","verdict":"deny","verdict":"allow"}}"#,
        one,
        "`verdict` twice",
    );
}

#[test]
fn what_is_missing_or_strange_is_told() {
    let check = |line: &str, id, word: &str| faulty(line, id, Code::Invalid, word);
    let one = Some("1");
    check(r#"{"tool":"x"}"#, None, "`id`");
    check(r#"{"id":"","tool":"x"}"#, None, "`id`");
    check(r#"{"id":{},"tool":"x"}"#, None, "`id`");
    check(r#"{"id":"1"}"#, one, "`tool`");
    check(
        r#"{"id":"1","tool":"x","arguments":{}}"#,
        one,
        "`arguments` is not known",
    );
    check(
        r#"[{"id":"1","tool":"x"},{"id":"1","tool":"y"}]"#,
        one,
        "more than once",
    );
    check(r#"{"answer":{"verdict":"allow"}}"#, None, "`id`");
    check(r#"{"answer":{"id":"1"}}"#, one, "`verdict`");
    check(
        r#"{"answer":{"id":"1","verdict":"deny","reason":3}}"#,
        one,
        "`reason`",
    );
}

#[test]
fn a_document_of_lines_is_a_turn() {
    let lines = "{\"id\":\"1\",\"tool\":\"a\"}\n\n[{\"id\":\"2\",\"tool\":\"b\"}]\n";
    check(Wire::Plain, lines, &["1 a {}", "2 b {}"]);
}

#[test]
fn a_faulty_call_does_not_spoil_its_batch() {
    let line =
        r#"[{"id":"1","tool":"a"},{"id":"2"},{"id":"3","tool":"c"},{"id":"3","tool":"d"},7]"#;
    let Line::Batch(calls) = read(line).unwrap() else {
        panic!("{line}")
    };
    let told: Vec<String> = calls
        .iter()
        .map(|call| match call {
            Ok(call) => format!("{} {}", call.id.0, call.name),
            Err(err) => format!("{:?} {}", err.id, err.failure.code.name()),
        })
        .collect();
    let three = "Some(\"3\") invalid";
    assert_eq!(
        told,
        ["1 a", "Some(\"2\") invalid", three, three, "None invalid"]
    );
}

#[test]
fn bytes_that_are_no_text_are_not_made_into_some() {
    let line = b"{\"id\":\"1\",\"tool\":\"fs.write\",\"args\":{\"content\":\"caf\xe9\"}}";
    let err = toolpost_wire::plain::read(line).unwrap_err();
    assert_eq!(err.failure.code, Code::Parse);
    assert!(err.failure.fact.contains("UTF-8 after byte 50"), "{err:?}");
}
