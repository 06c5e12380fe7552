//! `fs.apply_patch`: changes of many files, all or nothing.

mod faces;
mod grammar;
mod locate;
mod misses;
mod patch;
mod prepare;
mod splicing;
mod target;
mod view;
mod wrapping;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{
    About, Changes, Claim, Code, Cx, DiffStats, Effects, Faces, FileDiff, Hints, Kind, Look, Plan,
    Planned, Present, Set, Sighting, State, Tool, ToolError, View, Words,
};

use crate::blocking;
use prepare::Prepared;
use target::Target;

/// Applies a patch.
pub(crate) struct ApplyPatch;

/// What to apply.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The patch, from `*** Begin Patch` to `*** End Patch`.
    pub(crate) patch: String,
}

/// A checked call. What does not fit the files is told when the call runs, once policy has spoken.
pub(crate) struct Ready {
    prepared: Result<Prepared, ToolError>,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// It is new.
    Added,
    /// It changed, or moved here.
    Modified,
    /// It is gone.
    Deleted,
}

impl Fate {
    /// The letter that stands for it.
    pub(crate) fn letter(self) -> char {
        match self {
            Self::Added => 'A',
            Self::Modified => 'M',
            Self::Deleted => 'D',
        }
    }
}

/// A file that was touched.
#[derive(Debug, Clone)]
pub(crate) struct Touched {
    /// What happened to it.
    pub(crate) fate: Fate,
    /// The file as the patch names it; after a move, its new name.
    pub(crate) given: String,
    /// What came and went.
    pub(crate) diff: FileDiff,
}

/// What was done.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The files, in the order of the patch.
    pub(crate) files: Vec<Touched>,
    /// What a person should know about how they were written.
    pub(crate) notes: Vec<String>,
    /// What the session has now seen.
    pub(crate) seen: Vec<Sighting>,
    /// Every path that changed.
    pub(crate) touched: Vec<PathBuf>,
}

impl Tool for ApplyPatch {
    type Input = Input;
    type Ready = Ready;
    type Output = Output;

    const ABOUT: About<'static> = About {
        kind: Kind::Edit,
        hints: Hints::CHANGES,
        budget_chars: 10_000,
        sets: &[Set::Coding],
        spellings: &[
            ("input", "patch"),
            ("diff", "patch"),
            ("patch_text", "patch"),
        ],
        ..About::new("fs.apply_patch", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new().and::<faces::Codex>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        let patch = grammar::parse(&input.patch).map_err(|err| unreadable(&err))?;
        let targets = Target::of_all(&patch, look)?;
        let claims: Vec<Claim> = targets.iter().flat_map(Target::claims).collect();
        let title = title(look, &targets);
        let prepared = {
            let look = look.clone();
            blocking::apart(move || Prepared::find(&patch, &targets, &look)).await?
        };
        let plan = Plan {
            title,
            effects: Effects {
                reads: claims.clone(),
                writes: claims,
                ..Effects::NOTHING
            },
            preview: view::before(&prepared),
            wish_ms: None,
        };
        Ok(Planned::Ready(plan, Ready { prepared }))
    }

    async fn run(&self, ready: Ready, cx: &Cx) -> Result<Output, ToolError> {
        ready.prepared?.apply(cx)
    }
}

fn unreadable(err: &grammar::Unreadable) -> ToolError {
    let fact = format!("The patch cannot be read: line {}: {}.", err.line, err.what);
    ToolError::new(Code::Parse, fact).hint(
        "Send the patch again, from `*** Begin Patch` to `*** End Patch`, with nothing around it.",
    )
}

fn title(look: &Look, targets: &[Target]) -> String {
    match targets {
        [one] => format!("Patch {}", look.show(&one.path)),
        [one, two] => format!(
            "Patch {} and {}",
            look.show(&one.path),
            look.show(&two.path)
        ),
        all => format!("Patch {} files", all.len()),
    }
}

impl Output {
    /// The files as lines of letter and path: the added ones first, then the changed, then the deleted.
    pub(super) fn summary(&self) -> String {
        let mut files: Vec<&Touched> = self.files.iter().collect();
        files.sort_by_key(|file| file.fate);
        let line = |file: &&Touched| format!("{} {}", file.fate.letter(), file.given);
        files.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        let mut told = format!("Applied the patch:\n{}", self.summary());
        for note in &self.notes {
            told += &format!("\nNote: {note}.");
        }
        Words::payload(told)
    }

    fn state(&self) -> State {
        let mut state = State::new();
        let diffs: Vec<&FileDiff> = self.files.iter().map(|file| &file.diff).collect();
        let stats = diffs
            .iter()
            .fold(DiffStats::default(), |sum, diff| DiffStats {
                added: sum.added + diff.stats.added,
                removed: sum.removed + diff.stats.removed,
            });
        for (key, value) in [
            ("diff", serde_json::to_value(diffs)),
            ("stats", serde_json::to_value(stats)),
        ] {
            if let Ok(value) = value {
                state.insert(key.to_owned(), value);
            }
        }
        state
    }

    fn view(&self) -> View {
        view::after(self)
    }

    fn changes(&self) -> Changes {
        Changes {
            seen: self.seen.clone(),
            touched: self.touched.clone(),
            ..Changes::default()
        }
    }
}
