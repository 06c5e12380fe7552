//! `LS`: a tree of dashes.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, Offered, ToolError, Words};

use super::super::{Input, List, Output};
use crate::dialects::CLAUDE;

/// How many levels the family lists.
const DEPTH: u64 = 3;

/// The `LS` face.
pub(crate) struct Claude;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The folder, as an absolute path.
    path: String,
    /// Globs of entries that are left out.
    ignore: Option<Vec<String>>,
}

impl Face<List> for Claude {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        offered: Offered::OnRequest,
        spellings: &[("dir_path", "path"), ("directory", "path")],
        card: Some(
            "Lists what is in a folder, three levels deep, as a tree; 1,000 entries at the most. `ignore` leaves out what its globs name.",
        ),
        ..FaceAbout::new(CLAUDE, "LS")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            path: Some(args.path),
            depth: Some(DEPTH),
            ignore: args.ignore,
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let mut tree = format!("- {}/\n", output.root.display());
        for entry in &output.entries {
            let slash = if entry.marked().ends_with('/') {
                "/"
            } else {
                ""
            };
            tree += &format!("{}- {}{slash}\n", "  ".repeat(entry.depth), entry.name);
        }
        let words = Words::payload(tree.trim_end());
        match output.page.told("entries") {
            Some(told) => words.and_own(format!("\n[{told}.]")),
            None => words,
        }
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<List, Self>(failure)
    }
}
