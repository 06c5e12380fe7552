//! `Write`.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, ToolError, Words};

use super::super::{Input, Output, Write};
use crate::dialects::CLAUDE;

/// The `Write` face.
pub(crate) struct Claude;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The file, as an absolute path.
    file_path: String,
    /// All that the file is to hold.
    content: String,
}

impl Face<Write> for Claude {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("path", "file_path"),
            ("filePath", "file_path"),
            ("absolute_path", "file_path"),
            ("contents", "content"),
            ("text", "content"),
        ],
        card: Some(
            "Gives a file a content as a whole, literally; folders on the way are made. A file that is there already has \
             to be read with `Read` before it is overwritten. To change a part of a file, use `Edit`.",
        ),
        ..FaceAbout::new(CLAUDE, "Write")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            path: args.file_path,
            content: args.content,
        })
    }

    fn words(output: &Output) -> Words {
        let told = format!(
            "Successfully wrote {} characters to {}",
            output.chars, output.given
        );
        let breaks = output.breaks_told();
        let stop = if breaks.is_empty() { "" } else { "." };
        Words::own(told + stop + &breaks)
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Write, Self>(failure)
    }
}
