//! `fs.write`: a file gets a content as a whole.

mod faces;
mod prepare;
mod view;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{
    About, Changes, Claim, Cx, Effects, Faces, FileDiff, Hints, Kind, Look, Plan, Planned, Present,
    Set, State, Tool, ToolError, View, Words,
};
use toolpost_host::ContentHash;

use crate::files::{diff, place, sight};
use crate::{blocking, fault};
use prepare::Prepared;

/// Gives a file a content.
pub(crate) struct Write;

/// What to write where.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The file, absolute or relative to the working directory. Folders on the way are made.
    pub(crate) path: String,
    /// All that the file is to hold, literally.
    pub(crate) content: String,
}

/// A checked call. What is wrong with the file is told when the call runs, once policy has spoken.
pub(crate) struct Ready {
    prepared: Result<Prepared, ToolError>,
}

/// What became of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Became {
    /// It is new.
    Created,
    /// It held something else.
    Overwritten,
    /// It held the same.
    Unchanged,
}

/// What was written.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The file as the call named it.
    pub(crate) given: String,
    /// The file as a person writes it.
    pub(crate) shown: String,
    /// The file.
    pub(crate) path: PathBuf,
    /// What became of it.
    pub(crate) became: Became,
    /// How many characters it now holds.
    pub(crate) chars: u64,
    /// How many bytes it now holds.
    pub(crate) bytes: u64,
    /// What came and went.
    pub(crate) diff: FileDiff,
    /// What it now holds.
    pub(crate) hash: ContentHash,
    /// What its line breaks were, where they were others than they are now.
    pub(crate) breaks: Option<&'static str>,
    /// What a person should know about how it was written.
    pub(crate) note: Option<&'static str>,
}

impl Tool for Write {
    type Input = Input;
    type Ready = Ready;
    type Output = Output;

    const ABOUT: About<'static> = About {
        kind: Kind::Edit,
        hints: Hints {
            idempotent: true,
            ..Hints::CHANGES
        },
        budget_chars: 2_000,
        sets: &[Set::Coding],
        spellings: &[
            ("file_path", "path"),
            ("filePath", "path"),
            ("absolute_path", "path"),
            ("filename", "path"),
            ("file_text", "content"),
            ("contents", "content"),
            ("text", "content"),
        ],
        ..About::new("fs.write", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new().and::<faces::Claude>().and::<faces::Gemini>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        place::refuse_nul("content", &input.content)?;
        let path = place::resolve(look, &input.path)?;
        let prepared = {
            let (look, path) = (look.clone(), path.clone());
            blocking::apart(move || Prepared::find(&path, &input, &look)).await?
        };
        let verb = match prepared.as_ref().map(|prepared| prepared.output.became) {
            Ok(Became::Created) => "Create",
            _ => "Write",
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

impl Output {
    /// A sentence on line breaks that are others now, with a space before it.
    pub(super) fn breaks_told(&self) -> String {
        self.breaks.map_or_else(String::new, |were| {
            format!(" The file's line breaks were {were} and are LF now.")
        })
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        let told = match self.became {
            Became::Created => format!("Created `{}` ({} characters).", self.shown, self.chars),
            Became::Overwritten => format!(
                "Overwrote `{}` ({} characters; {} lines added, {} removed).",
                self.shown, self.chars, self.diff.stats.added, self.diff.stats.removed
            ),
            Became::Unchanged => format!("`{}` holds exactly this already.", self.shown),
        };
        let note = self.note.map(|note| format!(" Note: {note}."));
        Words::own(told + &self.breaks_told() + &note.unwrap_or_default())
    }

    fn state(&self) -> State {
        let mut state = State::new();
        state.insert(
            "created".to_owned(),
            (self.became == Became::Created).into(),
        );
        state.insert("bytes".to_owned(), self.bytes.into());
        diff::into_state(&mut state, &self.diff);
        state
    }

    fn view(&self) -> View {
        view::after(self)
    }

    fn changes(&self) -> Changes {
        let touched = match self.became {
            Became::Unchanged => Vec::new(),
            _ => vec![self.path.clone()],
        };
        Changes {
            seen: vec![sight::whole(&self.path, self.hash)],
            touched,
            ..Changes::default()
        }
    }
}
