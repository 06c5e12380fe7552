//! `fs.edit`: the right bytes change, or none.

use serde_json::json;
use toolpost_core::{Code, PriorRead};

use crate::bench::Bench;

/// Reads a file, edits it, and looks at all its bytes.
fn edited(before: &[u8], old: &str, new: &str, after: &[u8]) {
    let bench = Bench::new();
    bench.put("f", before);
    bench.call("fs.read", json!({"path": "f"})).unwrap();
    let args = json!({"path": "f", "old": old, "new": new});
    let output = bench.call("fs.edit", args).unwrap();
    assert_eq!(bench.bytes("f").unwrap(), after, "{old:?} → {new:?}");
    assert_eq!(output.state["replacements"], 1);
}

#[test]
fn line_breaks_and_encodings_stay() {
    edited(
        b"line1\r\nline2\r\nline3",
        "line1\r\nline2",
        "line1\r\nLINE2",
        b"line1\r\nLINE2\r\nline3",
    );
    edited(
        b"a\r\nb\r\nc\r\n",
        "a\nb",
        "a\nB\nx",
        b"a\r\nB\r\nx\r\nc\r\n",
    );
    edited(
        b"alpha\r\nbeta\ngamma\r\n",
        "beta",
        "BETA",
        b"alpha\r\nBETA\ngamma\r\n",
    );
    edited(
        b"\xEF\xBB\xBFhello\r\n",
        "hello",
        "hello2",
        b"\xEF\xBB\xBFhello2\r\n",
    );
    edited(
        b"/* caf\xE9 */\nx = 1;\n",
        "x = 1;",
        "x = 2;",
        b"/* caf\xE9 */\nx = 2;\n",
    );
    edited(b"\xFF\xFEp\0=\x008\0", "p=8", "p=9", b"\xFF\xFEp\0=\x009\0");
}

#[test]
fn a_line_break_is_found_whole() {
    edited(b"a\r\nb\r\n", "\nb", "\nX\nb", b"a\r\nX\r\nb\r\n");
    edited(b"a\r\nb\r\n", "\nb", "b", b"ab\r\n");
    edited(b"\xFF\xFEa\0\r\0\n\0b\0", "\nb", "b", b"\xFF\xFEa\0b\0");
    let bench = Bench::with(&[("f", "a\r\nb\r\n"), ("g", "a\r\nb\r\nc\r\n")]);
    let read = |path| bench.call("fs.read", json!({"path": path})).unwrap();
    read("f");
    let args = json!({"path": "f", "old": "\n", "new": "", "replace_all": true});
    bench.call("fs.edit", args).unwrap();
    assert_eq!(bench.text("f"), "ab");
    read("g");
    let edits = json!([{"old": "\nb", "new": "\nX\nb"}, {"old": "\nc\n", "new": "\n"}]);
    bench
        .call("fs.multi_edit", json!({"path": "g", "edits": edits}))
        .unwrap();
    assert_eq!(bench.text("g"), "a\r\nX\r\nb\r\n");
}

#[test]
fn argument_text_is_literal() {
    edited(b"one\ntwo\nthree\n", "two\n", "", b"one\nthree\n");
    edited(b"one\ntwo\nthree\n", "two", "", b"one\n\nthree\n");
    edited(b"a\nb", "b", "B", b"a\nB");
    edited(
        "say '%s'\n".as_bytes(),
        "'%s'",
        "‘%s’",
        "say ‘%s’\n".as_bytes(),
    );
    edited(
        "It’s\nn: 1\n".as_bytes(),
        "It's\nn: 1",
        "It's\nn: 2",
        "It’s\nn: 2\n".as_bytes(),
    );
    edited(
        b"const n = 1;\n",
        "n = 1",
        "n = $$('li') \\n $&",
        b"const n = $$('li') \\n $&;\n",
    );
    edited(b"a &amp; b\n", "a &amp; b", "a &amp; c", b"a &amp; c\n");
}

/// Reads a file, tries to edit it, and finds it as it was.
fn refused(before: &str, args: serde_json::Value, code: Code, told: &str) {
    let bench = Bench::with(&[("f", before)]);
    bench.call("fs.read", json!({"path": "f"})).unwrap();
    let mut all = json!({"path": "f"});
    all.as_object_mut()
        .unwrap()
        .extend(args.as_object().unwrap().clone());
    let err = bench.call("fs.edit", all.clone()).unwrap_err();
    assert_eq!(err.code, code, "{all}");
    let words = format!("{}|{}|{}", err.fact, err.quote, err.hint);
    assert!(words.contains(told), "{all}: {words}");
    assert_eq!(bench.text("f"), before, "{all}");
}

