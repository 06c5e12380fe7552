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
