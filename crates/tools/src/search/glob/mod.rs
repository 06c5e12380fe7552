//! `search.glob`: files by name.

mod faces;
mod names;
mod view;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{
    About, Claim, Code, Cx, Effects, Faces, Hints, Kind, Look, Plan, Planned, Present, Set, State,
    Tool, ToolError, View, Words,
};

use crate::blocking;
use crate::looking::page::{self, Page};

/// Finds files by name.
pub(crate) struct Glob;

/// Which files to find where.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// A glob, for example `src/**/*.{ts,tsx}`. One without a slash finds names at any depth.
    pub(crate) pattern: String,
    /// The folder to look in; the working directory when left out.
    pub(crate) path: Option<String>,
    /// How many paths are given at the most; 1,000 when left out.
    #[schemars(range(min = 1))]
    pub(crate) limit: Option<u64>,
    /// How many paths are passed over first.
    pub(crate) offset: Option<u64>,
    /// Whether hidden files are found too. A pattern that names them finds them anyway.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Whether files are found that `.gitignore` and the like name.
    #[serde(default)]
    pub(crate) no_ignore: bool,
    /// Whether capital and small letters are the same, where a family can ask for it.
    #[serde(skip)]
    pub(crate) ignore_case: bool,
}

/// A checked call.
pub(crate) struct Ready {
    root: PathBuf,
    pattern: String,
    input: Input,
}

/// What was found.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The pattern as it was asked for.
    pub(crate) pattern: String,
    /// The folder that was looked in, as a person writes it.
    pub(crate) root: String,
    /// The paths of this page as a person writes them, the most recently changed first.
    pub(crate) paths: Vec<String>,
    /// Which part of all paths this is.
    pub(crate) page: Page,
}

impl Tool for Glob {
    type Input = Input;
    type Ready = Ready;
    type Output = Output;

    const ABOUT: About<'static> = About {
        kind: Kind::Search,
        hints: Hints::LOOKS,
        sets: &[Set::Coding, Set::ReadOnly],
        spellings: &[
            ("glob", "pattern"),
            ("glob_pattern", "pattern"),
            ("dir_path", "path"),
        ],
        ..About::new("search.glob", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new().and::<faces::Claude>().and::<faces::Gemini>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        if input.pattern.is_empty() {
            return Err(ToolError::new(Code::Invalid, "The pattern is empty."));
        }
        if input.limit == Some(0) {
            return Err(ToolError::new(Code::Invalid, "`limit` is 0."));
        }
        let (folder, pattern) = names::split(&input.pattern, input.path.as_deref());
        let root = crate::looking::root(look, folder.as_deref())?;
        let plan = Plan {
            title: format!("Find {} in {}", pattern, look.show(&root)),
            effects: Effects::reads(Claim::tree(&root)),
            ..Plan::default()
        };
        let ready = Ready {
            root,
            pattern,
            input,
        };
        Ok(Planned::Ready(plan, ready))
    }

    async fn run(&self, ready: Ready, cx: &Cx) -> Result<Output, ToolError> {
        let (look, stop) = (cx.look.clone(), cx.stop.clone());
        blocking::apart(move || names::find(ready, &look, &stop)).await?
    }
}

impl Output {
    /// The paths, one a line.
    pub(super) fn text(&self) -> String {
        self.paths.join("\n")
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        if self.page.total == 0 {
            return Words::own(format!("[No files match `{}`.]", self.pattern));
        }
        let told = self.page.told("paths");
        let next = self
            .page
            .next()
            .map(|next| format!("; for more, call search.glob with offset={next}"));
        let remarks = told.map(|told| told + &next.unwrap_or_default());
        page::with_remarks(self.text(), remarks.as_slice())
    }

    fn state(&self) -> State {
        let mut state = State::new();
        state.insert("paths".to_owned(), self.paths.clone().into());
        state.insert("total".to_owned(), self.page.total.into());
        state.insert("truncated".to_owned(), self.page.truncated().into());
        state
    }

    fn view(&self) -> View {
        view::of(self)
    }
}
