//! Planning a change of a notebook: which cell, and the new bytes.

use std::path::{Path, PathBuf};

use toolpost_core::{Code, Cx, Look, ToolError};
use toolpost_host::{ContentHash, Expect, HostError, Splice};

use super::changing::{Desk, Wanted};
use super::{CellRef, CellType, Input, Mode, Output, Outputs};
use crate::files::notebook::{self, Notebook};
use crate::files::opened::Opened;
use crate::files::replacing::spliced;
use crate::files::sight::Glance;
use crate::files::{diff, misses};
use crate::{blocking, fault};

/// How many cells an error names.
const TOLD_CELLS: usize = 20;

/// A change that can be made.
pub(super) struct Prepared {
    path: PathBuf,
    bytes: Vec<u8>,
    expect: Expect,
    pub(super) output: Output,
}

/// What changes, and which cell it is about.
struct Found {
    splices: Vec<Splice>,
    index: usize,
    id: Option<String>,
    outputs: Outputs,
}

impl Prepared {
    /// Finds out what the call would do to the notebook as it now is.
    pub(super) fn find(path: &Path, input: &Input, look: &Look) -> Result<Self, ToolError> {
        let file = Opened::read(path, look)?;
        let text = file.text.as_str();
        let notebook = Notebook::read(&file.shown, text)?;
        let place = Place::of(&file.shown, text, &notebook, input)?;
        let sight = Glance::of(look, path, &file);
        sight.permits_lines(place.lines(text, &notebook))?;
        let found = place.change(text, &notebook, input);
        edited(path, &file, input, found, &sight)
    }

    /// Writes the new bytes if the file still holds what it held.
    pub(super) fn write(&self, cx: &Cx) -> Result<Output, HostError> {
        let written = blocking::here(|| {
            toolpost_host::write(&cx.permit, &self.path, &self.bytes, self.expect)
        })?;
        Ok(Output {
            hash: written.hash,
            note: written.note,
            ..self.output.clone()
        })
    }
}

/// Where something happens.
enum Place {
    /// To this cell.
    At(usize),
    /// Behind this one.
    Behind(usize),
    /// Before all.
    First,
}

impl Place {
    fn of(shown: &str, text: &str, notebook: &Notebook, input: &Input) -> Result<Self, ToolError> {
        let find = |wanted: &CellRef| {
            position(text, notebook, wanted).ok_or_else(|| missing(shown, text, notebook, wanted))
        };
        match (input.mode, &input.cell, &input.after) {
            (Mode::Insert, _, None) => Ok(Self::First),
            (Mode::Insert, _, Some(after)) => find(after).map(Self::Behind),
            (_, Some(cell), _) => find(cell).map(Self::At),
            (_, None, _) => Err(ToolError::new(Code::Invalid, "`cell` is needed.")),
        }
    }

    /// The lines that have to be known.
    fn lines(&self, text: &str, notebook: &Notebook) -> Option<(u64, u64)> {
        match self {
            Self::At(index) | Self::Behind(index) => notebook.lines_of(text, *index),
            Self::First => notebook.lines_of(text, 0),
        }
    }

    fn change(&self, text: &str, notebook: &Notebook, input: &Input) -> Found {
        let desk = Desk::on(text, notebook);
        let source = input.source.as_deref();
        match self {
            Self::First => insertion(&desk, 0, input),
            Self::Behind(index) => insertion(&desk, index + 1, input),
            Self::At(index) => {
                let cell = notebook.cells.get(*index);
                let wanted = Wanted {
                    source,
                    cell_type: input.cell_type,
                };
                let splices = match (input.mode, cell) {
                    (Mode::Replace, Some(cell)) => desk.replace(cell, wanted),
                    _ => desk.delete(*index).into_iter().collect(),
                };
                let outputs = cell.and_then(|cell| cell.get("outputs"));
                let had =
                    outputs.is_some_and(|node| node.items().is_some_and(|all| !all.is_empty()));
                let touched = outputs.is_some_and(|node| {
                    splices.iter().any(|splice| {
                        splice.range.start <= node.span.start && splice.range.end >= node.span.end
                    })
                });
                let cleared = input.mode == Mode::Replace && had && touched;
                Found {
                    splices,
                    index: *index,
                    id: cell.and_then(|cell| notebook::id_of(cell, text)),
                    outputs: if cleared {
                        Outputs::Cleared
                    } else {
                        Outputs::AsBefore
                    },
                }
            }
        }
    }
}