#[test]
fn a_text_at_several_places_is_not_guessed_at() {
    refused(
        "a\nb\na\n",
        json!({"old": "a", "new": "x"}),
        Code::Ambiguous,
        "2 times: lines 1, 3",
    );
    refused(
        "aaa",
        json!({"old": "aa", "new": "x"}),
        Code::Ambiguous,
        "more than once",
    );
    refused(
        "a\na\n",
        json!({"old": "a", "new": "x", "expected": 3}),
        Code::Ambiguous,
        "3 were expected",
    );
    refused(
        "a\n",
        json!({"old": "a", "new": "x", "expected": 2}),
        Code::Ambiguous,
        "once",
    );
    refused(
        "a  \na \n",
        json!({"old": "a\t\n", "new": "b\n"}),
        Code::Ambiguous,
        "trailing space are ignored",
    );
}

#[test]
fn a_text_that_is_not_there_is_diagnosed() {
    refused(
        "a\n",
        json!({"old": "a", "new": "a"}),
        Code::NoChange,
        "same",
    );
    refused(
        "a\n",
        json!({"old": "", "new": "a"}),
        Code::Invalid,
        "fs.write",
    );
    refused(
        "fn main() {\n    go();\n}\n",
        json!({"old": "    gone();", "new": "x"}),
        Code::NoMatch,
        "2\t    go();",
    );
    refused(
        "\tif ok {\n",
        json!({"old": "    if ok {", "new": "x"}),
        Code::NoMatch,
        "white space",
    );
    refused(
        "top\n\n\nend\n",
        json!({"old": "top\n\nend", "new": "x"}),
        Code::NoMatch,
        "blank lines",
    );
}

#[test]
fn many_places_change_when_that_is_asked_for() {
    let bench = Bench::with(&[("y", "A A A\n")]);
    let args = json!({"path": "y", "old": "A", "new": "$1$&", "replace_all": true});
    let err = bench.call("fs.edit", args.clone()).unwrap_err();
    assert_eq!(err.code, Code::Unread);
    bench.call("fs.read", json!({"path": "y"})).unwrap();
    let output = bench.call("fs.edit", args).unwrap();
    assert_eq!(output.state["replacements"], 3);
    assert_eq!(bench.text("y"), "$1$& $1$& $1$&\n");
    let args = json!({"path": "y", "old": "$1", "new": "2", "expected": 3});
    assert_eq!(
        bench.call("fs.edit", args).unwrap().state["stats"]["added"],
        1
    );
}

#[test]
fn sight_decides_what_may_be_forgiven() {
    let mut bench = Bench::with(&[("f", "a \nb\n")]);
    let exact = json!({"path": "f", "old": "b", "new": "c"});
    let loose = json!({"path": "f", "old": "a\nb", "new": "a\nc"});
    let code = |bench: &Bench, args: &serde_json::Value| {
        bench
            .call("fs.edit", args.clone())
            .map(drop)
            .map_err(|err| err.code)
    };
    assert_eq!(code(&bench, &loose), Err(Code::Unread));
    bench.prior_read = PriorRead::Strict;
    assert_eq!(code(&bench, &exact), Err(Code::Unread));
    bench.call("fs.read", json!({"path": "f"})).unwrap();
    bench.put("f", "a \nb\nnew\n");
    assert_eq!(code(&bench, &exact), Err(Code::Stale));
    bench.prior_read = PriorRead::Evidence;
    assert_eq!(code(&bench, &loose), Err(Code::Stale));
    assert_eq!(code(&bench, &exact), Ok(()));
    bench.put("f", "a \nb\n");
    bench.prior_read = PriorRead::Off;
    assert_eq!(code(&bench, &loose), Ok(()));
}

#[test]
fn a_file_that_changes_after_planning_is_stale() {
    let bench = Bench::with(&[("f", "a\n")]);
    let args = json!({"path": "f", "old": "a", "new": "b"});
    let (plan, run) = bench.planned("fs.edit", args).unwrap();
    assert_eq!(plan.title, "Edit f");
    assert_eq!(plan.effects.writes[0].path, bench.cwd.join("f"));
    bench.put("f", "a!\n");
    assert_eq!(run(&bench).unwrap_err().code, Code::Stale);
    assert_eq!(bench.text("f"), "a!\n");
}

#[test]
fn what_planning_found_in_a_file_is_told_only_when_the_call_runs() {
    let bench = Bench::with(&[("f", "secret: 1\n")]);
    let args = json!({"path": "f", "old": "secret: 2", "new": "x"});
    let (plan, run) = bench.planned("fs.edit", args).unwrap();
    let preview = serde_json::to_string(&plan.preview).unwrap();
    assert!(!preview.contains("secret: 1"), "{preview}");
    assert!(run(&bench).unwrap_err().quote.contains("secret: 1"));
}

#[test]
fn what_is_no_text_file_is_told_apart() {
    let bench = Bench::new();
    bench.put("u32", b"\0\0\xFE\xFF\0\0\0a\0\0\0\n");
    bench.put("folder/x", "x");
    let code = |path: &str| {
        let args = json!({"path": path, "old": "a", "new": "b"});
        bench.call("fs.edit", args).unwrap_err().code
    };
    assert!([Code::Binary, Code::Unsupported].contains(&code("u32")));
    assert_eq!(code("folder"), Code::NotAFile);
    assert_eq!(code("missing"), Code::NotFound);
}
