//! `write_file`.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, ToolError, Words};

use super::super::{Became, Input, Output, Write};
use crate::dialects::GEMINI;

/// The `write_file` face.
pub(crate) struct Gemini;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// The file.
    file_path: String,
    /// All that the file is to hold.
    content: String,
}

impl Face<Write> for Gemini {
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
             to be read with `read_file` before it is overwritten. To change a part of a file, use `replace`.",
        ),
        ..FaceAbout::new(GEMINI, "write_file")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            path: args.file_path,
            content: args.content,
        })
    }

    fn words(output: &Output) -> Words {
        let given = &output.given;
        let told = match output.became {
            Became::Created => format!("Successfully created and wrote to new file: {given}."),
            Became::Overwritten => format!("Successfully overwrote file: {given}."),
            Became::Unchanged => format!("{given} holds exactly this already."),
        };
        Words::own(told + &output.breaks_told())
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Write, Self>(failure)
    }
}
