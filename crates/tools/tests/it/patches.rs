//! `fs.apply_patch`: all or nothing.

use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::json;
use toolpost_core::{Code, Output, ToolError};

use crate::bench::Bench;

fn apply(bench: &Bench, body: &str) -> Result<Output, ToolError> {
    let patch = format!("*** Begin Patch\n{body}\n*** End Patch");
    bench.call("fs.apply_patch", json!({"patch": patch}))
}

#[test]
fn patches_change_files() {
    let check = |before: &str, body: &str, after: &str| {
        let bench = Bench::with(&[("f", before)]);
        apply(&bench, body).unwrap();
        assert_eq!(bench.text("f"), after, "{body}");
    };
    check("a\nb\n", "*** Update File: f\n a\n-b\n+B", "a\nB\n");
    check(
        "\u{FEFF}using A;\r\nusing B;\r\n",
        "*** Update File: f\n@@\n-using A;\n+using Z;\n using B;",
        "\u{FEFF}using Z;\r\nusing B;\r\n",
    );
    check(
        "a\n\nc\nd\n",
        "*** Update File: f\n@@\n a\n\n c\n-d\n+D",
        "a\n\nc\nD\n",
    );
    check(
        "{\n}\nmid\n}\n",
        "*** Update File: f\n@@\n }\n+// tail\n*** End of File",
        "{\n}\nmid\n}\n// tail\n",
    );
    check(
        "a\nb\nc",
        "*** Update File: f\n@@\n-a\n+A\n@@\n-c\n+C",
        "A\nb\nC",
    );
    check(
        "old\n",
        "*** Delete File: f\n*** Add File: f\n+new",
        "new\n",
    );
    check(
        "before\n",
        "*** Update File: f\n*** Move to: ./f\n@@\n-before\n+after",
        "after\n",
    );
}

