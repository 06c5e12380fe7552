//! `glob`: capital and small letters are the same unless said otherwise.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, ToolError, Words};

use super::super::{Glob, Input, Output};
use crate::dialects::GEMINI;

/// The `glob` face.
pub(crate) struct Gemini;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// A glob, for example `src/**/*.ts`.
    pattern: String,
    /// The folder to look in; the working directory when left out.
    dir_path: Option<String>,
    /// Whether capital and small letters differ.
    #[serde(default)]
    case_sensitive: bool,
    /// Whether files are left out that `.gitignore` names.
    #[serde(default = "yes")]
    respect_git_ignore: bool,
    /// Whether files are left out that ignore files of other tools name.
    #[serde(default = "yes")]
    respect_gemini_ignore: bool,
}

fn yes() -> bool {
    true
}

impl Face<Glob> for Gemini {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[("path", "dir_path"), ("glob", "pattern")],
        card: Some(
            "Finds files by name and gives their paths, the most recently changed first, 1,000 at the most. `*` stays \
             within a folder, `**` goes through folders; a pattern without a slash finds names at any depth. Hidden and \
             ignored files are left out unless the pattern names them.",
        ),
        ..FaceAbout::new(GEMINI, "glob")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            pattern: args.pattern,
            path: args.dir_path,
            ignore_case: !args.case_sensitive,
            no_ignore: !(args.respect_git_ignore && args.respect_gemini_ignore),
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let asked = format!("matching \"{}\" within {}", output.pattern, output.root);
        if output.page.total == 0 {
            return Words::own(format!("No files found {asked}."));
        }
        let shown = if output.page.truncated() {
            format!(" (showing {})", output.page.count())
        } else {
            String::new()
        };
        let head = format!(
            "Found {} file(s) {asked}, sorted by modification time (newest first){shown}:\n",
            output.page.total
        );
        Words::own(head).and_payload(output.text())
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Glob, Self>(failure)
    }
}
