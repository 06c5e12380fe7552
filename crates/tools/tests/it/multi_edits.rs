//! `fs.multi_edit`: all edits of a call, or none; and bytes outside them never change.

use proptest::prelude::*;
use serde_json::json;
use toolpost_core::{Code, PriorRead};

use crate::bench::Bench;

#[test]
fn edits_build_on_one_another_and_leave_the_rest() {
    let check = |before: &[u8], edits: serde_json::Value, after: &[u8]| {
        let bench = Bench::new();
        bench.put("f", before);
        bench.call("fs.read", json!({"path": "f"})).unwrap();
        let args = json!({"path": "f", "edits": edits});
        bench.call("fs.multi_edit", args).unwrap();
        assert_eq!(bench.bytes("f").unwrap(), after, "{edits}");
    };
    check(
        b"a\r\nb\nc\r\n",
        json!([{"old": "a", "new": "x\ny"}, {"old": "c", "new": "z"}]),
        b"x\r\ny\r\nb\nz\r\n",
    );
    check(
        b"caf\xE9 one two\n",
        json!([{"old": "one", "new": "1"}, {"old": "1 two", "new": "12"}]),
        b"caf\xE9 12\n",
    );
    check(
        b"a a\n",
        json!([{"old": "a", "new": "b", "replace_all": true}, {"old": "b b", "new": "c"}]),
        b"c\n",
    );
    check(
        b"if a:\n  b\nend\n",
        json!([{"old": "end", "new": "fin"}, {"old": "    if a:\n      b", "new": "    if a:\n      c"}]),
        b"if a:\n  c\nfin\n",
    );
}

#[test]
fn the_failing_edit_is_named_and_nothing_is_written() {
    let check = |edits: serde_json::Value, code: Code, index: u64| {
        let bench = Bench::with(&[("f", "one two two\n")]);
        bench.call("fs.read", json!({"path": "f"})).unwrap();
        let args = json!({"path": "f", "edits": edits});
        let err = bench.call("fs.multi_edit", args).unwrap_err();
        assert_eq!((err.code, err.state["index"].as_u64()), (code, Some(index)));
        assert!(err.fact.contains(&format!("Edit {index} ")), "{}", err.fact);
        assert_eq!(bench.text("f"), "one two two\n");
    };
    let one = json!({"old": "one", "new": "1"});
    check(json!([one, {"old": "three", "new": "3"}]), Code::NoMatch, 1);
    check(json!([one, {"old": "two", "new": "2"}]), Code::Ambiguous, 1);
    check(json!([one, one]), Code::NoMatch, 1);
    check(
        json!([{"old": "x", "new": "y"}, {"old": "", "new": "3"}]),
        Code::Invalid,
        1,
    );
    check(json!([{"old": "x", "new": "x"}]), Code::NoChange, 0);
}

#[test]
fn sight_is_asked_for_as_for_one_edit() {
    let mut bench = Bench::with(&[("f", "a \nb\nc\n")]);
    let exact = json!({"path": "f", "edits": [{"old": "b", "new": "B"}, {"old": "c", "new": "C"}]});
    let loose =
        json!({"path": "f", "edits": [{"old": "B", "new": "b"}, {"old": "a\nb", "new": "a"}]});
    bench.call("fs.multi_edit", exact.clone()).unwrap();
    bench.put("f", "a \nB\nC\n\n");
    let err = bench.call("fs.multi_edit", loose).unwrap_err();
    assert_eq!(
        (err.code, err.state["index"].as_u64()),
        (Code::Stale, Some(1))
    );
    bench.prior_read = PriorRead::Strict;
    let err = bench.call("fs.multi_edit", exact).unwrap_err();
    assert_eq!(err.code, Code::Stale);
}

#[test]
fn an_empty_list_and_an_edit_that_undoes_itself_are_told() {
    let bench = Bench::with(&[("f", "a\n")]);
    let code = |edits: serde_json::Value| {
        let args = json!({"path": "f", "edits": edits});
        bench.call("fs.multi_edit", args).unwrap_err().code
    };
    assert_eq!(code(json!([])), Code::Invalid);
    let undone = json!([{"old": "a", "new": "b"}, {"old": "b", "new": "a"}]);
    assert_eq!(code(undone), Code::NoChange);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_edit_and_its_reverse_leave_every_byte(
        before in prop::collection::vec(any::<u8>(), 0..40),
        after in prop::collection::vec(any::<u8>(), 0..40),
        new in "[A-Z]{1,6}",
    ) {
        let content = [before.as_slice(), b"<the key>", after.as_slice()].concat();
        let bench = Bench::new();
        bench.put("f", &content);
        let edit = |old: &str, new: &str| {
            let args = json!({"path": "f", "edits": [{"old": old, "new": new}]});
            bench.call("fs.multi_edit", args).is_ok()
        };
        let to = format!("<{new} key>");
        let marked = content.starts_with(b"\xFF\xFE") || content.starts_with(b"\xFE\xFF");
        let changed = [before.as_slice(), to.as_bytes(), after.as_slice()].concat();
        let there = edit("<the key>", &to);
        if there && !marked {
            prop_assert_eq!(bench.bytes("f").unwrap(), changed.clone());
        }
        // The encoding of arbitrary bytes is a guess, and with other bytes another one: then the way back is refused,
        // and nothing is lost.
        let back = there && edit(&to, "<the key>");
        let left = if there && !back { changed } else { content };
        prop_assert!(marked || bench.bytes("f").unwrap() == left);
    }
}
