//! `shell.run`.

use serde_json::json;
use toolpost_core::Code;
use toolpost_host::Why;

use crate::bench::Bench;

#[test]
fn commands_run() {
    let bench = Bench::with(&[("sub/x", "")]);
    let check = |args: serde_json::Value, output: &str, code: i32, text: &str| {
        let made = bench.call("shell.run", args.clone()).unwrap();
        assert_eq!(
            (&made.state["output"], &made.state["exit_code"]),
            (&json!(output), &json!(code)),
            "{args}"
        );
        assert_eq!(made.words.text(), text, "{args}");
        assert_eq!(made.state["timed_out"], false);
    };
    check(
        json!({"command": "printf '%s' 'a != b'"}),
        "a != b",
        0,
        "a != b",
    );
    check(
        json!({"command": "echo boom >&2; exit 1"}),
        "boom\n",
        1,
        "boom\n[Exit code 1.]",
    );
    check(json!({"command": "true"}), "", 0, "[No output.]");
    check(json!({"command": "ls", "cwd": "sub"}), "x\n", 0, "x\n");
    check(
        json!({"command": "echo $NAME", "env": {"NAME": "v w"}}),
        "v w\n",
        0,
        "v w\n",
    );
    let killed = bench
        .call("shell.run", json!({"command": "kill -9 $$"}))
        .unwrap();
    assert_eq!(killed.words.text(), "[No output.]\n[Ended by signal 9.]");
    assert_eq!(
        (killed.state.get("exit_code"), &killed.state["signal"]),
        (None, &json!(9))
    );
}

#[test]
fn commands_that_are_stopped_say_so() {
    let stopped = |why: Why, expected: &str| {
        let bench = Bench::new().stopped(why);
        let made = bench
            .call("shell.run", json!({"command": "sleep 60"}))
            .unwrap();
        assert!(
            made.words.text().ends_with(expected),
            "{}",
            made.words.text()
        );
        assert_eq!(made.state.get("exit_code"), None);
        made.state["timed_out"] == true
    };
    assert!(stopped(Why::Deadline, "[Timed out after 120000 ms.]"));
    assert!(!stopped(Why::Cancelled, "[Cancelled.]"));
}

#[test]
fn a_plan_states_everything() {
    let bench = Bench::new();
    let (plan, _) = bench
        .planned(
            "shell.run",
            json!({"command": "cargo test", "timeout_ms": 7}),
        )
        .unwrap();
    assert_eq!(
        (plan.title.as_str(), plan.wish_ms),
        ("Run cargo test", Some(7))
    );
    assert_eq!(plan.effects.runs.unwrap().text, "cargo test");
    let err = bench
        .call(
            "shell.run",
            json!({"command": "sleep 9", "background": true}),
        )
        .unwrap_err();
    assert_eq!(err.code, Code::Unsupported);
    let err = bench
        .call("shell.run", json!({"command": "true", "cwd": "nowhere"}))
        .unwrap_err();
    assert!(
        [Code::NotFound, Code::NotAFolder, Code::Gone].contains(&err.code),
        "{err:?}"
    );
}
