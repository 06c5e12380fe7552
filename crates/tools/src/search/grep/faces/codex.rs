//! `grep_files`: paths alone.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, Number, Offered, Tone, ToolError, Words};

use super::super::{Grep, Input, Output, Shown};
use crate::dialects::CODEX;
use crate::faces::at_least_one;

/// The most paths that the family asks for.
const CAP: u64 = 2_000;

/// The `grep_files` face.
pub(crate) struct Codex;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// A regular expression in Rust's syntax, without look-around.
    pattern: String,
    /// Which files are searched, for example `*.rs`.
    include: Option<String>,
    /// The file or folder to search; the working directory when left out.
    path: Option<String>,
    /// How many paths are given at the most.
    #[serde(default = "hundred")]
    limit: Number,
}

fn hundred() -> Number {
    Number(100)
}

impl Face<Grep> for Codex {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        offered: Offered::OnRequest,
        spellings: &[
            ("glob", "include"),
            ("include_pattern", "include"),
            ("dir_path", "path"),
            ("head_limit", "limit"),
        ],
        card: Some(
            "Looks for a pattern in files and gives the paths of those that match, the most recently changed first.",
        ),
        ..FaceAbout::new(CODEX, "grep_files")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            pattern: args.pattern,
            path: args.path,
            glob: args.include,
            output: Shown::Files,
            limit: at_least_one("limit", Some(args.limit))?.map(|limit| limit.min(CAP)),
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        if output.in_files == 0 {
            return Words::own("No matches found.").tone(Tone::Error);
        }
        Words::payload(output.text())
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Grep, Self>(failure)
    }
}
