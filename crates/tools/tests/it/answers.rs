//! What each family reads: bases, units, prefixes, texts.

use serde_json::{Value, json};

use crate::bench::Bench;

/// Five lines, all of them different.
fn five() -> Bench {
    Bench::with(&[("f", "one\ntwo\nthree\nfour\nfive\n"), ("e", "")])
}

#[test]
fn the_first_and_the_last_line_are_where_each_family_counts_them() {
    let bench = five();
    let check = |name: &str, args: Value, expected: &str| {
        assert_eq!(bench.reads(name, args.clone()), expected, "{name} {args}");
    };
    let file = |rest: Value| {
        let mut all = json!({"file_path": "f"});
        all.as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        all
    };
    check(
        "fs.read",
        json!({"path": "f", "offset": 1, "limit": 1}),
        "1\tone\n[Lines 1–1 of 5. For more, call fs.read with offset=2.]",
    );
    check("fs.read", json!({"path": "f", "offset": 5}), "5\tfive");
    check(
        "claude Read",
        file(json!({"offset": 1, "limit": 1})),
        "1\tone\n[File truncated: showing lines 1-1 of 5 total lines. Use offset and limit to read on, from offset 2.]",
    );
    check("claude Read", file(json!({"offset": 5.0})), "5\tfive");
    check(
        "codex read_file",
        file(json!({"limit": 1})),
        "L1: one\n[5 lines in all; read on with offset 2.]",
    );
    check("codex read_file", file(json!({"offset": 5})), "L5: five");
    check(
        "gemini read_file",
        file(json!({"start_line": 1, "end_line": 1})),
        "The file content has been truncated.\nStatus: Showing lines 1-1 of 5 total lines.\nAction: Read on with start_line = 2.\n\n--- FILE CONTENT (truncated) ---\none",
    );
    check(
        "gemini read_file",
        file(json!({"start_line": 5, "end_line": 5})),
        "five",
    );
    check(
        "gemini read_file",
        file(json!({})),
        "one\ntwo\nthree\nfour\nfive",
    );
}

#[test]
fn numbers_out_of_a_family_s_range_are_refused() {
    let bench = five();
    let check = |name: &str, args: Value, expected: &str| {
        let told = bench.reads(name, args.clone());
        assert!(told.contains(expected), "{name} {args}: {told}");
    };
    check(
        "codex read_file",
        json!({"file_path": "f", "offset": 0}),
        "`offset` is 0",
    );
    check(
        "codex read_file",
        json!({"file_path": "f", "limit": 0}),
        "`limit` is 0",
    );
    check(
        "codex list_dir",
        json!({"dir_path": ".", "depth": 0}),
        "`depth` is 0",
    );
    check(
        "claude Read",
        json!({"file_path": "f", "limit": -1}),
        "`limit` is -1",
    );
    check(
        "claude Read",
        json!({"file_path": "f", "offset": 1.5}),
        "not a whole number",
    );
    check(
        "codex shell_command",
        json!({"command": "true", "timeout_ms": 0}),
        "`timeout_ms` is 0",
    );
    check(
        "claude Read",
        json!({"file_path": "f", "offset": 9}),
        "5 lines",
    );
    check(
        "gemini read_file",
        json!({"file_path": "f", "start_line": 3, "end_line": 2}),
        "before `start_line`",
    );
}

#[test]
fn empty_files_are_said_to_be_empty() {
    let bench = five();
    let check = |name: &str, expected: &str| {
        assert_eq!(bench.reads(name, json!({"file_path": "e"})), expected);
    };
    check(
        "claude Read",
        "<system-reminder>The file exists, but it is empty.</system-reminder>",
    );
    check("codex read_file", "[The file is empty.]");
    check("gemini read_file", "");
}

#[test]
fn long_lines_are_cut_by_each_family_s_measure() {
    let bench = Bench::with(&[("f", &"ü".repeat(3_000))]);
    let read = |name: &str| bench.reads(name, json!({"file_path": "f"}));
    assert_eq!(read("codex read_file").matches('ü').count(), 500);
    let claude = read("claude Read");
    assert_eq!(claude.matches('ü').count(), 2_000);
    assert!(
        claude.contains("... [line truncated]")
            && claude.contains("[Some lines exceeded 2,000 characters"),
        "{claude}"
    );
    assert_eq!(read("gemini read_file").matches('ü').count(), 2_000);
}

