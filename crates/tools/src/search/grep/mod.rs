//! `search.grep`: lines that match a pattern.

mod faces;
mod hits;
mod sight;
mod view;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolpost_core::{
    About, Changes, Claim, Code, Cx, Effects, Faces, Hints, Kind, Look, Plan, Planned, Present,
    Set, Sighting, State, Tool, ToolError, View, Words,
};
use toolpost_host::HitLine;

use crate::blocking;
use crate::looking::page::{self, Page};

/// Looks for text in files.
pub(crate) struct Grep;

/// What to look for where.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// A regular expression in Rust's syntax, without look-around.
    pub(crate) pattern: String,
    /// The file or folder to search; the working directory when left out.
    pub(crate) path: Option<String>,
    /// Which files are searched, for example `*.{ts,tsx}`; `!` in front excludes.
    pub(crate) glob: Option<String>,
    /// A type of files as ripgrep names it, for example `rust`.
    #[serde(rename = "type")]
    pub(crate) file_type: Option<String>,
    /// What is given: the lines, the paths of the files, or how many lines match in each.
    #[serde(default)]
    pub(crate) output: Shown,
    /// Whether capital and small letters are the same.
    #[serde(default)]
    pub(crate) ignore_case: bool,
    /// Whether the pattern is the very text that is looked for.
    #[serde(default)]
    pub(crate) literal: bool,
    /// How many lines before each match are given too.
    pub(crate) before: Option<u32>,
    /// How many lines after each match are given too.
    pub(crate) after: Option<u32>,
    /// How many lines before and after each match are given too.
    pub(crate) context: Option<u32>,
    /// Whether a match may span lines.
    #[serde(default)]
    pub(crate) multiline: bool,
    /// How many matches (or files) are given at the most; 100 when left out.
    #[schemars(range(min = 1))]
    pub(crate) limit: Option<u64>,
    /// How many matches (or files) are passed over first.
    pub(crate) offset: Option<u64>,
    /// Whether hidden files are searched too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Whether files are searched that `.gitignore` and the like name.
    #[serde(default)]
    pub(crate) no_ignore: bool,
    /// What only some families can ask for.
    #[serde(skip)]
    pub(crate) more: More,
}

/// What is given of what was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Shown {
    /// The lines.
    #[default]
    Content,
    /// The paths.
    Files,
    /// The counts.
    Count,
}

/// What only some families can ask for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct More {
    /// Lines that match this too are passed over.
    pub(crate) except: Option<String>,
    /// How many matches of one file are given at the most.
    pub(crate) per_file: Option<u64>,
    /// Whether lines go without their numbers.
    pub(crate) unnumbered: bool,
}

/// A checked call.
pub(crate) struct Ready {
    root: PathBuf,
    input: Input,
}

/// What was found.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// What was asked for.
    pub(crate) input: Input,
    /// The files of this page, the most recently changed first.
    pub(crate) files: Vec<FileFound>,
    /// Which part of the matches (or files) this is.
    pub(crate) page: Page,
    /// How many lines match in all.
    pub(crate) lines: u64,
    /// In how many files.
    pub(crate) in_files: u64,
    /// How many files were binary and not searched to their end.
    pub(crate) skipped_binary: u64,
    /// What could not be read, a sentence each.
    pub(crate) errors: Vec<String>,
    /// What the session has now seen.
    pub(crate) seen: Vec<Sighting>,
}

/// A file with matches.
#[derive(Debug, Clone)]
pub(crate) struct FileFound {
    /// The file as a person writes it.
    pub(crate) shown: String,
    /// The file.
    pub(crate) path: PathBuf,
    /// The lines that are given.
    pub(crate) lines: Vec<HitLine>,
    /// How many lines match.
    pub(crate) total: u64,
}

impl Tool for Grep {
    type Input = Input;
    type Ready = Ready;
    type Output = Output;

