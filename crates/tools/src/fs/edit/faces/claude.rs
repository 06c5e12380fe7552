//! `Edit`: answers in JSON text.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, ToolError, Words};

use super::super::{Edit, EmptyOld, Input, Output};
use crate::dialects::CLAUDE;

/// The `Edit` face.
pub(crate) struct Claude;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The file, as an absolute path.
    file_path: String,
    /// The text to be replaced, as it stands in the file.
    old_string: String,
    /// The text that comes in its place; it has to differ.
    new_string: String,
    /// Whether every occurrence is replaced.
    #[serde(default)]
    replace_all: bool,
}

impl Face<Edit> for Claude {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("path", "file_path"),
            ("filePath", "file_path"),
            ("old", "old_string"),
            ("oldText", "old_string"),
            ("oldString", "old_string"),
            ("new", "new_string"),
            ("newText", "new_string"),
            ("newString", "new_string"),
            ("allow_multiple", "replace_all"),
            ("replaceAll", "replace_all"),
        ],
        card: Some(
            "Replaces a text in a file by another one. `old_string` has to be in the file exactly once, with its \
             indentation and without line numbers; add text around it until it is unique, or set `replace_all`. \
             `new_string` is written literally. Everything else in the file stays as it is, line endings and encoding \
             too. When nothing matches, the answer quotes the nearest text.",
        ),
        ..FaceAbout::new(CLAUDE, "Edit")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            path: args.file_path,
            old: args.old_string,
            new: args.new_string,
            replace_all: args.replace_all,
            expected: None,
            empty_old: EmptyOld::Refused,
        })
    }

    fn words(output: &Output) -> Words {
        let message = format!(
            "Successfully replaced {} occurrence{} in {}",
            output.replacements,
            if output.replacements == 1 { "" } else { "s" },
            output.given
        );
        let answer = serde_json::json!({
            "message": message,
            "replacements": output.replacements,
            "startLine": output.start_line,
        });
        Words::own(answer.to_string())
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Edit, Self>(failure)
    }
}