#[test]
fn changes_are_answered_in_each_family_s_words() {
    let bench = five();
    let check = |name: &str, args: Value, expected: &str| {
        assert_eq!(bench.reads(name, args.clone()), expected, "{name} {args}");
    };
    check(
        "claude Edit",
        json!({"file_path": "f", "old_string": "two", "new_string": "2"}),
        r#"{"message":"Successfully replaced 1 occurrence in f","replacements":1,"startLine":2}"#,
    );
    check(
        "gemini replace",
        json!({"file_path": "f", "old_string": "three", "new_string": "3"}),
        "Successfully modified file: f (1 replacements).\nHere is the updated code:\n1\tone\n2\t2\n3\t3\n4\tfour\n5\tfive",
    );
    check(
        "gemini replace",
        json!({"file_path": "new", "old_string": "", "new_string": "n\n", "instruction": "start it"}),
        "Created new file: new with provided content.\nHere is the updated code:\n1\tn",
    );
    check(
        "gemini replace",
        json!({"file_path": "f", "old_string": "", "new_string": "n"}),
        "`f` exists already, and the text to be replaced is empty. Give the text to be replaced, or overwrite the file as a whole.",
    );
    check(
        "fs.edit",
        json!({"path": "f", "old": "four", "new": "4"}),
        "Replaced 1 place in `f`, at line 4.\n1\tone\n2\t2\n3\t3\n4\t4\n5\tfive",
    );
    check(
        "claude Write",
        json!({"file_path": "w", "content": "äb"}),
        "Successfully wrote 2 characters to w",
    );
    check(
        "gemini write_file",
        json!({"file_path": "v", "content": "x"}),
        "Successfully created and wrote to new file: v.",
    );
    check(
        "gemini write_file",
        json!({"file_path": "v", "content": "y"}),
        "Successfully overwrote file: v.",
    );
    let patch = "*** Begin Patch\n*** Update File: w\n@@\n-äb\n+c\n*** Delete File: v\n*** Add File: u\n+1\n*** End Patch";
    check(
        "codex apply_patch",
        json!({"input": patch}),
        "Success. Updated the following files:\nA u\nM w\nD v",
    );
    check(
        "codex apply_patch",
        json!({"input": "*** Begin Patch\n*** Add File: u\n+1\n*** End Patch"}),
        "apply_patch verification failed: `u` exists already. Change it with `*** Update File`, or delete it in the same patch before. Nothing was changed.",
    );
}

#[test]
fn failures_name_the_family_s_tools_and_parameters() {
    let bench = five();
    let check = |name: &str, args: Value, expected: &str| {
        let told = bench.reads(name, args.clone());
        assert!(told.contains(expected), "{name} {args}: {told}");
    };
    let write = json!({"file_path": "f", "content": "x"});
    check("claude Write", write.clone(), "Read `f` with `Read`, then");
    check(
        "gemini write_file",
        write,
        "Read `f` with `read_file`, then",
    );
    check(
        "claude Edit",
        json!({"file_path": "f", "old_string": "o", "new_string": "x"}),
        "`old_string` is in `f` 3 times",
    );
    check(
        "gemini replace",
        json!({"file_path": "f", "old_string": "o", "new_string": "x"}),
        "set `allow_multiple`",
    );
    check(
        "claude Read",
        json!({"file_path": "."}),
        "List the folder with `Bash`",
    );
}

#[test]
fn commands_are_answered_in_each_family_s_words() {
    let bench = five();
    let check = |name: &str, command: &str, expected: &str| {
        let told = bench.reads(name, json!({"command": command, "description": "d"}));
        let told = nameless(&told);
        assert_eq!(told, expected, "{name} {command}");
    };
    check("claude Bash", "echo a; echo b >&2", "a\nb\n");
    check("claude Bash", "true", "(Command completed with no output)");
    check("claude Bash", "echo a; exit 3", "Exit code: 3\na\n");
    check(
        "gemini run_shell_command",
        "printf a",
        "<untrusted_context>\nOutput: a\nProcess Group PGID: [PID]\n</untrusted_context>",
    );
    check(
        "gemini run_shell_command",
        "exit 3",
        "<untrusted_context>\nOutput: (empty)\nExit Code: 3\nProcess Group PGID: [PID]\n</untrusted_context>",
    );
    check(
        "gemini run_shell_command",
        "echo '</untrusted_context>'",
        "<untrusted_context>\nOutput: < /untrusted_context>\nProcess Group PGID: [PID]\n</untrusted_context>",
    );
    let told = bench.reads("codex shell_command", json!({"command": "echo a; exit 3"}));
    let (head, wall) = told.split_once("Wall time: ").unwrap();
    let (wall, rest) = wall.split_once(' ').unwrap();
    assert_eq!((head, rest), ("Exit code: 3\n", "seconds\nOutput:\na\n"));
    assert!(wall.parse::<f64>().unwrap() < 60.0, "{wall}");
}

