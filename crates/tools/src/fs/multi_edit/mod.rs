//! `fs.multi_edit`: several texts of one file are replaced, all or none.

mod faces;
mod prepare;
mod view;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
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

/// Replaces several texts in a file.
pub(crate) struct MultiEdit;

/// What to replace by what, in order.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The file, absolute or relative to the working directory.
    pub(crate) path: String,
    /// The edits. Each is made on the text as the ones before it left it.
    #[schemars(length(min = 1))]
    pub(crate) edits: Vec<Step>,
}

/// One of the edits.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct Step {
    /// The text as it stands in the file by then. It has to be there once, unless `replace_all` is set.
    pub(crate) old: String,
    /// The text that comes in its place, literally.
    pub(crate) new: String,
    /// Whether every occurrence is replaced.
    #[serde(default)]
    pub(crate) replace_all: bool,
}

impl Step {
    /// What is to be replaced by what.
    fn wish(&self) -> Wish<'_> {
        Wish {
            old: &self.old,
            new: &self.new,
            places: Places::of(self.replace_all, None),
        }
    }
}

/// A checked call. What is wrong with the file is told when the call runs, once policy has spoken.
pub(crate) struct Ready {
    prepared: Result<Prepared, ToolError>,
}

/// What one of the edits came to.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    /// How many places were replaced.
    pub(crate) replacements: u64,
    /// The number, from 1, of the first line it changed, as the lines were by then.
    pub(crate) start_line: u64,
    /// How its text was found.
    pub(crate) how: How,
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
    /// The edits, in their order.
    pub(crate) made: Vec<Made>,
    /// What came and went in all.
    pub(crate) diff: FileDiff,
    /// The changed places as they now are.
    pub(crate) snippets: Vec<Snippet>,
    /// What the file now holds.
    pub(crate) hash: ContentHash,
    /// The lines of it that the session knows, half-open and from 0; `None` when it knows all.
    pub(crate) known: Option<(u64, u64)>,
    /// What a person should know about how it was written.
    pub(crate) note: Option<&'static str>,
}

impl Tool for MultiEdit {
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
            ("absolute_path", "path"),
            ("changes", "edits"),
        ],
        ..About::new("fs.multi_edit", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new().and::<faces::Claude>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        check(&input)?;
        let path = place::resolve(look, &input.path)?;
        let count = input.edits.len();
        let prepared = {
            let (look, path) = (look.clone(), path.clone());
            blocking::apart(move || Prepared::find(&path, &input, &look)).await?
        };
        let plan = Plan {
            title: format!("Edit {} ({})", look.show(&path), edits(count)),
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

/// Refuses what is wrong whatever the file holds: every edit is looked at before the first one is tried.
fn check(input: &Input) -> Result<(), ToolError> {
    if input.edits.is_empty() {
        return Err(ToolError::new(Code::Invalid, "`edits` is empty.")
            .hint("Give at least one edit with `old` and `new`."));
    }
    for (index, step) in input.edits.iter().enumerate() {
        step.wish().check().map_err(|err| at(index, err))?;
    }
    Ok(())
}

/// Says which edit it was that cannot be made.
fn at(index: usize, err: ToolError) -> ToolError {
    let fact = format!(
        "Edit {index} (from 0) cannot be made, so none was: {}",
        err.fact
    );
    ToolError { fact, ..err }.with("index", index)
}

fn edits(count: usize) -> String {
    match count {
        1 => "1 edit".to_owned(),
        count => format!("{count} edits"),
    }
}

impl Output {
    /// How many places were replaced in all.
    pub(super) fn replacements(&self) -> u64 {
        self.made.iter().map(|made| made.replacements).sum()
    }
}

impl Made {
    /// What the edit did, without a full stop.
    pub(super) fn told(&self) -> String {
        match self.replacements {
            1 => format!("Replaced 1 place, at line {}", self.start_line),
            count => format!(
                "Replaced {count} places, the first at line {}",
                self.start_line
            ),
        }
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        let mut told = format!("Made {} in `{}`.\n", edits(self.made.len()), self.shown);
        for (index, made) in self.made.iter().enumerate() {
            told += &format!("{index}: {}.", made.told());
            if let Some(how) = made.how.told() {
                told += &format!(" {how}");
            }
            told += "\n";
        }
        if let Some(note) = self.note {
            told += &format!("Note: {note}.\n");
        }
        let snippets: Vec<String> = self
            .snippets
            .iter()
            .map(|snippet| snippet.text(3))
            .collect();
        Words::own(told).and_payload(snippets.join("\n…\n"))
    }

    fn state(&self) -> State {
        let mut state = State::new();
        state.insert("replacements".to_owned(), self.replacements().into());
        let made =
            |made: &Made| json!({"replacements": made.replacements, "line": made.start_line});
        let all: Vec<serde_json::Value> = self.made.iter().map(made).collect();
        state.insert("edits".to_owned(), all.into());
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
