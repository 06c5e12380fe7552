//! What is kept between processes, and how a process ends.

use serde_json::json;

use crate::bench::Bench;

fn write(bench: &Bench, more: &[&str]) -> serde_json::Value {
    let args = json!({ "path": "a.txt", "content": "new\n" }).to_string();
    let mut words = vec!["call", "fs.write", &args, "--mode", "auto", "--json"];
    words.extend(more);
    bench.run(&words, "").json()
}

#[test]
fn a_named_session_remembers_what_it_has_seen() {
    let bench = Bench::new();
    bench.write("a.txt", "old\n");
    assert_eq!(write(&bench, &[])["error"]["code"], "unread");
    let read = json!({ "path": "a.txt" }).to_string();
    bench.run(&["call", "fs.read", &read, "--session", "task"], "");
    assert_eq!(
        write(&bench, &["--session", "other"])["error"]["code"],
        "unread"
    );
    assert_eq!(write(&bench, &["--session", "task"])["status"], "ok");
    assert_eq!(bench.read("a.txt"), b"new\n");
}

#[test]
fn a_change_behind_its_back_is_noticed() {
    let bench = Bench::new();
    bench.write("a.txt", "old\n");
    let read = json!({ "path": "a.txt" }).to_string();
    bench.run(&["call", "fs.read", &read, "--session", "task"], "");
    bench.write("a.txt", "changed\n");
    assert_eq!(
        write(&bench, &["--session", "task"])["error"]["code"],
        "stale"
    );
    assert_eq!(bench.read("a.txt"), b"changed\n");
}

#[test]
fn the_exit_code_of_a_call_says_how_it_ended() {
    let bench = Bench::new();
    bench.write("a.txt", "x\n");
    let check = |words: &[&str], expected: i32| {
        let ran = bench.run(words, "");
        assert_eq!(ran.code, expected, "{words:?}: {ran:?}");
    };
    check(&["call", "fs.read", "{\"path\": \"a.txt\"}"], 0);
    check(
        &[
            "call",
            "--dialect",
            "gemini",
            "read_file",
            "{\"file_path\": \"a.txt\"}",
        ],
        0,
    );
    check(
        &[
            "call",
            "shell.run",
            "{\"command\": \"exit 7\"}",
            "--mode",
            "auto",
        ],
        0,
    );
    check(&["call", "fs.read", "{\"path\": \"none.txt\"}"], 1);
    check(&["call", "fs.read", "{\"path\": "], 1);
    check(&["call", "fs.nothing"], 1);
    check(&["call", "fs.read", "{}", "--mode", "maybe"], 2);
    check(&["call", "fs.read", "{}", "-c", "no.such=1"], 2);
    check(&["call", "fs.read", "{}", "--cwd", "no/such/folder"], 2);
    check(&["call", "fs.read", "{\"path\": \"/etc/passwd\"}"], 3);
    check(&["call", "shell.run", "{\"command\": \"true\"}"], 3);
    check(
        &[
            "call",
            "shell.run",
            "{\"command\": \"sleep 60\", \"timeout_ms\": 1000}",
            "--mode",
            "auto",
        ],
        4,
    );
    check(&["--version"], 0);
    check(&["no-such-command"], 2);
}

