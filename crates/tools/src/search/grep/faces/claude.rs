//! `Grep`: paths unless asked for lines.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Code, Face, FaceAbout, Failure, Number, ToolError, Words};

use super::super::{Grep, Input, More, Output, Shown};
use crate::dialects::CLAUDE;
use crate::faces::count;

/// The `Grep` face.
pub(crate) struct Claude;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// A regular expression in Rust's syntax, without look-around.
    pattern: String,
    /// The file or folder to search; the working directory when left out.
    path: Option<String>,
    /// Which files are searched, for example `*.{ts,tsx}`.
    glob: Option<String>,
    /// What is given: matching lines, paths (unless said otherwise), or counts.
    output_mode: Option<Mode>,
    /// How many lines before each match are given too.
    #[serde(rename = "-B")]
    before: Option<Number>,
    /// How many lines after each match are given too.
    #[serde(rename = "-A")]
    after: Option<Number>,
    /// How many lines around each match are given too.
    #[serde(rename = "-C")]
    around: Option<Number>,
    /// The same as -C.
    context: Option<Number>,
    /// Whether lines have their numbers; they do unless said otherwise.
    #[serde(rename = "-n")]
    numbers: Option<bool>,
    /// Whether capital and small letters are the same.
    #[serde(rename = "-i")]
    ignore_case: Option<bool>,
    /// A type of files as ripgrep names it, for example `rust`.
    #[serde(rename = "type")]
    file_type: Option<String>,
    /// How many lines or files are given at the most; 100 when left out, 0 for as many as fit.
    head_limit: Option<Number>,
    /// How many lines or files are passed over first.
    offset: Option<Number>,
    /// Whether a match may span lines.
    multiline: Option<bool>,
}

/// What is given.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Mode {
    Content,
    FilesWithMatches,
    Count,
}

impl Face<Grep> for Claude {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("dir_path", "path"),
            ("include", "glob"),
            ("include_pattern", "glob"),
            ("output", "output_mode"),
            ("ignore_case", "-i"),
            ("before", "-B"),
            ("after", "-A"),
            ("limit", "head_limit"),
        ],
        card: Some(
            "Looks for a pattern in files: a regular expression in Rust's syntax, without look-around. Gives the paths of \
             the files, the most recently changed first; with `output_mode` `content` the matching lines, with `count` \
             their number in each file. Hidden and ignored files are left out.",
        ),
        ..FaceAbout::new(CLAUDE, "Grep")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        let limit = match args.head_limit {
            Some(Number(0)) => Some(u64::MAX),
            other => count("head_limit", other)?,
        };
        Ok(Input {
            pattern: args.pattern,
            path: args.path,
            glob: args.glob,
            file_type: args.file_type,
            output: match args.output_mode {
                Some(Mode::Content) => Shown::Content,
                Some(Mode::Count) => Shown::Count,
                Some(Mode::FilesWithMatches) | None => Shown::Files,
            },
            ignore_case: args.ignore_case.unwrap_or_default(),
            before: lines("-B", args.before)?,
            after: lines("-A", args.after)?,
            context: lines("-C", args.around.or(args.context))?,
            multiline: args.multiline.unwrap_or_default(),
            limit,
            offset: count("offset", args.offset)?,
            more: More {
                unnumbered: args.numbers == Some(false),
                ..More::default()
            },
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let shown = match output.page.next() {
            Some(next) => format!(
                " (showing {}; go on with offset {next})",
                output.page.count()
            ),
            None => String::new(),
        };
        let remarks = output.remarks().join(". ");
        let remarks = if remarks.is_empty() {
            remarks
        } else {
            format!("\n[{remarks}.]")
        };
        let found = output.in_files;
        let literal = if output.maybe_literal() {
            " for this regular expression; escape its special characters to look for the literal text"
        } else {
            ""
        };
        match output.input.output {
            Shown::Files if found == 0 => Words::own(format!("No files found{literal}{remarks}")),
            Shown::Content | Shown::Count if found == 0 => {
                Words::own(format!("No matches found{literal}{remarks}"))
            }
            Shown::Files => Words::own(format!("Found {found} files{shown}\n"))
                .and_payload(output.text())
                .and_own(remarks),
            Shown::Count => Words::payload(output.text()).and_own(format!(
                "\nFound {} total occurrences across {found} files.{shown}{remarks}",
                output.lines
            )),
            Shown::Content => {
                let told = output
                    .page
                    .told("matching lines")
                    .map(|told| format!("\n[{told}{shown}]"));
                Words::payload(output.text()).and_own(told.unwrap_or_default() + &remarks)
            }
        }
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Grep, Self>(failure)
    }
}

fn lines(name: &str, number: Option<Number>) -> Result<Option<u32>, ToolError> {
    let Some(lines) = count(name, number)? else {
        return Ok(None);
    };
    u32::try_from(lines)
        .map(Some)
        .map_err(|_| ToolError::new(Code::Invalid, format!("`{name}` is too large.")))
}
