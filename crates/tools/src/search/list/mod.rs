//! `search.list`: what is in a folder.

mod entries;
mod faces;
mod view;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{
    About, Claim, Code, Cx, Effects, Faces, Hints, Kind, Look, Plan, Planned, Present, Set, State,
    Tool, ToolError, View, Words,
};
use toolpost_host::EntryKind;

use crate::blocking;
use crate::looking::page::{self, Page};

/// Lists a folder.
pub(crate) struct List;

/// Which folder to list how.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The folder; the working directory when left out.
    pub(crate) path: Option<String>,
    /// How many levels are listed; 1 when left out.
    #[schemars(range(min = 1))]
    pub(crate) depth: Option<u64>,
    /// Globs of entries that are left out.
    pub(crate) ignore: Option<Vec<String>>,
    /// How many entries are given at the most; 1,000 when left out.
    #[schemars(range(min = 1))]
    pub(crate) limit: Option<u64>,
    /// How many entries are passed over first.
    pub(crate) offset: Option<u64>,
    /// Which entries a family leaves out on its own.
    #[serde(skip)]
    pub(crate) ignored: IgnoredEntries,
}

/// What is done with entries that `.gitignore` and the like name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum IgnoredEntries {
    /// They are listed.
    #[default]
    Listed,
    /// They are counted.
    Counted,
}

/// A checked call.
pub(crate) struct Ready {
    root: PathBuf,
    input: Input,
}

/// What is there.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The folder as a person writes it.
    pub(crate) shown: String,
    /// The folder.
    pub(crate) root: PathBuf,
    /// The entries of this page, a folder's own right after it.
    pub(crate) entries: Vec<Entry>,
    /// Which part of all entries this is.
    pub(crate) page: Page,
    /// How many entries were left out because an ignore file names them.
    pub(crate) left_out: u64,
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name.
    pub(crate) name: String,
    /// Its path as a person writes it.
    pub(crate) shown: String,
    /// How deep it lies, from 1.
    pub(crate) depth: usize,
    /// What it is.
    pub(crate) kind: EntryKind,
    /// How many bytes it holds.
    pub(crate) size: u64,
    /// How many entries it holds, where they are not listed.
    pub(crate) children: Option<u64>,
}

impl Tool for List {
    type Input = Input;
    type Ready = Ready;
    type Output = Output;

    const ABOUT: About<'static> = About {
        kind: Kind::Search,
        hints: Hints::LOOKS,
        sets: &[Set::Coding, Set::ReadOnly],
        spellings: &[
            ("dir_path", "path"),
            ("directory", "path"),
            ("folder", "path"),
        ],
        ..About::new("search.list", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new()
            .and::<faces::Claude>()
            .and::<faces::Codex>()
            .and::<faces::Gemini>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        let zero = |number: Option<u64>| number == Some(0);
        if zero(input.depth) || zero(input.limit) {
            let fact = "`depth` and `limit` must be at least 1.";
            return Err(ToolError::new(Code::Invalid, fact));
        }
        let root = crate::looking::root(look, input.path.as_deref())?;
        let plan = Plan {
            title: format!("List {}", look.show(&root)),
            effects: Effects::reads(Claim::tree(&root)),
            ..Plan::default()
        };
        Ok(Planned::Ready(plan, Ready { root, input }))
    }

    async fn run(&self, ready: Ready, cx: &Cx) -> Result<Output, ToolError> {
        let (look, stop) = (cx.look.clone(), cx.stop.clone());
        blocking::apart(move || entries::list(&ready.root, &ready.input, &look, &stop)).await?
    }
}

impl Entry {
    /// Its name with a mark for what it is: `/` a folder, `@` a link, `?` anything else but a file.
    pub(super) fn marked(&self) -> String {
        let mark = match self.kind {
            EntryKind::File => "",
            EntryKind::Folder => "/",
            EntryKind::Link => "@",
            _ => "?",
        };
        format!("{}{mark}", self.name)
    }

    fn line(&self) -> String {
        let indent = "  ".repeat(self.depth.saturating_sub(1));
        let detail = match (self.kind, self.children) {
            (EntryKind::File, _) => format!("  ({} bytes)", self.size),
            (EntryKind::Folder, Some(1)) => "  (1 entry)".to_owned(),
            (EntryKind::Folder, Some(children)) => format!("  ({children} entries)"),
            _ => String::new(),
        };
        format!("{indent}{}{detail}", self.marked())
    }
}

impl Output {
    /// The entries as lines, two blanks a level.
    pub(super) fn text(&self) -> String {
        let lines: Vec<String> = self.entries.iter().map(Entry::line).collect();
        lines.join("\n")
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        if self.page.total == 0 {
            return Words::own(format!("[`{}` is empty.]", self.shown));
        }
        let told = self.page.told("entries");
        let next = self
            .page
            .next()
            .map(|next| format!("; for more, call search.list with offset={next}"));
        let remarks = told.map(|told| told + &next.unwrap_or_default());
        page::with_remarks(self.text(), remarks.as_slice())
    }

    fn state(&self) -> State {
        let mut state = State::new();
        let paths: Vec<String> = self
            .entries
            .iter()
            .map(|entry| entry.shown.clone())
            .collect();
        state.insert("paths".to_owned(), paths.into());
        state.insert("total".to_owned(), self.page.total.into());
        state.insert("truncated".to_owned(), self.page.truncated().into());
        state
    }

    fn view(&self) -> View {
        view::of(self)
    }
}
