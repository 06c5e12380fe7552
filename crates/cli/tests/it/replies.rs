//! Replies of the three families in, what to append out.

use serde_json::{Value, json};

use crate::bench::Bench;

/// A reply of Anthropic's with these calls.
fn anthropic(calls: &[(&str, &str, Value)]) -> String {
    let blocks = calls.iter().map(
        |(id, name, input)| json!({ "type": "tool_use", "id": id, "name": name, "input": input }),
    );
    json!({ "role": "assistant", "stop_reason": "tool_use", "content": blocks.collect::<Vec<_>>() })
        .to_string()
}

/// A reply of OpenAI's Responses with one custom call.
fn responses(name: &str, input: &str) -> String {
    json!({ "object": "response", "status": "completed", "output": [
        { "type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": name, "input": input },
    ] })
    .to_string()
}

/// A reply of Gemini's with one call.
fn gemini(name: &str, args: &Value) -> String {
    json!({ "candidates": [{ "finishReason": "STOP", "content": { "role": "model", "parts": [
        { "functionCall": { "name": name, "args": args } },
    ] } }] })
    .to_string()
}

#[test]
fn the_same_edit_by_three_families_leaves_the_same_bytes() {
    let before = b"\xef\xbb\xbffirst\r\nsecond caf\xc3\xa9\r\nthird\nlast";
    let edited: Vec<Vec<u8>> = ["claude", "codex", "gemini"]
        .into_iter()
        .map(|family| {
            let bench = Bench::new();
            bench.write("notes.txt", before);
            let path = bench.path("notes.txt");
            let (old, new) = ("second café", "second tea");
            let reply = match family {
                "claude" => anthropic(&[("t", "Edit", json!({ "file_path": path, "old_string": old, "new_string": new }))]),
                "codex" => responses(
                    "apply_patch",
                    &format!("*** Begin Patch\n*** Update File: notes.txt\n@@\n-{old}\n+{new}\n*** End Patch"),
                ),
                _ => gemini(
                    "replace",
                    &json!({ "file_path": path, "instruction": "tea", "old_string": old, "new_string": new }),
                ),
            };
            let ran = bench.run(&["run", "--dialect", family, "--mode", "auto"], &reply);
            assert_eq!(ran.code, 0, "{ran:?}");
            bench.read("notes.txt")
        })
        .collect();
    assert_eq!(edited[0], b"\xef\xbb\xbffirst\r\nsecond tea\r\nthird\nlast");
    assert_eq!(edited[1], edited[0]);
    assert_eq!(edited[2], edited[0]);
}

#[test]
fn the_callers_own_function_is_left_and_named() {
    let bench = Bench::new();
    bench.write("a.txt", "x\n");
    let read = json!({ "file_path": bench.path("a.txt") });
    let reply = anthropic(&[
        ("1", "Read", read.clone()),
        ("2", "ask_user", json!({ "q": "?" })),
        ("3", "Read", read),
    ]);
    let ran = bench.run(
        &["run", "--dialect", "claude", "--leave", "ask_user,other"],
        &reply,
    );
    let answer = ran.json();
    let ids: Vec<&str> = answer["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["tool_use_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["1", "3"]);
    assert!(
        ran.err.contains("ask_user") && ran.err.contains("(2)"),
        "{ran:?}"
    );
    assert!(!answer.to_string().contains("is_error\":true"), "{answer}");
}

#[test]
fn in_a_read_only_set_no_name_of_any_dialect_runs_a_command() {
    let command = "touch made";
    let names = [
        ("Bash", json!({ "command": command, "description": "make" })),
        ("shell_command", json!({ "command": command })),
        ("shell", json!({ "command": ["touch", "made"] })),
        ("run_shell_command", json!({ "command": command })),
        ("shell.run", json!({ "command": command })),
        ("shell_run", json!({ "command": command })),
        ("exec_command", json!({ "cmd": command })),
        ("Write", json!({ "file_path": "made", "content": "" })),
        ("write_file", json!({ "file_path": "made", "content": "" })),
        ("fs.write", json!({ "path": "made", "content": "" })),
        (
            "apply_patch",
            json!({ "input": "*** Begin Patch\n*** Add File: made\n+x\n*** End Patch" }),
        ),
    ];
    for dialect in ["claude", "codex", "gemini", "plain"] {
        let bench = Bench::new();
        let calls: Vec<(String, &str, Value)> = names
            .iter()
            .enumerate()
            .map(|(at, (name, args))| (at.to_string(), *name, args.clone()))
            .collect();
        let calls: Vec<(&str, &str, Value)> = calls
            .iter()
            .map(|(id, name, args)| (id.as_str(), *name, args.clone()))
            .collect();
        let words = [
            "run",
            "--dialect",
            dialect,
            "--wire",
            "anthropic",
            "--set",
            "read-only",
            "--mode",
            "auto",
        ];
        let answer = bench.run(&words, &anthropic(&calls)).json();
        let blocks = answer["content"].as_array().unwrap();
        assert_eq!(blocks.len(), names.len());
        assert!(
            blocks.iter().all(|block| block["is_error"] == true),
            "{dialect}: {answer}"
        );
        assert!(!bench.path("made").exists(), "{dialect}");
        // The filter is told by name, not by what the tool would have done.
        assert!(
            answer.to_string().contains("is offered"),
            "{dialect}: {answer}"
        );
    }
}

#[test]
fn a_reply_without_a_call_prints_nothing() {
    let bench = Bench::new();
    let replies = [
        (
            "claude",
            json!({ "role": "assistant", "content": [{ "type": "text", "text": "Hello." }] }),
        ),
        (
            "codex",
            json!({ "object": "response", "status": "completed", "output": [] }),
        ),
        (
            "gemini",
            json!({ "candidates": [{ "content": { "role": "model", "parts": [{ "text": "Hello." }] } }] }),
        ),
    ];
    for (dialect, reply) in replies {
        let ran = bench.run(&["run", "--dialect", dialect], &reply.to_string());
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{dialect}: {ran:?}");
    }
}

#[test]
fn what_is_no_reply_is_a_clear_error_and_prints_no_result() {
    let bench = Bench::new();
    for input in [
        "",
        "hello",
        "{",
        "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}",
    ] {
        let ran = bench.run(&["run", "--dialect", "claude"], input);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{input:?}: {ran:?}");
        assert!(ran.err.starts_with("error: "), "{input:?}: {ran:?}");
    }
}

#[test]
fn a_reply_runs_against_the_very_toolset_that_went_out() {
    let bench = Bench::new();
    bench.write("a.txt", "x\n");
    let listed = bench
        .run(
            &["tools", "--dialect", "claude", "--tools", "Read", "--json"],
            "",
        )
        .json();
    let id = listed["toolset"].as_str().unwrap();
    assert_eq!(listed["tools"].as_array().unwrap().len(), 1);
    let reply = anthropic(&[
        ("1", "Read", json!({ "file_path": bench.path("a.txt") })),
        (
            "2",
            "Bash",
            json!({ "command": "touch made", "description": "" }),
        ),
    ]);
    let answer = bench
        .run(&["run", "--toolset", id, "--mode", "auto"], &reply)
        .json();
    let errors: Vec<bool> = answer["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["is_error"] == true)
        .collect();
    assert_eq!(errors, [false, true], "{answer}");
    assert!(!bench.path("made").exists());
    let unknown = bench.run(&["run", "--toolset", "ts-0000000000000000"], &reply);
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""), "{unknown:?}");
}
