//! `read_file`: lines from 1, `LN: text`.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Code, Face, FaceAbout, Failure, Number, Offered, ToolError, Words};

use super::super::{Input, Output, Read};
use crate::dialects::CODEX;
use crate::faces::at_least_one;

/// How many characters of a line the family gives.
const LINE_CHARS: usize = 500;

/// The `read_file` face.
pub(crate) struct Codex;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The file, as an absolute path.
    file_path: String,
    /// The number of the first line, counted from 1.
    #[serde(default = "first")]
    offset: Number,
    /// How many lines to read.
    #[serde(default = "many")]
    limit: Number,
}

fn first() -> Number {
    Number(1)
}

fn many() -> Number {
    Number(2_000)
}

impl Face<Read> for Codex {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        offered: Offered::OnRequest,
        spellings: &[("path", "file_path"), ("absolute_path", "file_path")],
        card: Some(
            "Reads a text file and gives its lines as `L<number>: text`, counted from 1. `offset` and `limit` choose a part.",
        ),
        ..FaceAbout::new(CODEX, "read_file")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        let offset = at_least_one("offset", Some(args.offset))?;
        Ok(Input {
            path: args.file_path,
            offset: offset
                .map(i64::try_from)
                .transpose()
                .map_err(|_| ToolError::new(Code::Invalid, "`offset` is too large."))?,
            limit: at_least_one("limit", Some(args.limit))?,
            line_chars: Some(LINE_CHARS),
        })
    }

    fn words(output: &Output) -> Words {
        if output.page.total_lines == 0 {
            return Words::own("[The file is empty.]");
        }
        let lines = output.rendered(|number, text| format!("L{number}: {text}"), "");
        let words = Words::payload(lines);
        match output.next_line() {
            Some(next) => words.and_own(format!(
                "\n[{} lines in all; read on with offset {next}.]",
                output.page.total_lines
            )),
            None => words,
        }
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Read, Self>(failure)
    }
}
