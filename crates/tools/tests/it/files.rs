//! `fs.read` and `fs.write`.

use serde_json::json;
use toolpost_core::{Code, PriorRead};

use crate::bench::Bench;

#[test]
fn lines_are_read() {
    let bench = Bench::with(&[("f", "1\n2\n3\n4\n5\n"), ("empty", ""), ("open", "a\nb")]);
    let check = |args: serde_json::Value, expected: &str| {
        assert_eq!(bench.reads("fs.read", args.clone()), expected, "{args}");
    };
    check(json!({"path": "open"}), "1\ta\n2\tb");
    check(json!({"path": "f", "offset": 5}), "5\t5");
    check(json!({"path": "f", "offset": -1}), "5\t5");
    check(
        json!({"path": "f", "offset": -99, "limit": 1}),
        "1\t1\n[Lines 1–1 of 5. For more, call fs.read with offset=2.]",
    );
    check(
        json!({"path": "f", "offset": 2, "limit": 2}),
        "2\t2\n3\t3\n[Lines 2–3 of 5. For more, call fs.read with offset=4.]",
    );
    check(json!({"path": "empty"}), "[`empty` is empty.]");
    check(
        json!({"path": "f", "offset": 6}),
        "`f` has 5 lines; line 6 lies behind its end. Begin at a line that is there; a negative offset counts from the end.",
    );
}

#[test]
fn what_was_read_is_remembered_as_far_as_it_was_read() {
    let bench = Bench::with(&[("f", "1\n2\n3\n")]);
    let seen = |args: serde_json::Value| {
        let output = bench.call("fs.read", args).unwrap();
        assert_eq!(output.state["total_lines"], 3);
        output.changes.seen[0].lines
    };
    assert_eq!(seen(json!({"path": "f"})), None);
    assert_eq!(
        seen(json!({"path": "f", "offset": 2, "limit": 1})),
        Some((1, 2))
    );
}

#[test]
fn what_cannot_be_read_is_told_apart() {
    let bench = Bench::with(&[("src/main.rs", "fn main() {}\n")]);
    bench.put("p.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let check = |path: &str, code: Code, told: &str| {
        let err = bench.call("fs.read", json!({"path": path})).unwrap_err();
        assert_eq!(err.code, code, "{path}");
        let words = format!("{} {}", err.fact, err.hint);
        assert!(words.contains(told), "{path}: {words}");
    };
    check("src/mian.rs", Code::NotFound, "`src/main.rs`");
    check("src", Code::NotAFile, "search.list");
    check("/dev/zero", Code::NotAFile, "`/dev/zero` cannot be read");
    check("p.png", Code::Binary, "PNG");
    check("", Code::Invalid, "empty");
}

#[test]
fn files_are_written() {
    let bench = Bench::new();
    let literal = "print('a\\nb') &lt; ’ \"\\\"\r\n";
    let args = json!({"path": "new/dir/t.py", "content": literal});
    let output = bench.call("fs.write", args.clone()).unwrap();
    assert_eq!(bench.text("new/dir/t.py"), literal);
    assert_eq!(output.state["created"], true);
    assert_eq!(output.changes.touched, [bench.cwd.join("new/dir/t.py")]);
    let again = bench.call("fs.write", args).unwrap();
    assert_eq!(
        again.words.text(),
        "`new/dir/t.py` holds exactly this already."
    );
    assert!(again.changes.touched.is_empty());
    let own = json!({"path": "new/dir/t.py", "content": "x\n"});
    assert_eq!(bench.call("fs.write", own).unwrap().state["created"], false);
}

#[test]
fn what_was_not_seen_is_not_overwritten() {
    let mut bench = Bench::with(&[("f", "v1\n"), ("empty", "")]);
    let args = json!({"path": "f", "content": "mine\n"});
    let code = |bench: &Bench| {
        let called = bench.call("fs.write", args.clone());
        called.map(drop).map_err(|err| err.code)
    };
    assert_eq!(code(&bench), Err(Code::Unread));
    bench.call("fs.read", json!({"path": "f"})).unwrap();
    bench.put("f", "theirs");
    assert_eq!(code(&bench), Err(Code::Stale));
    assert_eq!(bench.text("f"), "theirs");
    bench
        .call("fs.write", json!({"path": "empty", "content": "x"}))
        .unwrap();
    bench.prior_read = PriorRead::Off;
    assert_eq!(code(&bench), Ok(()));
    assert_eq!(bench.text("f"), "mine\n");
}

/// Tries to overwrite `f`; the hint where that is refused.
fn refusal(bench: &Bench) -> Option<String> {
    let args = json!({"path": "f", "content": "all new\n"});
    let err = bench.call("fs.write", args).err()?;
    assert_eq!(err.code, Code::Unread);
    Some(err.hint)
}

