//! `list_dir`: entries from 1, two levels deep.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, Number, Offered, ToolError, Words};

use super::super::{Input, List, Output};
use crate::dialects::CODEX;
use crate::faces::at_least_one;

/// The `list_dir` face.
pub(crate) struct Codex;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The folder, as an absolute path.
    dir_path: String,
    /// The number of the first entry, counted from 1.
    #[serde(default = "first")]
    offset: Number,
    /// How many entries are given at the most.
    #[serde(default = "page")]
    limit: Number,
    /// How many levels are listed.
    #[serde(default = "two_levels")]
    depth: Number,
}

fn first() -> Number {
    Number(1)
}

fn page() -> Number {
    Number(25)
}

fn two_levels() -> Number {
    Number(2)
}

impl Face<List> for Codex {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        offered: Offered::OnRequest,
        spellings: &[("path", "dir_path"), ("directory", "dir_path")],
        card: Some(
            "Lists what is in a folder, two levels deep, each level indented by two blanks: `/` marks a folder, `@` a link, `?` anything else but a file.",
        ),
        ..FaceAbout::new(CODEX, "list_dir")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            path: Some(args.dir_path),
            offset: at_least_one("offset", Some(args.offset))?.map(|offset| offset - 1),
            limit: at_least_one("limit", Some(args.limit))?,
            depth: at_least_one("depth", Some(args.depth))?,
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let head = format!("Absolute path: {}\n", output.root.display());
        let line = |entry: &super::super::Entry| {
            let indent = "  ".repeat(entry.depth.saturating_sub(1));
            format!("{indent}{}", entry.marked())
        };
        let lines: Vec<String> = output.entries.iter().map(line).collect();
        let words = Words::own(head).and_payload(lines.join("\n"));
        match output.page.next() {
            Some(_) => words.and_own(format!("\nMore than {} entries found", output.page.count())),
            None => words,
        }
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<List, Self>(failure)
    }
}
