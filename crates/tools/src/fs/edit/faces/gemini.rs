//! `replace`: an empty `old_string` creates a file.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, ToolError, Words};

use super::super::{Edit, EmptyOld, Input, Output};
use crate::dialects::GEMINI;

/// How many lines the family shows around a change.
const CONTEXT_LINES: u64 = 5;

/// The `replace` face.
pub(crate) struct Gemini;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// The file.
    file_path: String,
    /// What the change is for, in a sentence.
    #[schemars(required)]
    #[expect(dead_code, reason = "a word for people; nothing depends on it")]
    instruction: Option<String>,
    /// The text to be replaced, as it stands in the file; empty to create the file.
    old_string: String,
    /// The text that comes in its place.
    new_string: String,
    /// Whether every occurrence is replaced.
    #[serde(default)]
    allow_multiple: bool,
}

impl Face<Edit> for Gemini {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("path", "file_path"),
            ("filePath", "file_path"),
            ("absolute_path", "file_path"),
            ("old", "old_string"),
            ("oldText", "old_string"),
            ("new", "new_string"),
            ("newText", "new_string"),
            ("replace_all", "allow_multiple"),
        ],
        courtesy: &["instruction"],
        card: Some(
            "Replaces a text in a file by another one. `old_string` has to be in the file exactly once, with its \
             indentation; add text around it until it is unique, or set `allow_multiple`. `new_string` is written \
             literally. Everything else in the file stays as it is. An empty `old_string` creates a file that is not \
             there yet. When nothing matches, the answer quotes the nearest text.",
        ),
        ..FaceAbout::new(GEMINI, "replace")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            path: args.file_path,
            old: args.old_string,
            new: args.new_string,
            replace_all: args.allow_multiple,
            expected: None,
            empty_old: EmptyOld::Creates,
        })
    }

    fn words(output: &Output) -> Words {
        let told = match output.replacements {
            0 => format!("Created new file: {} with provided content.", output.given),
            count => format!(
                "Successfully modified file: {} ({count} replacements).",
                output.given
            ),
        };
        let code = output.snippet_text(CONTEXT_LINES);
        Words::own(format!("{told}\nHere is the updated code:\n")).and_payload(code)
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Edit, Self>(failure)
    }
}
