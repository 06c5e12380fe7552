//! `fs.notebook_edit`: one cell of a notebook is replaced, inserted or deleted.

mod changing;
mod faces;
mod prepare;
mod view;
mod writing;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use toolpost_core::{
    About, Changes, Claim, Code, Cx, Effects, Faces, FileDiff, Hints, Kind, Look, Plan, Planned,
    Present, Set, State, Tool, ToolError, View, Words,
};
use toolpost_host::ContentHash;

use crate::files::{diff, place, sight};
use crate::{blocking, fault};
use prepare::Prepared;

/// Changes a cell of a notebook.
pub(crate) struct NotebookEdit;

/// What to do with which cell.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The notebook, absolute or relative to the working directory.
    pub(crate) path: String,
    /// What to do: `replace` a cell's source or type, `insert` a new cell, or `delete` one.
    #[serde(default)]
    pub(crate) mode: Mode,
    /// The cell to replace or delete: its id, or its index counted from 0.
    pub(crate) cell: Option<CellRef>,
    /// The cell behind which a new one comes: its id, or its index counted from 0. Left out, the new one comes first.
    pub(crate) after: Option<CellRef>,
    /// The kind of a new cell, or what a replaced one becomes.
    pub(crate) cell_type: Option<CellType>,
    /// The source of the cell, literally.
    pub(crate) source: Option<String>,
}

/// What to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Mode {
    /// Change a cell.
    #[default]
    Replace,
    /// Make a new one.
    Insert,
    /// Take one out.
    Delete,
}

/// A cell by index or id.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(crate) enum CellRef {
    /// Its index, from 0.
    Index(u64),
    /// Its id.
    Id(String),
}

/// The kind of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum CellType {
    /// It runs.
    Code,
    /// It is read.
    Markdown,
    /// It is left alone.
    Raw,
}

impl CellType {
    /// Its name in a notebook.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Markdown => "markdown",
            Self::Raw => "raw",
        }
    }
}

/// A checked call. What is wrong with the file is told when the call runs, once policy has spoken.
pub(crate) struct Ready {
    prepared: Result<Prepared, ToolError>,
}

/// What was done.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The notebook as the call named it.
    pub(crate) given: String,
    /// The notebook as a person writes it.
    pub(crate) shown: String,
    /// The notebook.
    pub(crate) path: PathBuf,
    /// What was done.
    pub(crate) mode: Mode,
    /// The cell's id, where it has one.
    pub(crate) id: Option<String>,
    /// The cell's index, from 0; of a deleted one, the index it had.
    pub(crate) index: usize,
    /// Whether outputs went with the old source.
    pub(crate) outputs: Outputs,
    /// What came and went.
    pub(crate) diff: FileDiff,
    /// What the file now holds.
    pub(crate) hash: ContentHash,
    /// The lines of it that the session knows, half-open and from 0; `None` when it knows all.
    pub(crate) known: Option<(u64, u64)>,
    /// What a person should know about how it was written.
    pub(crate) note: Option<&'static str>,
}

/// What became of a cell's outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outputs {
    /// They were cleared, since they were made by another source.
    Cleared,
    /// There were none, or they stayed.
    AsBefore,
}

impl Tool for NotebookEdit {
    type Input = Input;
    type Ready = Ready;
    type Output = Output;

    const ABOUT: About<'static> = About {
        kind: Kind::Edit,
        hints: Hints::CHANGES,
        budget_chars: 2_000,
        sets: &[Set::Coding],
        spellings: &[
            ("notebook_path", "path"),
            ("file_path", "path"),
            ("edit_mode", "mode"),
            ("cell_id", "cell"),
            ("after_cell", "after"),
            ("new_source", "source"),
            ("content", "source"),
        ],
        ..About::new("fs.notebook_edit", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new().and::<faces::Claude>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        input.check()?;
        let path = place::resolve(look, &input.path)?;
        let verb = match input.mode {
            Mode::Replace => "Replace a cell of",
            Mode::Insert => "Insert a cell into",
            Mode::Delete => "Delete a cell of",
        };
        let prepared = {
            let (look, path) = (look.clone(), path.clone());
            blocking::apart(move || Prepared::find(&path, &input, &look)).await?
        };
        let plan = Plan {
            title: format!("{verb} {}", look.show(&path)),
            effects: Effects::changes(Claim::entry(&path)),
            preview: view::before(&prepared),
            wish_ms: None,
        };
        Ok(Planned::Ready(plan, Ready { prepared }))
    }

    async fn run(&self, ready: Ready, cx: &Cx) -> Result<Output, ToolError> {
        let prepared = ready.prepared?;
        prepared
            .write(cx)
            .map_err(|err| fault::told(&err, &prepared.output.shown, "written"))
    }
}

impl Input {
    /// Refuses what is wrong whatever the notebook holds.
    fn check(&self) -> Result<(), ToolError> {
        let missing = |fact: &str, hint: &str| Err(ToolError::new(Code::Invalid, fact).hint(hint));
        match self.mode {
            Mode::Insert if self.cell_type.is_none() => missing(
                "`cell_type` is needed for a new cell.",
                "Say whether it is `code`, `markdown` or `raw`.",
            ),
            Mode::Insert if self.source.is_none() => missing(
                "`source` is needed for a new cell.",
                "Give the source; an empty one is fine.",
            ),
            Mode::Insert if self.cell.is_some() => missing(
                "`cell` says nothing about where a new cell comes.",
                "Name the cell before it as `after`, or leave both out to make it the first.",
            ),
            Mode::Replace | Mode::Delete if self.cell.is_none() => missing(
                "`cell` is needed: which one is meant?",
                "Name the cell by its id or its index from 0; `fs.read` shows both.",
            ),
            Mode::Replace if self.source.is_none() && self.cell_type.is_none() => missing(
                "There is neither a `source` nor a `cell_type` to replace anything by.",
                "Give the new source; to take the cell out, use the mode `delete`.",
            ),
            _ => Ok(()),
        }
    }
}

impl Output {
    /// The cell as programs and models name it from now on.
    pub(super) fn cell(&self) -> Value {
        match &self.id {
            Some(id) => id.clone().into(),
            None => self.index.into(),
        }
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        let cell = match &self.id {
            Some(id) => format!("cell `{id}`"),
            None => "a cell".to_owned(),
        };
        let (index, shown) = (self.index, &self.shown);
        let mut told = match self.mode {
            Mode::Replace => format!("Replaced {cell} of `{shown}`, at index {index}."),
            Mode::Insert => format!("Inserted {cell} into `{shown}`, at index {index}."),
            Mode::Delete => format!("Deleted {cell} of `{shown}`, which was at index {index}."),
        };
        if self.outputs == Outputs::Cleared {
            told += " Its outputs were made by the old source and are cleared.";
        }
        if let Some(note) = self.note {
            told += &format!(" Note: {note}.");
        }
        Words::own(told)
    }

    fn state(&self) -> State {
        let mut state = State::new();
        state.insert("cell".to_owned(), self.cell());
        state.insert("cell_index".to_owned(), self.index.into());
        diff::into_state(&mut state, &self.diff);
        state
    }

    fn view(&self) -> View {
        view::after(self)
    }

    fn changes(&self) -> Changes {
        Changes {
            seen: vec![sight::of_lines(&self.path, self.hash, self.known)],
            touched: vec![self.path.clone()],
            ..Changes::default()
        }
    }
}
