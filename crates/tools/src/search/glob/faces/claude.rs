//! `Glob`.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, ToolError, Words};

use super::super::{Glob, Input, Output};
use crate::dialects::CLAUDE;

/// The `Glob` face.
pub(crate) struct Claude;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// A glob, for example `src/**/*.{ts,tsx}`.
    pattern: String,
    /// The folder to look in; the working directory when left out.
    path: Option<String>,
}

impl Face<Glob> for Claude {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[("glob", "pattern"), ("dir_path", "path")],
        card: Some(
            "Finds files by name and gives their paths, the most recently changed first, 1,000 at the most. `*` stays \
             within a folder, `**` goes through folders; a pattern without a slash finds names at any depth. Hidden and \
             ignored files are left out unless the pattern names them.",
        ),
        ..FaceAbout::new(CLAUDE, "Glob")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            pattern: args.pattern,
            path: args.path,
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        if output.page.total == 0 {
            return Words::own("No files found");
        }
        let shown = if output.page.truncated() {
            format!(" (showing {})", output.page.count())
        } else {
            String::new()
        };
        Words::own(format!("Found {} files{shown}\n", output.page.total)).and_payload(output.text())
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Glob, Self>(failure)
    }
}
