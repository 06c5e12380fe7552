//! `Read`: lines from 1, `N⇥text`.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, Number, Present as _, ToolError, Words};

use super::super::pages::Paging as _;
use super::super::{Input, Output, Read};
use crate::dialects::CLAUDE;
use crate::faces::count;

/// The `Read` face.
pub(crate) struct Claude;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The file, as an absolute path.
    file_path: String,
    /// The number of the first line, counted from 1.
    offset: Option<Number>,
    /// How many lines to read.
    limit: Option<Number>,
}

impl Face<Read> for Claude {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("path", "file_path"),
            ("filePath", "file_path"),
            ("absolute_path", "file_path"),
        ],
        card: Some(
            "Reads a text file and gives its lines as `number<TAB>text`, counted from 1: up to 2,000 lines and 30,000 \
             characters, lines cut at 2,000 characters. `offset` and `limit` choose a part of a long file. Folders and \
             binary files are told, not read. Read a file before you overwrite it.",
        ),
        ..FaceAbout::new(CLAUDE, "Read")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            path: args.file_path,
            offset: args.offset.map(|number| number.0),
            limit: count("limit", args.limit)?,
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let Some(page) = output.page() else {
            return output.words();
        };
        if page.total_lines == 0 {
            return Words::own(
                "<system-reminder>The file exists, but it is empty.</system-reminder>",
            );
        }
        let lines = page.rendered(
            |number, text| format!("{number}\t{text}"),
            "... [line truncated]",
        );
        let mut words = Words::payload(lines);
        if let Some(next) = page.next_line() {
            words = words.and_own(format!(
                "\n[File truncated: showing lines {}-{} of {} total lines. Use offset and limit to read on, from offset {next}.]",
                page.first + 1,
                next - 1,
                page.total_lines
            ));
        }
        if page.cuts_lines() {
            words = words.and_own("\n[Some lines exceeded 2,000 characters and were cut.]");
        }
        words
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Read, Self>(failure)
    }
}
