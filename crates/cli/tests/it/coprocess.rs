//! Lines in, lines out.

use std::io::{BufRead as _, BufReader, Write as _};

use serde_json::{Value, json};

use crate::bench::Bench;

const PLAIN: &[&str] = &["run", "--wire", "plain", "--mode", "auto"];

fn statuses(lines: &[Value]) -> Vec<(&str, &str)> {
    lines
        .iter()
        .map(|line| {
            (
                line["id"].as_str().unwrap(),
                line["status"].as_str().unwrap(),
            )
        })
        .collect()
}

#[test]
fn one_line_is_answered_with_one_line() {
    let bench = Bench::new();
    bench.write("Cargo.toml", "[package]\n");
    let line = r#"{"id":"1","tool":"fs.read","args":{"path":"Cargo.toml"}}"#;
    let ran = bench.run(&["run", "--wire", "plain"], &format!("{line}\n"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines = ran.lines();
    assert_eq!(statuses(&lines), [("1", "ok")]);
    assert!(lines[0]["text"].as_str().unwrap().contains("[package]"));
    assert_eq!(lines[0]["state"]["total_lines"], 1);
}

#[test]
fn lines_that_come_with_a_pause_are_answered_one_by_one() {
    let bench = Bench::new();
    let mut child = bench.start(PLAIN);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for id in ["a", "b"] {
        let call =
            json!({ "id": id, "tool": "shell.run", "args": { "command": format!("echo {id}!") } });
        writeln!(input, "{call}").unwrap();
        // Only after this reply came does the next line go in.
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let reply: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(
            (reply["id"].as_str(), reply["status"].as_str()),
            (Some(id), Some("ok"))
        );
        assert!(reply["text"].as_str().unwrap().contains(&format!("{id}!")));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_running_call_is_taken_back() {
    let bench = Bench::new();
    let mut child = bench.start(PLAIN);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let marker = bench.path("started");
    let command = format!("touch {}; sleep 300", marker.display());
    let call = json!([
        { "id": "a", "tool": "shell.run", "args": { "command": command } },
        { "id": "b", "tool": "search.glob", "args": { "pattern": "*.none" } },
    ]);
    writeln!(input, "{call}").unwrap();
    while !marker.exists() {
        std::thread::yield_now();
    }
    writeln!(input, "{}", json!({ "cancel": "a" })).unwrap();
    let mut lines = String::new();
    output.read_line(&mut lines).unwrap();
    output.read_line(&mut lines).unwrap();
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(statuses(&lines), [("a", "cancelled"), ("b", "ok")]);
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_cannot_be_read_is_answered_in_its_place_and_the_rest_goes_on() {
    let bench = Bench::new();
    bench.write("a.txt", "x\n");
    let read = r#"{"id":"2","tool":"fs.read","args":{"path":"a.txt"}}"#;
    let lines = [
        "{\"id\":\"1\",\"tool\":\"fs.read\",\"args\":",
        read,
        "[]",
        "",
        "{\"id\":\"3\",\"tool\":\"fs.read\",\"args\":\"{\\\"path\\\": \\\"a.t\"}",
        "{\"id\":\"4\",\"tool\":\"fs.raed\",\"args\":{}}",
    ];
    let ran = bench.run(PLAIN, &lines.join("\n"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines = ran.lines();
    let codes: Vec<_> = lines
        .iter()
        .map(|line| line["error"]["code"].as_str().unwrap_or("ok"))
        .collect();
    assert_eq!(
        &codes[1..],
        ["ok", "invalid", "truncated", "unknown_tool"],
        "{ran:?}"
    );
    assert_ne!(codes[0], "ok");
    assert!(
        lines[4]["text"].as_str().unwrap().contains("fs_read"),
        "{ran:?}"
    );
}

#[test]
fn a_batch_is_answered_in_order_and_its_writes_see_one_another() {
    let bench = Bench::new();
    let batch = json!([
        { "id": "1", "tool": "fs.write", "args": { "path": "n.txt", "content": "one\n" } },
        { "id": "2", "tool": "fs.edit", "args": { "path": "n.txt", "old": "one", "new": "two" } },
        { "id": "3", "tool": "shell.run", "args": { "command": "cat n.txt" } },
        { "id": "4", "tool": "fs.read", "args": { "path": "n.txt" } },
    ]);
    let ran = bench.run(PLAIN, &format!("{batch}\n"));
    let lines = ran.lines();
    assert_eq!(
        statuses(&lines),
        [("1", "ok"), ("2", "ok"), ("3", "ok"), ("4", "ok")],
        "{ran:?}"
    );
    assert!(lines[2]["text"].as_str().unwrap().starts_with("two\n"));
    assert_eq!(bench.read("n.txt"), b"two\n");
}

#[test]
fn following_another_wire_gives_a_line_for_each_document() {
    let bench = Bench::new();
    bench.write("a.txt", "x\n");
    let with_call = json!({ "role": "assistant", "stop_reason": "tool_use", "content": [
        { "type": "tool_use", "id": "t1", "name": "Read", "input": { "file_path": bench.path("a.txt") } },
    ] });
    let without = json!({ "role": "assistant", "stop_reason": "end_turn", "content": [
        { "type": "text", "text": "Done." },
    ] });
    let input = format!("{with_call}\n{without}\nno reply at all\n{with_call}\n");
    let ran = bench.run(
        &[
            "run",
            "--follow",
            "--dialect",
            "claude",
            "--wire",
            "anthropic",
        ],
        &input,
    );
    let lines = ran.lines();
    assert_eq!((ran.code, lines.len()), (0, 4), "{ran:?}");
    assert_eq!(lines[0]["content"][0]["tool_use_id"], "t1");
    assert_eq!(lines[1], Value::Null);
    assert!(lines[2]["error"]["fact"].is_string());
    assert_eq!(lines[3]["content"][0]["tool_use_id"], "t1");
}

#[test]
fn asked_to_end_it_answers_what_runs_and_ends() {
    let bench = Bench::new();
    let mut child = bench.start(PLAIN);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let marker = bench.path("started");
    let command = format!("touch {}; sleep 300", marker.display());
    writeln!(
        input,
        "{}",
        json!({ "id": "a", "tool": "shell.run", "args": { "command": command } })
    )
    .unwrap();
    while !marker.exists() {
        std::thread::yield_now();
    }
    let killed = std::process::Command::new("kill")
        .arg(child.id().to_string())
        .status()
        .unwrap();
    assert!(killed.success());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let reply: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(reply["status"], "cancelled");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_faulty_call_is_answered_in_its_place_and_the_rest_of_its_batch_runs() {
    let bench = Bench::new();
    bench.write("a.txt", "x\n");
    let batch = json!([
        { "id": "1", "tool": "fs.read", "args": { "path": "a.txt" } },
        { "id": "2" },
        { "id": "3", "tool": "fs.read", "args": { "path": "a.txt" } },
    ]);
    let lines = bench.run(PLAIN, &batch.to_string()).lines();
    assert_eq!(
        statuses(&lines),
        [("1", "ok"), ("2", "invalid"), ("3", "ok")]
    );
}

#[test]
fn an_unknown_tool_between_two_writes_does_not_change_their_order() {
    let bench = Bench::new();
    let write = |id: &str, content: &str| json!({ "id": id, "tool": "fs.write", "args": { "path": "o", "content": content } });
    for _ in 0..20 {
        let _ = std::fs::remove_file(bench.path("o"));
        let batch =
            json!([write("1", "0"), { "id": "2", "tool": "nope", "args": {} }, write("3", "1")]);
        let lines = bench.run(PLAIN, &batch.to_string()).lines();
        assert_eq!(
            statuses(&lines),
            [("1", "ok"), ("2", "invalid"), ("3", "ok")]
        );
        assert_eq!(bench.read("o"), b"1");
    }
}

#[test]
fn a_read_gives_sight_to_a_write_of_the_same_batch() {
    let bench = Bench::new();
    bench.write("a.txt", "old\n");
    let batch = json!([
        { "id": "1", "tool": "fs.read", "args": { "path": "a.txt" } },
        { "id": "2", "tool": "fs.write", "args": { "path": "a.txt", "content": "new\n" } },
    ]);
    let lines = bench.run(PLAIN, &batch.to_string()).lines();
    assert_eq!(statuses(&lines), [("1", "ok"), ("2", "ok")], "{lines:?}");
}
