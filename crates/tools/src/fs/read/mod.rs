//! `fs.read`: lines of a text file.

mod faces;
mod pages;
mod view;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{
    About, Changes, Claim, Code, Cx, Effects, Faces, Hints, Kind, Look, Plan, Planned, Present,
    Set, Sighting, State, Tool, ToolError, View, Words,
};
use toolpost_host::LinePage;

use crate::blocking;
use crate::files::place;

/// Lines of a text file.
pub(crate) struct Read;

/// What to read.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The file, absolute or relative to the working directory.
    pub(crate) path: String,
    /// The number of the first line, counted from 1. A negative number counts from the end: -20 gives the last 20
    /// lines.
    pub(crate) offset: Option<i64>,
    /// How many lines at the most; 2,000 when left out.
    #[schemars(range(min = 1))]
    pub(crate) limit: Option<u64>,
    /// How many characters of a line, where a family has its own figure.
    #[serde(skip)]
    pub(crate) line_chars: Option<usize>,
}

/// A checked call.
pub(crate) struct Ready {
    path: PathBuf,
    input: Input,
}

/// The lines.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The file as a person writes it.
    pub(crate) shown: String,
    /// The file.
    pub(crate) path: PathBuf,
    /// The lines, as many as fit.
    pub(crate) page: LinePage,
}

impl Tool for Read {
    type Input = Input;
    type Ready = Ready;
    type Output = Output;

    const ABOUT: About<'static> = About {
        kind: Kind::Read,
        hints: Hints::LOOKS,
        sets: &[Set::Coding, Set::ReadOnly],
        spellings: &[
            ("file_path", "path"),
            ("filePath", "path"),
            ("absolute_path", "path"),
            ("filename", "path"),
            ("file", "path"),
        ],
        ..About::new("fs.read", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new()
            .and::<faces::Claude>()
            .and::<faces::Codex>()
            .and::<faces::Gemini>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        if input.limit == Some(0) {
            return Err(ToolError::new(Code::Invalid, "`limit` is 0."));
        }
        let path = place::resolve(look, &input.path)?;
        let plan = Plan {
            title: format!("Read {}", look.show(&path)),
            effects: Effects::reads(Claim::entry(&path)),
            ..Plan::default()
        };
        Ok(Planned::Ready(plan, Ready { path, input }))
    }

    async fn run(&self, ready: Ready, cx: &Cx) -> Result<Output, ToolError> {
        let look = cx.look.clone();
        blocking::apart(move || pages::read(&ready.path, &ready.input, &look)).await?
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        if self.page.total_lines == 0 {
            return Words::own(format!("[`{}` is empty.]", self.shown));
        }
        let lines = self.rendered(|number, text| format!("{number}\t{text}"), pages::MARK);
        let words = Words::payload(lines);
        match self.next_line() {
            Some(next) => words.and_own(format!(
                "\n[Lines {}–{} of {}. For more, call fs.read with offset={next}.]",
                self.page.first + 1,
                next - 1,
                self.page.total_lines
            )),
            None => words,
        }
    }

    fn state(&self) -> State {
        let mut state = State::new();
        state.insert("total_lines".to_owned(), self.page.total_lines.into());
        state.insert("encoding".to_owned(), self.page.encoding.clone().into());
        state
    }

    fn view(&self) -> View {
        view::of(self)
    }

    fn changes(&self) -> Changes {
        let whole = self.page.first == 0
            && self.next_line().is_none()
            && self.page.lines.iter().all(|line| line.omitted_chars == 0);
        let end = self.page.first + pages::count(&self.page.lines);
        Changes {
            seen: vec![Sighting {
                path: self.path.clone(),
                hash: self.page.hash,
                lines: (!whole).then_some((self.page.first, end)),
            }],
            ..Changes::default()
        }
    }
}
