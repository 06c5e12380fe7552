//! Formatting every Rust file of the checkout. `cargo fmt` follows `mod` lines only, and misses modules that a macro
//! declares; here the files themselves are asked for.

use anyhow::Result;

use crate::repo::Repo;
use crate::step::Line;

/// The edition that the workspace is written in.
const EDITION: &str = "2024";

/// Whether files are changed or only looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touch {
    /// They are written anew.
    Write,
    /// A difference is a failure.
    Check,
}

/// Formats every Rust file, or checks that all are formatted.
pub(crate) fn run(repo: &Repo, touch: Touch) -> Result<()> {
    let files = repo.text_files()?;
    let files = files.into_iter().map(|file| file.path);
    line(touch, files.filter(|path| path.ends_with(".rs"))).run(&repo.root)
}

fn line(touch: Touch, files: impl Iterator<Item = String>) -> Line {
    let start = Line::of("rustfmt --edition").and(EDITION);
    let start = match touch {
        Touch::Write => start,
        Touch::Check => start.and("--check"),
    };
    files.fold(start, Line::and)
}

#[cfg(test)]
mod tests {
    use super::{Touch, line};

    #[test]
    fn every_file_is_named() {
        let files = || ["a.rs", "b/c.rs"].map(str::to_owned).into_iter();
        let check = |touch, expected: &str| assert_eq!(line(touch, files()).typed(), expected);
        check(Touch::Write, "rustfmt --edition 2024 a.rs b/c.rs");
        check(Touch::Check, "rustfmt --edition 2024 --check a.rs b/c.rs");
    }
}
