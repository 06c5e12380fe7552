//! The three searches.

use serde_json::{Value, json};
use toolpost_core::Code;

use crate::bench::Bench;

fn found(bench: &Bench, args: Value) -> Vec<String> {
    let output = bench.call("search.grep", args).unwrap();
    let place = |hit: &Value| format!("{}:{}", hit["path"].as_str().unwrap(), hit["line"]);
    let mut all: Vec<String> = output.state["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(place)
        .collect();
    all.sort();
    all
}

#[test]
fn text_is_found() {
    let bench = Bench::with(&[
        ("a.js", "$x.html(json.data);\nx\n"),
        ("b.ts", "x\n"),
        ("c.py", "x\n-77\n"),
        (".hidden", "x\n"),
    ]);
    let check = |args: Value, expected: &[&str]| {
        assert_eq!(found(&bench, args.clone()), expected, "{args}");
    };
    check(
        json!({"pattern": "x$", "glob": "*.{js,ts}"}),
        &["a.js:2", "b.ts:1"],
    );
    check(json!({"pattern": "-77", "path": "."}), &["c.py:2"]);
    check(json!({"pattern": "--pre=./run.sh"}), &[]);
    check(
        json!({"pattern": "HTML(", "literal": true, "ignore_case": true}),
        &["a.js:1"],
    );
    check(
        json!({"pattern": "^x", "hidden": true, "type": "py"}),
        &["c.py:1"],
    );
    check(json!({"pattern": "x", "path": "b.ts"}), &["b.ts:1"]);
}

#[test]
fn what_is_not_found_is_told_with_a_hint() {
    let bench = Bench::with(&[("a.js", "$x.html(json.data);\n")]);
    assert_eq!(
        bench.reads("search.grep", json!({"pattern": "zzz"})),
        "[No matches.]"
    );
    let text = bench.reads("search.grep", json!({"pattern": ".html(json.data)"}));
    assert!(text.contains("literal=true"), "{text}");
    let err = bench
        .call("search.grep", json!({"pattern": "html(json.data"}))
        .unwrap_err();
    assert_eq!(err.code, Code::Parse);
    let err = bench
        .call("search.grep", json!({"pattern": "x", "path": "nowhere"}))
        .unwrap_err();
    assert_eq!(err.code, Code::NotFound);
}

#[test]
fn pages_are_complete() {
    let bench = Bench::new();
    (0..25).for_each(|number| bench.put(&format!("d{number:03}/f.txt"), "hit"));
    let mut all = Vec::new();
    for offset in [0, 10, 20] {
        let args = json!({"pattern": "hit", "limit": 10, "offset": offset});
        let output = bench.call("search.grep", args.clone()).unwrap();
        assert_eq!(
            (&output.state["total"], &output.state["truncated"]),
            (&json!(25), &json!(true))
        );
        all.extend(found(&bench, args));
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 25);
    let text = bench.reads("search.grep", json!({"pattern": "hit", "limit": 10}));
    assert!(text.ends_with("[Showing 1–10 of 25 matching lines in 25 files; for more, call search.grep with offset=10.]"), "{text}");
}

#[test]
fn lines_around_matches_are_marked() {
    let bench = Bench::with(&[("f", "1\nx\n3\n4\n5\nx\n")]);
    let text = bench.reads("search.grep", json!({"pattern": "x", "context": 1}));
    assert_eq!(text, "f-1-1\nf:2:x\nf-3-3\n--\nf-5-5\nf:6:x");
    let text = bench.reads("search.grep", json!({"pattern": "x", "output": "count"}));
    assert_eq!(text, "f:2");
    let text = bench.reads("search.grep", json!({"pattern": "x", "output": "files"}));
    assert_eq!(text, "f");
}

#[test]
fn files_are_found_by_name() {
    let bench = Bench::with(&[
        (".github/workflows/ci.yml", "on\n"),
        ("a.yml", "x\n"),
        ("app/issues/[id]/page.tsx", "x\n"),
        ("app/issues/i/other.ts", "x\n"),
    ]);
    let check = |args: Value, expected: &[&str]| {
        let output = bench.call("search.glob", args.clone()).unwrap();
        assert_eq!(output.state["paths"], json!(expected), "{args}");
    };
    check(
        json!({"pattern": ".github/workflows/*.yml"}),
        &[".github/workflows/ci.yml"],
    );
    check(json!({"pattern": "*.yml"}), &["a.yml"]);
    check(
        json!({"pattern": "app/issues/[id]/*.tsx"}),
        &["app/issues/[id]/page.tsx"],
    );
    check(
        json!({"pattern": format!("{}/a*", bench.cwd.display())}),
        &["a.yml"],
    );
    check(
        json!({"pattern": "*.ts", "path": "app"}),
        &["app/issues/i/other.ts"],
    );
    check(json!({"pattern": "*.zip"}), &[]);
}

#[test]
fn long_lists_say_what_is_left_out() {
    let bench = Bench::new();
    (0..15).for_each(|number| bench.put(&format!("lang/{number:03}.json"), "{}"));
    let text = bench.reads("search.glob", json!({"pattern": "lang/*", "limit": 10}));
    assert_eq!(text.lines().count(), 11);
    assert!(
        text.ends_with("[Showing 1–10 of 15 paths; for more, call search.glob with offset=10.]"),
        "{text}"
    );
    let text = bench.reads(
        "search.list",
        json!({"path": "lang", "limit": 14, "offset": 1}),
    );
    assert!(text.ends_with("[Showing 2–15 of 15 entries.]"), "{text}");
}

#[test]
fn folders_are_listed() {
    let bench = Bench::with(&[
        ("src/a.rs", "12345\n"),
        ("src/deep/b.rs", ""),
        (".env", "x"),
    ]);
    std::os::unix::fs::symlink("loop", bench.cwd.join("loop")).unwrap();
    let text = bench.reads("search.list", json!({"depth": 2}));
    assert_eq!(
        text,
        ".env  (1 bytes)\nloop@\nsrc/\n  a.rs  (6 bytes)\n  deep/  (1 entry)"
    );
    let text = bench.reads("search.list", json!({"path": "src", "ignore": ["*.rs"]}));
    assert_eq!(text, "deep/  (1 entry)");
    let err = bench
        .call("search.list", json!({"path": ".env"}))
        .unwrap_err();
    assert_eq!(err.code, Code::NotAFolder);
}

#[test]
fn a_line_break_in_a_name_makes_no_line() {
    let bench = Bench::with(&[("a\nb.rs:1:forged", "text\n")]);
    for (tool, args) in [
        ("search.list", json!({})),
        ("search.glob", json!({"pattern": "*"})),
        ("search.grep", json!({"pattern": "text"})),
        ("search.grep", json!({"pattern": "text", "output": "files"})),
    ] {
        let text = bench.reads(tool, args);
        assert!(text.contains("a\\nb.rs:1:forged"), "{tool}: {text}");
        assert!(!text.contains("\nb.rs"), "{tool}: {text}");
    }
}

#[test]
fn a_line_that_was_found_is_seen_and_the_rest_is_not() {
    let bench = Bench::with(&[("a.txt", "one \ntwo\n"), ("b.txt", "three\n")]);
    let edit = || {
        let args = json!({"path": "a.txt", "old": "one\ntwo", "new": "one\n2"});
        bench
            .call("fs.edit", args)
            .map(drop)
            .map_err(|err| err.code)
    };
    assert_eq!(edit(), Err(Code::Unread));
    let found = bench
        .call("search.grep", json!({"pattern": "two"}))
        .unwrap();
    let seen = &found.changes.seen;
    assert_eq!((seen.len(), seen[0].lines), (1, Some((1, 2))));
    let write = json!({"path": "a.txt", "content": "x"});
    assert_eq!(
        bench.call("fs.write", write).unwrap_err().code,
        Code::Unread
    );
    assert_eq!(edit(), Ok(()));
    let files = json!({"pattern": "three", "output": "files"});
    assert!(
        bench
            .call("search.grep", files)
            .unwrap()
            .changes
            .seen
            .is_empty()
    );
}
