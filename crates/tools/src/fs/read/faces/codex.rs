//! `read_file`: lines from 1, `LN: text`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpost_core::{
    Code, Face, FaceAbout, Failure, Number, Offered, Present as _, ToolError, Words,
};

use super::super::pages::Paging as _;
use super::super::{Header, Input, Output, Read, Shape, Siblings};
use crate::dialects::CODEX;
use crate::faces::{at_least_one, count};

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
    /// What is given: lines from `offset` on, or the block around a line by its indentation.
    #[serde(default)]
    mode: Mode,
    /// Which block, for the mode `indentation`.
    indentation: Option<Indentation>,
}

/// What the family can ask for.
#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Mode {
    #[default]
    Slice,
    Indentation,
}

/// Which block is meant.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Indentation {
    /// The line whose block is given, counted from 1; `offset` when left out.
    anchor_line: Option<Number>,
    /// How many levels outward; 0 for all.
    max_levels: Option<Number>,
    /// Whether the blocks beside it are given too.
    #[serde(default)]
    include_siblings: bool,
    /// Whether the comments above it are given too; they are when left out.
    include_header: Option<bool>,
    /// How many lines at the most.
    max_lines: Option<Number>,
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
            "Reads a text file and gives its lines as `L<number>: text`, counted from 1. `offset` and `limit` choose a part; the \
             mode `indentation` gives the block around a line.",
        ),
        ..FaceAbout::new(CODEX, "read_file")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        let offset = at_least_one("offset", Some(args.offset))?;
        let limit = at_least_one("limit", Some(args.limit))?;
        let input = Input {
            path: args.file_path,
            line_chars: Some(LINE_CHARS),
            ..Input::default()
        };
        if args.mode == Mode::Slice {
            let offset = offset
                .map(i64::try_from)
                .transpose()
                .map_err(|_| ToolError::new(Code::Invalid, "`offset` is too large."))?;
            return Ok(Input {
                offset,
                limit,
                ..input
            });
        }
        let block = args.indentation.unwrap_or_default();
        let lines = at_least_one("max_lines", block.max_lines)?;
        Ok(Input {
            mode: super::super::Mode::Block,
            anchor: at_least_one("anchor_line", block.anchor_line)?.or(offset),
            limit: lines.or(limit),
            shape: Shape {
                levels: count("max_levels", block.max_levels)?.unwrap_or(0),
                siblings: if block.include_siblings {
                    Siblings::Included
                } else {
                    Siblings::Left
                },
                header: if block.include_header.unwrap_or(true) {
                    Header::Included
                } else {
                    Header::Left
                },
            },
            ..input
        })
    }

    fn words(output: &Output) -> Words {
        let Some(page) = output.page() else {
            return output.words();
        };
        if page.total_lines == 0 {
            return Words::own("[The file is empty.]");
        }
        let lines = page.rendered(|number, text| format!("L{number}: {text}"), "");
        let words = Words::payload(lines);
        match page.next_line() {
            Some(next) => words.and_own(format!(
                "\n[{} lines in all; read on with offset {next}.]",
                page.total_lines
            )),
            None => words,
        }
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Read, Self>(failure)
    }
}