#[test]
fn files_come_go_and_move() {
    let bench = Bench::with(&[("a", "1\n"), ("run.sh", "x\n"), ("gone", "2\n")]);
    let script = bench.cwd.join("run.sh");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = apply(
        &bench,
        "*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-x\n+y\n*** Add File: n/new\n+n\n*** Delete File: gone\n*** Update File: a\n@@\n-1\n+2",
    )
    .unwrap();
    assert_eq!(
        output.words.text(),
        "Applied the patch:\nA n/new\nM bin/run.sh\nM a\nD gone"
    );
    assert_eq!(
        (bench.text("bin/run.sh"), bench.text("n/new")),
        ("y\n".to_owned(), "n\n".to_owned())
    );
    assert_eq!((bench.bytes("run.sh"), bench.bytes("gone")), (None, None));
    let mode = std::fs::metadata(bench.cwd.join("bin/run.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o755);
}

/// The beginning of a patch that fits.
const FITS: &str = "*** Add File: n\n+n\n*** Update File: f\n@@\n-a\n+A\n";

/// Tries to apply a patch, and finds every file as it was.
fn refused(body: &str, code: Code, told: &str) {
    let bench = Bench::with(&[("f", "a\nb\n"), ("g", "# L\nalpha\nx\nx\n")]);
    symlink("f", bench.cwd.join("alias")).unwrap();
    let err = apply(&bench, body).unwrap_err();
    let words = format!("{}|{}|{}", err.fact, err.quote, err.hint);
    assert_eq!(err.code, code, "{body}: {words}");
    assert!(words.contains(told), "{body}: {words}");
    assert_eq!(
        (bench.text("f"), bench.text("g")),
        ("a\nb\n".to_owned(), "# L\nalpha\nx\nx\n".to_owned())
    );
    assert_eq!(bench.bytes("n"), None);
    assert!(bench.cwd.join("alias").is_symlink());
}

#[test]
fn a_patch_that_does_not_fit_changes_nothing() {
    refused(
        &format!("{FITS}@@\n-nope\n+N"),
        Code::NoMatch,
        "Chunk 2 of 2 for `f`",
    );
    refused(
        &format!("{FITS}*** Update File: g\n@@\n-- alpha\n+x"),
        Code::NoMatch,
        "- alpha\nThe nearest",
    );
    refused(
        &format!("{FITS}*** Update File: g\n@@\n-x\n+y"),
        Code::Ambiguous,
        "lines 3, 4",
    );
    refused(
        &format!("{FITS}*** Update File: g\n@@ nowhere\n-x"),
        Code::NoMatch,
        "`@@ nowhere`",
    );
    refused(&format!("{FITS}*** Add File: g\n+x"), Code::Exists, "`g`");
    refused(
        &format!("{FITS}*** Update File: f\n@@\n-b\n+B"),
        Code::Parse,
        "Two operations",
    );
    refused(
        &format!("{FITS}*** Delete File: missing"),
        Code::NotFound,
        "`missing`",
    );
    refused(
        "*** Update File: f\n*** Move to: g\n@@\n-a\n+A",
        Code::Exists,
        "`g`",
    );
    refused(
        "*** Update File: f\n*** Move to: alias\n@@\n-a\n+A",
        Code::Exists,
        "another name",
    );
    refused("*** Update File: f\n@@\n-a\n+a", Code::NoChange, "nothing");
    refused("*** Add File: n\n+one\ntwo", Code::Parse, "line 4");
    refused("*** Update File: f\n@@\n-  a\n+A", Code::NoMatch, "f");
}

#[test]
fn a_link_goes_and_what_it_leads_to_stays() {
    let check = |leads: &str, body: &str, moved: Option<&str>| {
        let bench = Bench::with(&[("f", "a\nb\n"), ("d/x", "x\n")]);
        let link = bench.cwd.join("link");
        symlink(leads, &link).unwrap();
        apply(&bench, body).unwrap();
        assert!(!link.is_symlink(), "{leads}: {body}");
        assert_eq!(
            (bench.text("f"), bench.text("d/x")),
            ("a\nb\n".into(), "x\n".into())
        );
        let there = bench.bytes("moved");
        assert_eq!(
            there.as_deref(),
            moved.map(str::as_bytes),
            "{leads}: {body}"
        );
    };
    for leads in ["f", "d", "nowhere"] {
        check(leads, "*** Delete File: link", None);
    }
    let moves = "*** Update File: link\n*** Move to: moved\n@@\n-a\n+A";
    check("f", moves, Some("A\nb\n"));
    // A change follows the link.
    let bench = Bench::with(&[("f", "a\n")]);
    symlink("f", bench.cwd.join("link")).unwrap();
    apply(&bench, "*** Update File: link\n@@\n-a\n+A").unwrap();
    assert_eq!(bench.text("f"), "A\n");
    assert!(bench.cwd.join("link").is_symlink());
}

#[test]
fn forgiving_places_need_sight() {
    let bench = Bench::with(&[("d", "top‑level\na\n")]);
    let body = "*** Update File: d\n@@\n top-level\n-a\n+b";
    let err = apply(&bench, body).unwrap_err();
    assert_eq!(err.code, Code::Unread);
    assert!(err.quote.contains("1\ttop‑level"), "{}", err.quote);
    bench.call("fs.read", json!({"path": "d"})).unwrap();
    apply(&bench, body).unwrap();
    assert_eq!(bench.text("d"), "top‑level\nb\n");
}

#[test]
fn a_patch_states_all_it_touches() {
    let bench = Bench::with(&[("a", "1\n")]);
    let patch =
        "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Add File: c\n+x\n*** End Patch";
    let (plan, _) = bench
        .planned("fs.apply_patch", json!({"patch": patch}))
        .unwrap();
    let written: Vec<_> = plan
        .effects
        .writes
        .iter()
        .map(|claim| claim.path.clone())
        .collect();
    assert_eq!(written, ["a", "b", "c"].map(|name| bench.cwd.join(name)));
    assert_eq!(plan.title, "Patch a and c");
}
