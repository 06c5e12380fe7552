//! `grep_search`: lines under the name of their file.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, ToolError, Words};
use toolpost_host::HitKind;

use super::super::hits::line_text;
use super::super::{Grep, Input, More, Output, Shown};
use crate::dialects::GEMINI;

/// The `grep_search` face.
pub(crate) struct Gemini;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// A regular expression in Rust's syntax, without look-around.
    pattern: String,
    /// The folder or file to search; the working directory when left out.
    dir_path: Option<String>,
    /// Which files are searched, for example `*.ts`.
    include_pattern: Option<String>,
    /// A regular expression; matching lines that fit it too are left out.
    exclude_pattern: Option<String>,
    /// Whether only the paths of the files are given.
    #[serde(default)]
    names_only: bool,
    /// How many matches of one file are given at the most.
    #[schemars(range(min = 1))]
    max_matches_per_file: Option<u64>,
    /// How many matches are given at the most.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1))]
    total_max_matches: u64,
    /// Whether capital and small letters differ.
    #[serde(default)]
    case_sensitive: bool,
    /// Whether the pattern is the very text that is looked for.
    #[serde(default)]
    fixed_strings: bool,
    /// How many lines around each match are given too.
    context: Option<u32>,
    /// How many lines after each match are given too.
    after: Option<u32>,
    /// How many lines before each match are given too.
    before: Option<u32>,
    /// Whether ignored files are searched too.
    #[serde(default)]
    no_ignore: bool,
}

fn hundred() -> u64 {
    100
}

impl Face<Grep> for Gemini {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        also: &["search_file_content"],
        spellings: &[
            ("path", "dir_path"),
            ("include", "include_pattern"),
            ("glob", "include_pattern"),
            ("literal", "fixed_strings"),
            ("limit", "total_max_matches"),
        ],
        card: Some(
            "Looks for a pattern in files: a regular expression in Rust's syntax, without look-around, capital and small \
             letters being the same unless `case_sensitive` is set. Gives the matching lines under the name of their file, \
             the most recently changed files first, 100 unless `total_max_matches` says otherwise. Hidden and ignored files \
             are left out.",
        ),
        ..FaceAbout::new(GEMINI, "grep_search")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            pattern: args.pattern,
            path: args.dir_path,
            glob: args.include_pattern,
            output: if args.names_only {
                Shown::Files
            } else {
                Shown::Content
            },
            ignore_case: !args.case_sensitive,
            literal: args.fixed_strings,
            before: args.before,
            after: args.after,
            context: args.context,
            limit: Some(args.total_max_matches),
            no_ignore: args.no_ignore,
            more: More {
                except: args.exclude_pattern,
                per_file: args.max_matches_per_file,
                ..More::default()
            },
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let asked = asked(output);
        if output.lines == 0 {
            return Words::own(format!("No matches found for {asked}."));
        }
        let remarks = output.remarks().join(". ");
        let page = output.page.told(output.things()).unwrap_or_default();
        let told: Vec<String> = [page, remarks]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect();
        let tail = if told.is_empty() {
            String::new()
        } else {
            format!("[{}.]", told.join(". "))
        };
        if output.input.output == Shown::Files {
            let head = format!(
                "Found {} files with matches for {asked}:\n",
                output.in_files
            );
            let tail = if tail.is_empty() {
                tail
            } else {
                format!("\n{tail}")
            };
            return Words::own(head).and_payload(output.text()).and_own(tail);
        }
        let mut text = String::new();
        for file in &output.files {
            text += &format!("File: {}\n", file.shown);
            for line in &file.lines {
                let mark = if line.is_match == HitKind::Match {
                    ':'
                } else {
                    '-'
                };
                text += &format!("L{}{mark} {}\n", line.line, line_text(line));
            }
            text += "---\n";
        }
        let plural = if output.lines == 1 {
            "match"
        } else {
            "matches"
        };
        let head = format!("Found {} {plural} for {asked}:\n---\n", output.lines);
        Words::own(head).and_payload(text).and_own(tail)
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<Grep, Self>(failure)
    }
}

/// What was looked for where.
fn asked(output: &Output) -> String {
    let input = &output.input;
    let place = match input.path.as_deref().filter(|path| !path.is_empty()) {
        Some(path) => format!("in path \"{path}\""),
        None => "in the working directory".to_owned(),
    };
    let filter = input
        .glob
        .as_ref()
        .map(|glob| format!(" (filter: \"{glob}\")"));
    format!(
        "pattern \"{}\" {place}{}",
        input.pattern,
        filter.unwrap_or_default()
    )
}
