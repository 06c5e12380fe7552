//! `fs.edit`: one text in a file is replaced by another.

mod faces;
mod prepare;
mod view;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{
    About, Changes, Claim, Code, Cx, Effects, Faces, FileDiff, Hints, Kind, Look, Plan, Planned,
    Present, Set, State, Tool, ToolError, View, Words,
};
use toolpost_host::ContentHash;

use crate::files::matching::How;
use crate::files::replacing::{Places, Wish};
use crate::files::snippet::Snippet;
use crate::files::{diff, place, sight};
use crate::{blocking, fault};
use prepare::Prepared;

/// Replaces a text in a file.
pub(crate) struct Edit;

/// What to replace by what.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The file, absolute or relative to the working directory.
    pub(crate) path: String,
    /// The text as it stands in the file, without line numbers. It has to be there once, unless `replace_all` is set.
    pub(crate) old: String,
    /// The text that comes in its place, literally.
    pub(crate) new: String,
    /// Whether every occurrence is replaced.
    #[serde(default)]
    pub(crate) replace_all: bool,
    /// How many occurrences there have to be.
    #[schemars(range(min = 1))]
    pub(crate) expected: Option<u64>,
    /// What an empty `old` means, where a family has a use for it.
    #[serde(skip)]
    pub(crate) empty_old: EmptyOld,
}

/// What an empty `old` means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum EmptyOld {
    /// Nothing: it is refused.
    #[default]
    Refused,
    /// A new file with `new` as its content.
    Creates,
}

/// A checked call. What is wrong with the file is told when the call runs, once policy has spoken.
pub(crate) struct Ready {
    prepared: Result<Prepared, ToolError>,
}

/// What was replaced.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The file as the call named it.
    pub(crate) given: String,
    /// The file as a person writes it.
    pub(crate) shown: String,
    /// The file.
    pub(crate) path: PathBuf,
    /// How many places were replaced; 0 for a new file.
    pub(crate) replacements: u64,
    /// The number of the first changed line, from 1.
    pub(crate) start_line: u64,
    /// How the text was found.
    pub(crate) how: How,
    /// What came and went.
    pub(crate) diff: FileDiff,
    /// The first changed place as it now is.
    pub(crate) snippet: Snippet,
    /// What the file now holds.
    pub(crate) hash: ContentHash,
    /// The lines of it that the session knows, half-open and from 0; `None` when it knows all.
    pub(crate) known: Option<(u64, u64)>,
    /// What a person should know about how it was written.
    pub(crate) note: Option<&'static str>,
}

impl Tool for Edit {
    type Input = Input;
    type Ready = Ready;
    type Output = Output;

    const ABOUT: About<'static> = About {
        kind: Kind::Edit,
        hints: Hints::CHANGES,
        budget_chars: 10_000,
        sets: &[Set::Coding],
        spellings: &[
            ("file_path", "path"),
            ("filePath", "path"),
            ("old_string", "old"),
            ("oldText", "old"),
            ("oldString", "old"),
            ("new_string", "new"),
            ("newText", "new"),
            ("newString", "new"),
            ("allow_multiple", "replace_all"),
            ("replaceAll", "replace_all"),
            ("expected_replacements", "expected"),
        ],
        ..About::new("fs.edit", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new().and::<faces::Claude>().and::<faces::Gemini>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        input.check()?;
        let path = place::resolve(look, &input.path)?;
        let ready = {
            let (look, path) = (look.clone(), path.clone());
            blocking::apart(move || Ready::find(&path, &input, &look)).await?
        };
        let plan = Plan {
            title: title(&look.show(&path), &ready.prepared),
            effects: Effects::changes(Claim::entry(&path)),
            preview: view::before(&ready.prepared),
            wish_ms: None,
        };
        Ok(Planned::Ready(plan, ready))
    }

    async fn run(&self, ready: Ready, cx: &Cx) -> Result<Output, ToolError> {
        let prepared = ready.prepared?;
        prepared
            .write(cx)
            .map_err(|err| fault::told(&err, &prepared.output.shown, "written"))
    }
}

impl Input {
    /// What is to be replaced by what.
    fn wish(&self) -> Wish<'_> {
        Wish {
            old: &self.old,
            new: &self.new,
            places: Places::of(self.replace_all, self.expected),
        }
    }

    /// Refuses what is wrong whatever the file holds.
    fn check(&self) -> Result<(), ToolError> {
        let creates = self.empty_old == EmptyOld::Creates && self.old.is_empty();
        if creates && !self.new.is_empty() {
            return place::refuse_nul("new", &self.new);
        }
        if creates {
            let fact = "`old` and `new` are both empty, so nothing would change.";
            return Err(ToolError::new(Code::NoChange, fact));
        }
        self.wish().check()
    }
}

fn title(shown: &str, prepared: &Result<Prepared, ToolError>) -> String {
    match prepared
        .as_ref()
        .map(|prepared| prepared.output.replacements)
    {
        Ok(0) => format!("Create {shown}"),
        Ok(1) | Err(_) => format!("Edit {shown}"),
        Ok(count) => format!("Edit {shown} ({count} places)"),
    }
}

impl Output {
    /// The snippet under a line of its own, with so many lines around the change.
    pub(super) fn snippet_text(&self, context: u64) -> String {
        self.snippet.text(context)
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        let mut told = match self.replacements {
            0 => format!("Created `{}`.", self.shown),
            1 => format!(
                "Replaced 1 place in `{}`, at line {}.",
                self.shown, self.start_line
            ),
            count => format!(
                "Replaced {count} places in `{}`, the first at line {}.",
                self.shown, self.start_line
            ),
        };
        if let Some(how) = self.how.told() {
            told += &format!(" {how}");
        }
        if let Some(note) = self.note {
            told += &format!(" Note: {note}.");
        }
        Words::own(told + "\n").and_payload(self.snippet_text(3))
    }

    fn state(&self) -> State {
        let mut state = State::new();
        state.insert("replacements".to_owned(), self.replacements.into());
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
