//! `read_file`: a range of lines from 1, both ends included; bare text.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Code, Face, FaceAbout, Failure, Present as _, ToolError, Words};

use super::super::pages::Paging as _;
use super::super::{Input, Output, Read};
use crate::dialects::GEMINI;

/// The `read_file` face.
pub(crate) struct Gemini;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// The file.
    file_path: String,
    /// The number of the first line, counted from 1.
    #[schemars(range(min = 1))]
    start_line: Option<i64>,
    /// The number of the last line, counted from 1 and read too.
    #[schemars(range(min = 1))]
    end_line: Option<i64>,
}

impl Face<Read> for Gemini {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("path", "file_path"),
            ("absolute_path", "file_path"),
            ("filePath", "file_path"),
        ],
        card: Some(
            "Reads a text file: up to 2,000 lines and 30,000 characters, lines cut at 2,000 characters. `start_line` and \
             `end_line` (counted from 1, both included) choose a part of a long file. Folders and binary files are told, \
             not read.",
        ),
        ..FaceAbout::new(GEMINI, "read_file")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        let start = args.start_line.unwrap_or(1);
        let limit = match args.end_line {
            Some(end) if start >= 1 && end >= start => Some((end - start).unsigned_abs() + 1),
            Some(_) => {
                let fact = "`end_line` lies before `start_line`.";
                return Err(ToolError::new(Code::Invalid, fact));
            }
            None if start < 1 => {
                return Err(ToolError::new(
                    Code::Invalid,
                    "`start_line` is less than 1.",
                ));
            }
            None => None,
        };
        Ok(Input {
            path: args.file_path,
            offset: Some(start),
            limit,
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let Some(page) = output.page() else {
            return output.words();
        };
        let text = page.rendered(|_, text| text.to_owned(), "... [truncated]");
        let Some(next) = page.next_line() else {
            return Words::payload(text);
        };
        let head = format!(
            "The file content has been truncated.\nStatus: Showing lines {}-{} of {} total lines.\nAction: Read on with \
             start_line = {next}.\n\n--- FILE CONTENT (truncated) ---\n",
            page.first + 1,
            next - 1,
            page.total_lines
        );
        Words::own(head).and_payload(text)
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Read, Self>(failure)
    }
}

#[cfg(test)]
mod tests {
    use super::{Args, Gemini, Read};
    use toolpost_core::Face;

    #[test]
    fn both_ends_are_read() {
        let check = |start_line, end_line, expected: Option<(i64, Option<u64>)>| {
            let args = Args {
                file_path: "a".to_owned(),
                start_line,
                end_line,
            };
            let input = <Gemini as Face<Read>>::input(args).ok();
            assert_eq!(
                input.map(|input| (input.offset.unwrap(), input.limit)),
                expected,
                "{start_line:?}–{end_line:?}"
            );
        };
        check(None, None, Some((1, None)));
        check(Some(1), Some(1), Some((1, Some(1))));
        check(Some(3), Some(5), Some((3, Some(3))));
        check(None, Some(5), Some((1, Some(5))));
        check(Some(5), Some(3), None);
        check(Some(0), None, None);
    }
}
