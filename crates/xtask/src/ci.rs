//! Everything that must hold, in steps, stopping at the first that does not.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Result;

use crate::format::{self, Touch};
use crate::repo::Repo;
use crate::step::{Line, seconds, step};
use crate::tidy;

/// Runs every step.
pub(crate) fn run(repo: &Repo) -> Result<()> {
    let start = Instant::now();
    let format = || format::run(repo, Touch::Check);
    step("format", "cargo xtask fmt", format)?;
    for (name, line) in commands(repo)? {
        step(name, &line.typed(), || line.run(&repo.root))?;
    }
    tidy::steps(repo)?;
    println!("ci: everything passed in {}", seconds(start.elapsed()));
    Ok(())
}

fn commands(repo: &Repo) -> Result<Vec<(&'static str, Line)>> {
    let mut all = vec![
        (
            "clippy",
            Line::of("cargo clippy --workspace --all-targets -- -D warnings"),
        ),
        ("tests", tests(&repo.root)),
    ];
    match doc_tests(repo)? {
        Some(line) => all.push(("doc tests", line)),
        None => println!("── doc tests: skipped, no crate has any"),
    }
    let docs = Line::of("cargo doc --workspace --no-deps").with("RUSTDOCFLAGS", "-D warnings");
    all.push(("docs", docs));
    Ok(all)
}

/// The tests, by nextest where it is installed.
fn tests(folder: &Path) -> Line {
    let asked = Command::new("cargo")
        .args(["nextest", "--version"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    match asked {
        Ok(answer) if answer.status.success() => Line::of("cargo nextest run --workspace"),
        _ => Line::of("cargo test --workspace --lib --bins --tests --examples"),
    }
}

/// The doc tests of the crates that have some.
fn doc_tests(repo: &Repo) -> Result<Option<Line>> {
    let mut rooms: Vec<String> = repo
        .text_files()?
        .iter()
        .filter(|file| file.path.ends_with(".rs") && file.path.contains("/src/"))
        .filter(|file| has_example(&file.text))
        .filter_map(|file| {
            Some(
                file.path
                    .strip_prefix("crates/")?
                    .split('/')
                    .next()?
                    .to_owned(),
            )
        })
        .filter(|room| repo.join(&format!("crates/{room}/src/lib.rs")).is_file())
        .collect();
    rooms.dedup();
    if rooms.is_empty() {
        return Ok(None);
    }
    let line = rooms
        .into_iter()
        .fold(Line::of("cargo test --doc"), |line, room| {
            line.and("--package").and(package(&room))
        });
    Ok(Some(line))
}

fn package(room: &str) -> String {
    match room {
        "toolpost" | "xtask" => room.to_owned(),
        room => format!("toolpost-{room}"),
    }
}

/// Whether the documentation holds an example: an opening fence that is not marked as something else than Rust.
fn has_example(text: &str) -> bool {
    let mut inside = false;
    text.lines().any(|line| {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or(line.strip_prefix("//!"));
        let Some(mark) = comment.and_then(|comment| comment.trim_start().strip_prefix("```"))
        else {
            return false;
        };
        inside = !inside;
        let rust = ["", "rust", "no_run", "should_panic", "compile_fail"];
        inside && mark.split(',').all(|word| rust.contains(&word.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::{has_example, package};

    #[test]
    fn examples_are_told_from_other_fences() {
        let check = |text: &str, expected: bool| assert_eq!(has_example(text), expected, "{text}");
        check("/// ```\n/// a();\n/// ```\n", true);
        check("//! ```rust,no_run\n//! ```\n", true);
        check("/// ```text\n/// a\n/// ```\n", false);
        check("/// ```json\n/// ```\n/// ```\n/// ```\n", true);
        check("// ```\n// ```\nfn a() {}\n", false);
    }

    #[test]
    fn packages_are_named_like_their_folders() {
        assert_eq!(package("core"), "toolpost-core");
        assert_eq!(package("toolpost"), "toolpost");
    }
}