#[test]
fn what_was_seen_in_part_is_not_overwritten() {
    let text: String = (1..=300).map(|line| format!("line {line}\n")).collect();
    let bench = Bench::with(&[("f", &text)]);
    let read = |offset: u64, limit: u64| {
        let args = json!({"path": "f", "offset": offset, "limit": limit});
        bench.call("fs.read", args).unwrap();
    };
    let refused = |told: &str| {
        let hint = refusal(&bench).unwrap();
        assert!(hint.contains(told), "{hint}");
    };
    read(101, 150);
    refused("offset=1 and limit=100, and offset=251");
    read(1, 100);
    refused("`fs.read`, offset=251,");
    // A change of what is known leaves it known, and nothing more.
    let edit = json!({"path": "f", "old": "line 7\n", "new": "line 7\nand more\n"});
    bench.call("fs.edit", edit).unwrap();
    refused("`fs.read`, offset=252,");
    read(252, 100);
    assert_eq!(refusal(&bench), None);
    let again = json!({"path": "f", "content": "own\n"});
    bench.call("fs.write", again).unwrap();
}

#[test]
fn a_change_shows_no_more_than_its_place() {
    let text: String = (1..=300).map(|line| format!("line {line}\n")).collect();
    let patch = "*** Begin Patch\n*** Update File: f\n-line 150\n+150\n*** End Patch";
    let exact = json!({"old": "line 150", "new": "150"});
    for (tool, args) in [
        (
            "fs.edit",
            json!({"path": "f", "old": "line 150", "new": "150"}),
        ),
        ("fs.multi_edit", json!({"path": "f", "edits": [exact]})),
        ("fs.apply_patch", json!({"patch": patch})),
    ] {
        let bench = Bench::with(&[("f", &text)]);
        let output = bench.call(tool, args.clone()).unwrap();
        let seen = output.changes.seen[0].lines;
        assert_eq!(seen, Some((146, 153)), "{tool}");
        assert!(refusal(&bench).is_some(), "{tool}");
        bench.put("f", &text);
        bench.call("fs.read", json!({"path": "f"})).unwrap();
        bench.call(tool, args).unwrap();
        assert_eq!(refusal(&bench), None, "{tool}");
    }
}

#[test]
fn line_breaks_that_become_others_are_told() {
    let check = |before: &str, content: &str, told: Option<&str>| {
        for name in ["fs.write", "claude Write", "gemini write_file"] {
            let bench = Bench::with(&[("f", before)]);
            bench.call("fs.read", json!({"path": "f"})).unwrap();
            let path = bench.cwd.join("f");
            let args = match name {
                "fs.write" => json!({"path": path, "content": content}),
                _ => json!({"file_path": path, "content": content}),
            };
            let text = bench.call(name, args).unwrap().words.text();
            let expected = told.map(|were| format!("line breaks were {were} and are LF now."));
            let says = |sentence: &String| text.contains(sentence.as_str());
            assert!(expected.as_ref().is_none_or(says), "{name}: {text}");
            assert!(
                told.is_some() || !text.contains("line breaks"),
                "{name}: {text}"
            );
        }
    };
    check("a\r\nb\r\n", "a\nc\n", Some("CRLF"));
    check("a\r\nb\n", "a\nc\n", Some("mixed"));
    check("a\rb\r", "a\nc\n", Some("CR"));
    check("a\nb\n", "a\nc\n", None);
    check("a\r\nb\r\n", "a\r\nc\r\n", None);
}

#[test]
fn what_makes_no_text_file_is_refused() {
    let bench = Bench::with(&[("f", "a\n")]);
    let check = |tool: &str, args: serde_json::Value, told: &str| {
        let err = bench.call(tool, args.clone()).unwrap_err();
        assert_eq!(err.code, Code::Invalid, "{args}");
        let words = format!("{} {}", err.fact, err.hint);
        assert!(words.contains(told), "{args}: {words}");
    };
    check(
        "fs.write",
        json!({"path": "n", "content": "a\nb\0"}),
        "line 2",
    );
    let step = json!({"old": "a", "new": "\0"});
    check(
        "fs.edit",
        json!({"path": "f", "old": "a", "new": "\0"}),
        "NUL",
    );
    check(
        "fs.multi_edit",
        json!({"path": "f", "edits": [step]}),
        "NUL",
    );
    check(
        "fs.write",
        json!({"path": "file:///tmp/x", "content": ""}),
        "`/tmp/x`",
    );
    check("fs.write", json!({"path": "~/x", "content": ""}), "`./~/x`");
    check("fs.read", json!({"path": "~/x"}), "absolute");
    assert_eq!(std::fs::read_dir(&bench.cwd).unwrap().count(), 1);
    bench
        .call("fs.write", json!({"path": "./~/x", "content": ""}))
        .unwrap();
}

#[test]
fn an_overwritten_file_keeps_its_encoding() {
    let bench = Bench::new();
    bench.put("bom", b"\xEF\xBB\xBFold");
    bench.put("wide", b"\xFF\xFEo\0\n\0");
    for (path, expected) in [
        ("bom", &b"\xEF\xBB\xBFnew"[..]),
        ("wide", &b"\xFF\xFEn\0e\0w\0"[..]),
    ] {
        bench.call("fs.read", json!({"path": path})).unwrap();
        bench
            .call("fs.write", json!({"path": path, "content": "new"}))
            .unwrap();
        assert_eq!(bench.bytes(path).unwrap(), expected, "{path}");
    }
}
