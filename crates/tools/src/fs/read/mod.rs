//! `fs.read`: lines of a text file, a block of it, the cells of a notebook, a picture.
//!
//! A file that was read before is given again, in full: whether the text of the first time is still in the model's
//! conversation is not known here, and "unchanged" helps nobody who has lost it.

mod block;
mod cells;
mod faces;
mod other;
mod pages;
mod picture;
mod view;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{
    About, Changes, Claim, Code, Cx, Effects, Faces, Hints, Kind, Look, Plan, Planned, Present,
    Segment, Set, Sighting, State, Tool, ToolError, View, Words,
};
use toolpost_host::{ContentHash, LinePage};

use crate::blocking;
use crate::files::place;
pub(crate) use block::{Header, Shape, Siblings};
use cells::Cells;
use pages::Paging as _;
use picture::Picture;

/// Shows what is in a file.
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
    /// What is given: the lines from `offset` on, or the block around the line `anchor` by its indentation.
    #[serde(default)]
    pub(crate) mode: Mode,
    /// The number of the line whose block is given, counted from 1; for the mode `block`.
    #[schemars(range(min = 1))]
    pub(crate) anchor: Option<u64>,
    /// The pages of a PDF document, for example `3-5`.
    pub(crate) pages: Option<String>,
    /// What belongs to a block, where a family can say so.
    #[serde(skip)]
    pub(crate) shape: Shape,
    /// How many characters of a line, where a family has its own figure.
    #[serde(skip)]
    pub(crate) line_chars: Option<usize>,
}

/// What is given of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Mode {
    /// Lines.
    #[default]
    Lines,
    /// The block around a line.
    Block,
}

/// A checked call.
pub(crate) struct Ready {
    path: PathBuf,
    input: Input,
}

/// What was read.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The file as a person writes it.
    pub(crate) shown: String,
    /// The file.
    pub(crate) path: PathBuf,
    /// All that it holds, as a hash.
    pub(crate) hash: ContentHash,
    /// What of it is given.
    pub(crate) content: Content,
}

/// What is given of a file.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// Lines, as many as fit.
    Page(LinePage),
    /// Cells of a notebook.
    Cells(Cells),
    /// A picture.
    Picture(Picture),
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
        check(&input)?;
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

/// Refuses what is wrong whatever the file holds.
fn check(input: &Input) -> Result<(), ToolError> {
    let invalid = |fact: &str| Err(ToolError::new(Code::Invalid, fact));
    match (
        input.mode,
        input
            .anchor
            .or(input.offset.and_then(|offset| offset.try_into().ok())),
    ) {
        _ if input.limit == Some(0) => invalid("`limit` is 0."),
        (Mode::Block, None | Some(0)) => {
            invalid("The mode `block` needs the number of a line as `anchor`, counted from 1.")
        }
        (Mode::Lines, _) if input.anchor.is_some() => {
            invalid("`anchor` goes with the mode `block`; lines begin at `offset`.")
        }
        _ => match &input.pages {
            Some(pages) if other::page_range(pages).is_none() => {
                invalid("`pages` is not a page or a range of pages such as `3-5`.")
            }
            _ => Ok(()),
        },
    }
}

impl Output {
    /// The lines, where lines are given.
    pub(super) fn page(&self) -> Option<&LinePage> {
        match &self.content {
            Content::Page(page) => Some(page),
            Content::Cells(_) | Content::Picture(_) => None,
        }
    }
}

fn page_words(page: &LinePage, shown: &str) -> Words {
    if page.total_lines == 0 {
        return Words::own(format!("[`{shown}` is empty.]"));
    }
    let lines = page.rendered(|number, text| format!("{number}\t{text}"), pages::MARK);
    let words = Words::payload(lines);
    match page.next_line() {
        Some(next) => words.and_own(format!(
            "\n[Lines {}–{} of {}. For more, call fs.read with offset={next}.]",
            page.first + 1,
            next - 1,
            page.total_lines
        )),
        None => words,
    }
}

fn cell_words(cells: &Cells, shown: &str) -> Words {
    let end = cells.first + cells.texts.len();
    let words = Words::payload(cells.texts.join("\n\n"));
    let told = match (cells.total, end < cells.total) {
        (0, _) => return Words::own(format!("[`{shown}` is a notebook without cells.]")),
        (1, _) => "1 cell".to_owned(),
        (total, false) => format!("{total} cells"),
        (total, true) => format!(
            "cells {}–{} of {total}; for more, begin at offset {}",
            cells.first,
            end - 1,
            end + 1
        ),
    };
    words.and_own(format!(
        "\n\n[Notebook, {told}. Cells are counted from 0; change them with `fs.notebook_edit`.]"
    ))
}

fn picture_words(picture: &Picture, shown: &str) -> Words {
    let (width, height) = picture.size;
    let scaled = if picture.sent == picture.size {
        String::new()
    } else {
        format!(", shown as {}×{}", picture.sent.0, picture.sent.1)
    };
    let mut words = Words::own(format!(
        "[`{shown}`: picture of {width}×{height} pixels{scaled}.]"
    ));
    words.segments.push(Segment::Image {
        media_type: picture.media_type.to_owned(),
        base64: picture.base64.clone(),
    });
    words
}

impl Present for Output {
    fn words(&self) -> Words {
        match &self.content {
            Content::Page(page) => page_words(page, &self.shown),
            Content::Cells(cells) => cell_words(cells, &self.shown),
            Content::Picture(picture) => picture_words(picture, &self.shown),
        }
    }

    fn state(&self) -> State {
        let mut state = State::new();
        let mut set = |key: &str, value: serde_json::Value| state.insert(key.to_owned(), value);
        match &self.content {
            Content::Page(page) => {
                set("total_lines", page.total_lines.into());
                set("encoding", page.encoding.clone().into());
            }
            Content::Cells(cells) => {
                set("total_lines", cells.total_lines.into());
                set("cells", cells.total.into());
            }
            Content::Picture(picture) => {
                set("media_type", picture.media_type.into());
                set("width", picture.size.0.into());
                set("height", picture.size.1.into());
            }
        }
        state
    }

    fn view(&self) -> View {
        view::of(self)
    }

    fn changes(&self) -> Changes {
        let lines = match &self.content {
            Content::Page(page) => page.seen(),
            Content::Cells(cells) => cells.lines,
            Content::Picture(_) => None,
        };
        Changes {
            seen: vec![Sighting {
                path: self.path.clone(),
                hash: self.hash,
                lines,
            }],
            ..Changes::default()
        }
    }
}