    const ABOUT: About<'static> = About {
        kind: Kind::Search,
        hints: Hints::LOOKS,
        budget_chars: 21_000,
        sets: &[Set::Coding, Set::ReadOnly],
        spellings: &[
            ("regex", "pattern"),
            ("query", "pattern"),
            ("dir_path", "path"),
            ("include", "glob"),
            ("include_pattern", "glob"),
            ("output_mode", "output"),
            ("-i", "ignore_case"),
            ("ignoreCase", "ignore_case"),
            ("fixed_strings", "literal"),
            ("-B", "before"),
            ("-A", "after"),
            ("-C", "context"),
            ("head_limit", "limit"),
            ("total_max_matches", "limit"),
        ],
        ..About::new("search.grep", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new()
            .and::<faces::Claude>()
            .and::<faces::Codex>()
            .and::<faces::Gemini>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        if input.pattern.is_empty() {
            return Err(ToolError::new(Code::Invalid, "The pattern is empty."));
        }
        if input.limit == Some(0) {
            return Err(ToolError::new(Code::Invalid, "`limit` is 0."));
        }
        let root = crate::looking::root(look, input.path.as_deref())?;
        let plan = Plan {
            title: format!("Search for {} in {}", input.pattern, look.show(&root)),
            effects: Effects::reads(Claim::tree(&root)),
            ..Plan::default()
        };
        Ok(Planned::Ready(plan, Ready { root, input }))
    }

    async fn run(&self, ready: Ready, cx: &Cx) -> Result<Output, ToolError> {
        let (look, stop) = (cx.look.clone(), cx.stop.clone());
        blocking::apart(move || hits::search(&ready.root, ready.input, &look, &stop)).await?
    }
}

impl Output {
    /// What goes under every page: what is left out, what could not be searched.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut told = Vec::new();
        if self.skipped_binary > 0 {
            told.push(format!(
                "{} binary files were passed over",
                self.skipped_binary
            ));
        }
        told.extend(self.errors.iter().take(3).cloned());
        if self.errors.len() > 3 {
            told.push(format!(
                "{} more places could not be read",
                self.errors.len() - 3
            ));
        }
        told
    }

    /// Whether the pattern may have been meant as it is written.
    pub(super) fn maybe_literal(&self) -> bool {
        self.lines == 0
            && !self.input.literal
            && self
                .input
                .pattern
                .contains(|char| r".^$*+?()[]{}|\".contains(char))
    }

    /// The page as lines of text: `path:line:text`, context with `-`, paths, or `path:count`.
    pub(super) fn text(&self) -> String {
        let lines: Vec<String> = match self.input.output {
            Shown::Content => hits::content(&self.files, &self.input),
            Shown::Files => self.files.iter().map(|file| file.shown.clone()).collect(),
            Shown::Count => {
                let line = |file: &FileFound| format!("{}:{}", file.shown, file.total);
                self.files.iter().map(line).collect()
            }
        };
        lines.join("\n")
    }

    /// What the page counts.
    pub(super) fn things(&self) -> &'static str {
        match self.input.output {
            Shown::Content => "matching lines",
            Shown::Files | Shown::Count => "files with matches",
        }
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        let mut told = Vec::new();
        if self.lines == 0 {
            told.push("No matches".to_owned());
        }
        if self.maybe_literal() {
            told.push("The pattern was read as a regular expression; set literal=true to look for it as it is written".to_owned());
        }
        if let Some(page) = self.page.told(self.things()) {
            let next = self
                .page
                .next()
                .map(|next| format!("; for more, call search.grep with offset={next}"));
            let files = match self.input.output {
                Shown::Content => format!(" in {} files", self.in_files),
                _ => String::new(),
            };
            told.push(format!("{page}{files}{}", next.unwrap_or_default()));
        }
        told.extend(self.remarks());
        page::with_remarks(self.text(), &told)
    }

    fn state(&self) -> State {
        let mut state = State::new();
        let total = match self.input.output {
            Shown::Content => {
                let matches: Vec<_> = self.files.iter().flat_map(hits::places).collect();
                state.insert("matches".to_owned(), matches.into());
                self.lines
            }
            Shown::Files | Shown::Count => {
                let paths: Vec<_> = self.files.iter().map(|file| json!(file.shown)).collect();
                state.insert("paths".to_owned(), paths.into());
                self.in_files
            }
        };
        state.insert("total".to_owned(), total.into());
        state.insert("truncated".to_owned(), self.page.truncated().into());
        state
    }

    fn view(&self) -> View {
        view::of(self)
    }

    fn changes(&self) -> Changes {
        Changes {
            seen: self.seen.clone(),
            ..Changes::default()
        }
    }
}