/// The text with the process group's number left out.
fn nameless(text: &str) -> String {
    let Some((before, after)) = text.split_once("PGID: ") else {
        return text.to_owned();
    };
    let rest = after.trim_start_matches(|char: char| char.is_ascii_digit());
    format!("{before}PGID: [PID]{rest}")
}

#[test]
fn searches_are_answered_in_each_family_s_words() {
    let bench = Bench::with(&[("src/a.rs", "fn Main() {}\n// end\n")]);
    let check = |name: &str, args: Value, expected: &str| {
        assert_eq!(bench.reads(name, args.clone()), expected, "{name} {args}");
    };
    check(
        "claude Grep",
        json!({"pattern": "Main"}),
        "Found 1 files\nsrc/a.rs",
    );
    check(
        "claude Grep",
        json!({"pattern": "main", "-i": true, "output_mode": "content", "-A": 1}),
        "src/a.rs:1:fn Main() {}\nsrc/a.rs-2-// end",
    );
    check(
        "claude Grep",
        json!({"pattern": "Main", "output_mode": "content", "-n": false}),
        "src/a.rs:fn Main() {}",
    );
    check(
        "claude Grep",
        json!({"pattern": "Main", "output_mode": "count"}),
        "src/a.rs:1\nFound 1 total occurrences across 1 files.",
    );
    check("claude Grep", json!({"pattern": "nope"}), "No files found");
    check(
        "claude Grep",
        json!({"pattern": "nope", "output_mode": "content"}),
        "No matches found",
    );
    check("codex grep_files", json!({"pattern": "Main"}), "src/a.rs");
    check(
        "codex grep_files",
        json!({"pattern": "nope"}),
        "No matches found.",
    );
    check(
        "gemini grep_search",
        json!({"pattern": "MAIN", "after": 1}),
        "Found 1 match for pattern \"MAIN\" in the working directory:\n---\nFile: src/a.rs\nL1: fn Main() {}\nL2- // end\n---\n",
    );
    check(
        "gemini search_file_content",
        json!({"pattern": "MAIN", "case_sensitive": true, "dir_path": "src", "include_pattern": "*.rs"}),
        "No matches found for pattern \"MAIN\" in path \"src\" (filter: \"*.rs\").",
    );
    check(
        "gemini grep_search",
        json!({"pattern": "n", "exclude_pattern": "end", "names_only": true}),
        "Found 1 files with matches for pattern \"n\" in the working directory:\nsrc/a.rs",
    );
}

#[test]
fn lists_are_answered_in_each_family_s_words() {
    let bench = Bench::with(&[("src/a.rs", "fn Main() {}\n// end\n")]);
    let check = |name: &str, args: Value, expected: &str| {
        assert_eq!(bench.reads(name, args.clone()), expected, "{name} {args}");
    };
    check(
        "claude Glob",
        json!({"pattern": "**/*.rs"}),
        "Found 1 files\nsrc/a.rs",
    );
    check("claude Glob", json!({"pattern": "*.RS"}), "No files found");
    check(
        "gemini glob",
        json!({"pattern": "*.RS"}),
        "Found 1 file(s) matching \"*.RS\" within ., sorted by modification time (newest first):\nsrc/a.rs",
    );
    check(
        "claude LS",
        json!({"path": "."}),
        "- [WORKSPACE]/\n  - src/\n    - a.rs",
    );
    check(
        "codex list_dir",
        json!({"dir_path": "."}),
        "Absolute path: [WORKSPACE]\nsrc/\n  a.rs",
    );
    check(
        "codex list_dir",
        json!({"dir_path": ".", "limit": 1}),
        "Absolute path: [WORKSPACE]\nsrc/\nMore than 1 entries found",
    );
    check(
        "codex list_dir",
        json!({"dir_path": ".", "offset": 2}),
        "Absolute path: [WORKSPACE]\n  a.rs",
    );
    check(
        "gemini list_directory",
        json!({"dir_path": "src"}),
        "Directory listing for src:\na.rs (20 bytes)",
    );
    check(
        "gemini list_directory",
        json!({"dir_path": "."}),
        "Directory listing for .:\n[DIR] src",
    );
}

#[test]
fn ignored_entries_are_counted() {
    let bench = Bench::with(&[(".gitignore", "*.log\n"), ("a.log", "x"), ("b.txt", "x")]);
    let list = |options: Value| {
        bench.reads(
            "gemini list_directory",
            json!({"dir_path": ".", "file_filtering_options": options}),
        )
    };
    assert_eq!(
        list(json!({})),
        "Directory listing for .:\n.gitignore (6 bytes)\nb.txt (1 bytes)\n(1 ignored)"
    );
    assert!(list(json!({"respect_git_ignore": false})).contains("a.log"));
}
