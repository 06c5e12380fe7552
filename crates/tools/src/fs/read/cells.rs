//! A notebook as its cells, with what they printed.

use serde_json::Value;
use toolpost_core::{Code, ToolError};

use crate::files::json::Node;
use crate::files::notebook::{self, Notebook};

/// How many characters of a cell's source are given.
const SOURCE_CHARS: usize = 20_000;
/// How many characters of one output are given.
const OUTPUT_CHARS: usize = 2_000;
/// How many characters are given in all.
const TOTAL_CHARS: usize = 30_000;

/// Some cells of a notebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cells {
    /// The cells, each as text.
    pub(crate) texts: Vec<String>,
    /// The index of the first one, from 0.
    pub(crate) first: usize,
    /// How many the notebook has.
    pub(crate) total: usize,
    /// The lines of the file in which they stand, half-open and from 0; `None` when nothing of any cell is left out.
    pub(crate) lines: Option<(u64, u64)>,
    /// How many lines the file has.
    pub(crate) total_lines: u64,
}

/// Which cells are asked for: the first one from 1, or from the end where it is negative, and how many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) offset: Option<i64>,
    pub(super) limit: Option<u64>,
}

/// Takes the cells that are asked for, as many as fit.
pub(super) fn take(
    shown: &str,
    text: &str,
    book: &Notebook,
    part: Part,
) -> Result<Cells, ToolError> {
    let total = book.cells.len();
    let first = first_of(part.offset, total);
    if first >= total && first > 0 {
        let fact = format!("`{shown}` has {total} cells; cell {first} (from 0) is not among them.");
        return Err(ToolError::new(Code::Invalid, fact).hint("Begin at a cell that is there."));
    }
    let limit = part.limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    });
    let (mut texts, mut chars, mut cut) = (Vec::new(), 0, false);
    for (index, cell) in book.cells.iter().enumerate().skip(first).take(limit) {
        let (cell, whole) = written(index, cell, text);
        chars += cell.chars().count();
        if chars > TOTAL_CHARS && !texts.is_empty() {
            break;
        }
        cut |= !whole;
        texts.push(cell);
    }
    let all = first == 0 && texts.len() == total && !cut;
    let lines = (!all).then(|| seen(book, text, first..first + texts.len(), cut));
    Ok(Cells {
        texts,
        first,
        total,
        lines,
        total_lines: u64::try_from(text.lines().count()).unwrap_or(u64::MAX),
    })
}

/// The lines in which cells stand; none where one of them was cut.
fn seen(book: &Notebook, text: &str, cells: std::ops::Range<usize>, cut: bool) -> (u64, u64) {
    let lines = |index: usize| book.lines_of(text, index);
    match (lines(cells.start), cells.end.checked_sub(1).and_then(lines)) {
        (Some((start, _)), Some((_, end))) if !cut => (start, end),
        _ => (0, 0),
    }
}

fn first_of(offset: Option<i64>, total: usize) -> usize {
    let offset = offset.unwrap_or(1);
    let distance = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    if offset < 0 {
        total.saturating_sub(distance)
    } else {
        distance.saturating_sub(1)
    }
}

/// A cell as text, and whether all of its source is there.
fn written(index: usize, cell: &Node, text: &str) -> (String, bool) {
    let kind = notebook::type_of(cell, text);
    let id = notebook::id_of(cell, text).map_or_else(String::new, |id| format!(", id `{id}`"));
    let run = cell
        .get("execution_count")
        .and_then(|node| node.read::<u64>(text));
    let run = run.map_or_else(String::new, |run| format!(", run {run}"));
    let source = notebook::source_of(cell, text);
    let (mut out, whole) = (
        format!("--- cell {index} ({kind}{id}{run})\n"),
        source.chars().count() <= SOURCE_CHARS,
    );
    out += &cut(&source, SOURCE_CHARS);
    let outputs = cell
        .get("outputs")
        .and_then(|node| node.read::<Vec<Value>>(text));
    for output in outputs.unwrap_or_default() {
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out += &format!(
            "--- output of cell {index}\n{}",
            cut(&told(&output), OUTPUT_CHARS)
        );
    }
    (out.trim_end_matches('\n').to_owned(), whole)
}

/// An output as text; what is no text is named.
fn told(output: &Value) -> String {
    match output.get("output_type").and_then(Value::as_str) {
        Some("stream") => output.get("text").map(joined).unwrap_or_default(),
        Some("error") => {
            let part = |key: &str| output.get(key).and_then(Value::as_str).unwrap_or_default();
            format!("{}: {}", part("ename"), part("evalue"))
        }
        _ => data(output),
    }
}

fn data(output: &Value) -> String {
    let Some(data) = output.get("data").and_then(Value::as_object) else {
        return String::new();
    };
    let mut told = Vec::new();
    for (media_type, value) in data {
        match media_type.as_str() {
            "text/plain" => told.push(joined(value)),
            "text/html" if data.contains_key("text/plain") => {}
            _ => told.push(format!(
                "[{media_type}, {} characters]",
                joined(value).chars().count()
            )),
        }
    }
    told.join("\n")
}

fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        other => other.to_string(),
    }
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => {
            let rest = text.get(end..).unwrap_or_default().chars().count();
            format!(
                "{}… [{rest} more characters]",
                text.get(..end).unwrap_or_default()
            )
        }
        None => text.to_owned(),
    }
}