#[test]
fn the_journal_tells_what_happened_and_holds_no_argument() {
    let bench = Bench::new();
    let command = json!({ "command": "echo s3cret-in-an-argument" }).to_string();
    bench.run(&["call", "shell.run", &command, "--mode", "manual"], "");
    let log = bench.run(&["log", "--json"], "");
    let steps: Vec<String> = log
        .lines()
        .iter()
        .map(|line| line["step"]["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(steps, ["proposed", "decided", "ended"], "{log:?}");
    assert_eq!(log.lines()[2]["step"]["code"], "denied");
}

#[test]
fn the_lists_are_the_same_every_time() {
    let bench = Bench::new();
    for dialect in ["claude", "codex", "gemini", "plain"] {
        let first = bench.run(&["tools", "--dialect", dialect, "--json"], "");
        let second = bench.run(&["tools", "--dialect", dialect, "--json"], "");
        assert_eq!(first.out, second.out);
        assert!(
            first.json()["prompt"]
                .as_str()
                .is_some_and(|prompt| !prompt.is_empty())
        );
        assert_eq!(first.json()["warnings"], json!([]), "{dialect}");
    }
    let unknown = bench.run(&["tools", "--model", "nobody-knows-it"], "");
    assert!(
        unknown.err.contains("plain") && unknown.code == 0,
        "{unknown:?}"
    );
}

#[test]
fn doctor_says_what_is_there_and_what_is_not() {
    let bench = Bench::new();
    let ran = bench.run(&["doctor", "--json"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    let results: Vec<(String, String)> = ran
        .lines()
        .iter()
        .map(|line| {
            (
                line["check"].as_str().unwrap().to_owned(),
                line["result"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    assert!(
        results.contains(&("shell".to_owned(), "ok".to_owned())),
        "{ran:?}"
    );
    assert!(
        results.contains(&("sandbox".to_owned(), "missing".to_owned())),
        "{ran:?}"
    );
}

fn names(ran: &crate::bench::Ran) -> usize {
    ran.json()["content"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|block| block["is_error"] == true)
        .count()
}

#[test]
fn the_list_that_went_out_in_a_session_counts_for_its_replies() {
    let bench = Bench::new();
    let reply = json!({ "role": "assistant", "stop_reason": "tool_use", "content": [
        { "type": "tool_use", "id": "t1", "name": "Bash", "input": { "command": "touch made", "description": "" } },
    ] })
    .to_string();
    let list = [
        "tools",
        "--model",
        "claude-opus-4-5",
        "--set",
        "read-only",
        "--session",
        "s",
    ];
    assert_eq!(bench.run(&list, "").code, 0);
    for words in [
        &[
            "run",
            "--session",
            "s",
            "--mode",
            "auto",
            "--wire",
            "anthropic",
        ][..],
        &[
            "run",
            "--session",
            "s",
            "--mode",
            "auto",
            "--model",
            "claude-opus-4-5",
        ],
        &[
            "run",
            "--session",
            "s",
            "--mode",
            "auto",
            "--dialect",
            "claude",
        ],
    ] {
        assert_eq!(names(&bench.run(words, &reply)), 1, "{words:?}");
        assert!(!bench.path("made").exists(), "{words:?}");
    }
}

#[test]
fn a_session_without_a_list_goes_on_for_ever() {
    let bench = Bench::new();
    let line = r#"{"id":"1","tool":"search.list","args":{}}"#;
    for _ in 0..3 {
        let ran = bench.run(&["run", "--wire", "plain", "--session", "s"], line);
        assert_eq!((ran.code, ran.lines().len()), (0, 1), "{ran:?}");
        assert_eq!(ran.lines()[0]["status"], "ok");
    }
    bench.run(&["call", "search.list", "--session", "s"], "");
    assert_eq!(
        bench
            .run(&["run", "--wire", "plain", "--session", "s"], line)
            .lines()[0]["status"],
        "ok"
    );
}

#[test]
fn results_are_printed_byte_for_byte() {
    let bench = Bench::new();
    bench.write("a.txt", "x\u{7f}y\u{1b}[2Jz\n");
    let ran = bench.run(&["call", "fs.read", "{\"path\": \"a.txt\"}"], "");
    assert!(ran.out.contains("x\u{7f}y\u{1b}[2Jz"), "{ran:?}");
    let line = r#"{"id":"1","tool":"fs.read","args":{"path":"a.txt"}}"#;
    let replies = bench.run(&["run", "--wire", "plain"], line).lines();
    assert!(
        replies[0]["text"]
            .as_str()
            .unwrap()
            .contains("x\u{7f}y\u{1b}[2Jz"),
        "{replies:?}"
    );
}

#[test]
fn a_journal_line_cannot_be_forged() {
    let bench = Bench::new();
    let args = json!({ "path": "x\n2026-01-01T00:00:00Z  forged \u{1b}[2J" }).to_string();
    bench.run(&["call", "fs.write", &args, "--mode", "auto"], "");
    bench.run(&["call", "fs.read", &args, "--mode", "auto"], "");
    let log = bench.run(&["log"], "");
    assert!(
        !log.out
            .lines()
            .any(|line| line.starts_with("2026-01-01T00:00:00Z  forged")),
        "{log:?}"
    );
    assert!(!log.out.contains('\u{1b}'), "{log:?}");
}

#[test]
fn the_state_shows_in_no_search_even_below_the_workspace() {
    let bench = Bench::new();
    bench.write("a.txt", "MARKER\n");
    let state = bench.path("my [state]!");
    let lines = [
        json!({ "id": "1", "tool": "shell.run", "args": { "command": "echo MARKER; seq 1 60000" } }),
        json!({ "id": "2", "tool": "search.grep", "args": { "pattern": "MARKER", "hidden": true, "no_ignore": true } }),
        json!({ "id": "3", "tool": "search.glob", "args": { "pattern": "**/*", "hidden": true, "no_ignore": true } }),
        json!({ "id": "4", "tool": "search.list", "args": { "depth": 6 } }),
        json!({ "id": "5", "tool": "fs.write", "args": { "path": "my [state]!/x", "content": "" } }),
    ];
    let input: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let replies = bench
        .run_at(
            &state,
            &["run", "--wire", "plain", "--mode", "auto"],
            &input.join("\n"),
        )
        .lines();
    assert!(state.join("state/spill").is_dir(), "{replies:?}");
    assert_eq!(replies[1]["state"]["total"], 1, "{replies:?}");
    for reply in &replies[2..4] {
        assert!(
            !reply["text"].as_str().unwrap().contains("toolpost.db"),
            "{reply}"
        );
        assert!(!reply["text"].as_str().unwrap().contains("sp_"), "{reply}");
    }
    assert_eq!(replies[4]["error"]["code"], "denied", "{replies:?}");
}

#[test]
fn a_journal_that_cannot_be_written_is_told_and_stops_nothing() {
    let bench = Bench::new();
    bench.write("a.txt", "x\n");
    bench.write("no-folder", "");
    let line = r#"{"id":"1","tool":"fs.read","args":{"path":"a.txt"}}"#;
    let replies = bench
        .run_at(&bench.path("no-folder"), &["run", "--wire", "plain"], line)
        .lines();
    assert_eq!(replies[0]["status"], "ok", "{replies:?}");
    assert!(
        replies[0]["notices"].to_string().contains("journal"),
        "{replies:?}"
    );
}