fn insertion(desk: &Desk<'_>, index: usize, input: &Input) -> Found {
    let kind = input.cell_type.unwrap_or(CellType::Code);
    let (splice, id) = desk.insert(index, kind, input.source.as_deref().unwrap_or_default());
    Found {
        splices: vec![splice],
        index,
        id,
        outputs: Outputs::AsBefore,
    }
}

/// A cell by its id, else by its index; `cell-3` is an index too.
fn position(text: &str, notebook: &Notebook, wanted: &CellRef) -> Option<usize> {
    let count = notebook.cells.len();
    let within = |index: usize| (index < count).then_some(index);
    match wanted {
        CellRef::Index(index) => within(usize::try_from(*index).ok()?),
        CellRef::Id(id) => {
            let has = |cell: &crate::files::json::Node| {
                notebook::id_of(cell, text).is_some_and(|own| own == *id)
            };
            notebook.cells.iter().position(has).or_else(|| {
                let digits = id.strip_prefix("cell-").unwrap_or(id);
                within(digits.parse().ok()?)
            })
        }
    }
}

fn missing(shown: &str, text: &str, notebook: &Notebook, wanted: &CellRef) -> ToolError {
    let wanted = match wanted {
        CellRef::Index(index) => format!("no cell at index {index}"),
        CellRef::Id(id) => format!("no cell `{id}`"),
    };
    let count = notebook.cells.len();
    let cells = if count == 1 { "cell" } else { "cells" };
    let fact = format!("`{shown}` has {wanted}; it has {count} {cells}, counted from 0.");
    let named: Vec<String> = notebook
        .cells
        .iter()
        .enumerate()
        .take(TOLD_CELLS)
        .map(|(index, cell)| {
            let id = notebook::id_of(cell, text).unwrap_or_else(|| "no id".to_owned());
            let source = notebook::source_of(cell, text);
            let line: String = source
                .lines()
                .next()
                .unwrap_or_default()
                .chars()
                .take(60)
                .collect();
            format!("{index}\t{id}\t{line}")
        })
        .collect();
    ToolError::new(Code::NotFound, fact)
        .quote(named.join("\n"))
        .hint("Name a cell by its id or its index.")
}

fn edited(
    path: &Path,
    file: &Opened,
    input: &Input,
    found: Found,
    sight: &Glance,
) -> Result<Prepared, ToolError> {
    let bytes = file
        .text
        .replace(&found.splices)
        .map_err(|err| fault::told(&err, &file.shown, "edited"))?;
    if bytes == file.content.bytes {
        return Err(misses::no_change(&file.shown));
    }
    let (before, after) = (
        file.text.as_str(),
        spliced(file.text.as_str(), &found.splices),
    );
    let end = |text| diff::End {
        shown: &file.shown,
        text,
    };
    let output = Output {
        given: input.path.clone(),
        shown: file.shown.clone(),
        path: path.to_path_buf(),
        mode: input.mode,
        id: found.id,
        index: found.index,
        outputs: found.outputs,
        diff: diff::between(Some(end(before)), Some(end(&after))),
        hash: ContentHash::of(&bytes),
        known: sight.once_changed(before, &after, &found.splices),
        note: None,
    };
    Ok(Prepared {
        path: path.to_path_buf(),
        bytes,
        expect: Expect::Content(file.content.hash),
        output,
    })
}
