//! `toolpost demo` as a newcomer runs it.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "this test starts the built binary and looks at what it leaves behind"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BEFORE: &str = "    echo \"$part\"\n";
const AFTER: &str = "    echo \"${part#0}\"\n";

/// A home and a folder for temporary files that nobody else uses.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(home.temporary()).unwrap();
        home
    }

    fn temporary(&self) -> PathBuf {
        self.0.path().join("tmp")
    }

    fn demo(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_toolpost"))
            .arg("demo")
            .args(args)
            .env_clear()
            .env("PATH", env!("PATH"))
            .env("HOME", self.0.path())
            .env("TOOLPOST_HOME", self.0.path().join("toolpost"))
            .env("TMPDIR", self.temporary())
            .output()
            .unwrap()
    }
}

/// What was printed, once the demo has ended well.
fn printed(output: &Output) -> String {
    let printed = String::from_utf8(output.stdout.clone()).unwrap();
    let notes = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{printed}{notes}");
    printed
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = entries
        .map(|entry| name(entry).into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

/// The text without how long anything took.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(" · ") {
        Some((before, time)) if time.ends_with(" ms") || time.ends_with(" s") => before.to_owned(),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn all_families_mend_the_project_and_leave_nothing_behind() {
    let home = Home::new();
    let text = printed(&home.demo(&[]));
    for line in [
        "✓ claude   5 turns, 8 calls, 12 of 12 checks pass",
        "✓ codex    5 turns, 8 calls, 12 of 12 checks pass",
        "✓ gemini   6 turns, 8 calls, 12 of 12 checks pass",
        "✓ The 3 families left the same 6 files, byte for byte.",
        "│ not ok 8 - Women's Day is day 67",
        "│ ok 8 - Women's Day is day 67",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "{text}");
    let temporary = home.temporary();
    assert!(!text.contains(temporary.to_str().unwrap()), "{text}");
    assert_eq!(names(&temporary), Vec::<String>::new());
    assert_eq!(names(home.0.path()), ["tmp"]);
}

#[test]
fn what_it_prints_is_the_same_each_time() {
    let home = Home::new();
    let play = || without_times(&printed(&home.demo(&[])));
    let once = play();
    assert_eq!(once, play());
}

#[test]
fn the_folder_can_be_kept() {
    let home = Home::new();
    let output = home.demo(&["codex", "--keep"]);
    printed(&output);
    let kept = names(&home.temporary());
    assert_eq!(kept.len(), 1, "{kept:?}");
    let kept = home.temporary().join(&kept[0]);
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains(kept.to_str().unwrap()), "{notes}");
    assert_eq!(names(&kept), ["codex", "state"]);
    let mended = std::fs::read_to_string(kept.join("codex/almanac/lib/parse.sh")).unwrap();
    assert!(
        mended.contains(AFTER) && !mended.contains(BEFORE),
        "{mended}"
    );
}

#[test]
fn a_family_must_be_one_of_the_three() {
    let home = Home::new();
    let output = home.demo(&["qwen"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("claude, codex, gemini"));
}
