//! What calls changed is put back, and that too.

use serde_json::{Value, json};

use crate::bench::{Bench, Ran};

fn call(bench: &Bench, tool: &str, args: &Value) {
    let ran = bench.run(
        &["call", tool, &args.to_string(), "--mode", "auto", "--json"],
        "",
    );
    assert_eq!(ran.json()["status"], "ok", "{ran:?}");
}

fn undo(bench: &Bench, words: &[&str]) -> Ran {
    let mut all = vec!["undo"];
    all.extend(words);
    bench.run(&all, "")
}

#[test]
fn an_edit_is_undone_and_the_undoing_too() {
    let bench = Bench::new();
    let before = b"\xef\xbb\xbfone\r\ntwo caf\xc3\xa9\nlast";
    bench.write("a.txt", before);
    call(
        &bench,
        "fs.edit",
        &json!({ "path": "a.txt", "old": "one", "new": "1" }),
    );
    let after = bench.read("a.txt");

    let preview = undo(&bench, &["--preview"]);
    assert_eq!(preview.code, 0, "{preview:?}");
    assert!(
        preview.out.starts_with("Would undo: change 1, ") && preview.out.contains("a.txt"),
        "{preview:?}"
    );
    assert_eq!(bench.read("a.txt"), after);

    let undone = undo(&bench, &["--json"]).json();
    assert_eq!(
        (&undone["change"], &undone["undone_as"]),
        (&json!(1), &json!(2)),
        "{undone}"
    );
    assert_eq!(bench.read("a.txt"), before);

    assert_eq!(undo(&bench, &[]).code, 2);
    assert_eq!(undo(&bench, &["1"]).code, 2);
    assert_eq!(undo(&bench, &["2"]).code, 0);
    assert_eq!(bench.read("a.txt"), after);
    assert_eq!(undo(&bench, &["1"]).code, 0);
    assert_eq!(bench.read("a.txt"), before);
}

#[test]
fn a_patch_over_many_files_is_undone_as_a_whole() {
    let bench = Bench::new();
    bench.write("keep.txt", "a\nb\n");
    bench.write("gone.txt", "was here\n");
    let patch = "*** Begin Patch\n*** Add File: sub/new.txt\n+new\n*** Update File: keep.txt\n@@\n-b\n+B\n\
                 *** Delete File: gone.txt\n*** End Patch";
    call(&bench, "fs.apply_patch", &json!({ "patch": patch }));
    assert!(bench.path("sub/new.txt").exists() && !bench.path("gone.txt").exists());
    let undone = undo(&bench, &[]);
    assert_eq!(undone.code, 0, "{undone:?}");
    assert!(!bench.path("sub/new.txt").exists());
    assert_eq!(bench.read("keep.txt"), b"a\nb\n");
    assert_eq!(bench.read("gone.txt"), b"was here\n");
}

#[test]
fn a_file_that_has_changed_since_is_shown_and_left() {
    let bench = Bench::new();
    bench.write("a.txt", "one\n");
    bench.write("b.txt", "one\n");
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** Update File: b.txt\n@@\n-one\n+two\n*** End Patch";
    call(&bench, "fs.apply_patch", &json!({ "patch": patch }));
    bench.write("b.txt", "by hand\n");
    let refused = undo(&bench, &[]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(
        refused.err.contains("/b.txt`") && !refused.err.contains("/a.txt`"),
        "{refused:?}"
    );
    assert!(refused.out.contains("by hand"), "{refused:?}");
    assert_eq!(bench.read("a.txt"), b"two\n");
    assert_eq!(bench.read("b.txt"), b"by hand\n");
}

#[test]
fn several_changes_are_undone_the_newest_first() {
    let bench = Bench::new();
    bench.write("a.txt", "0\n");
    for (old, new) in [("0", "1"), ("1", "2"), ("2", "3")] {
        call(
            &bench,
            "fs.edit",
            &json!({ "path": "a.txt", "old": old, "new": new }),
        );
    }
    assert_eq!(undo(&bench, &["--last", "2"]).code, 0);
    assert_eq!(bench.read("a.txt"), b"1\n");
    assert_eq!(undo(&bench, &[]).code, 0);
    assert_eq!(bench.read("a.txt"), b"0\n");
    assert!(undo(&bench, &[]).err.contains("nothing to undo"));
}

#[test]
fn a_call_that_failed_leaves_nothing_to_undo() {
    let bench = Bench::new();
    bench.write("a.txt", "0\n");
    let args = json!({ "path": "a.txt", "old": "none", "new": "x" }).to_string();
    bench.run(&["call", "fs.edit", &args, "--mode", "auto"], "");
    assert_eq!(undo(&bench, &[]).code, 2);
}

#[test]
fn changes_elsewhere_are_not_meant() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("sub")).unwrap();
    bench.write("a.txt", "0\n");
    call(
        &bench,
        "fs.edit",
        &json!({ "path": "a.txt", "old": "0", "new": "1" }),
    );
    assert!(
        undo(&bench, &["--cwd", "sub"])
            .err
            .contains("nothing to undo")
    );
    assert_eq!(bench.read("a.txt"), b"1\n");
    assert_eq!(undo(&bench, &[]).code, 0);
    assert_eq!(bench.read("a.txt"), b"0\n");
}
