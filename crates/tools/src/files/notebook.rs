//! What a notebook is: cells in JSON, as Jupyter writes them.

use toolpost_core::{Code, ToolError};

use super::json::{self, Node};
use super::lines;

/// A notebook's text with the places of its cells.
pub(crate) struct Notebook {
    /// All of it.
    pub(crate) root: Node,
    /// The cells, in order.
    pub(crate) cells: Vec<Node>,
    /// Where the list of cells stands.
    pub(crate) list: Node,
    /// Whether its cells have ids: from format 4.5 on.
    pub(crate) ids: Ids,
}

/// Whether a notebook's cells have ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ids {
    /// They have.
    Used,
    /// The format is older, and must not.
    Unknown,
}

/// Whether a path is named like a notebook.
pub(crate) fn is_named_so(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|end| end == "ipynb")
}

impl Notebook {
    /// Finds the cells in a text.
    pub(crate) fn read(shown: &str, text: &str) -> Result<Self, ToolError> {
        let root = json::parse(text).map_err(|err| {
            let fact = format!("`{shown}` is no sound notebook: {err}.");
            ToolError::new(Code::Unsupported, fact).hint(format!(
                "Look at `{shown}` as text with `search.grep`, and repair it with `fs.edit`."
            ))
        })?;
        let number = |key: &str| root.get(key).and_then(|node| node.read::<u64>(text));
        let (major, minor) = (number("nbformat"), number("nbformat_minor"));
        let list = root.get("cells").filter(|list| list.items().is_some());
        let (Some(major), Some(list)) = (major.filter(|major| *major >= 4), list) else {
            let fact = format!("`{shown}` is no notebook of format 4 or newer.");
            return Err(ToolError::new(Code::Unsupported, fact)
                .hint("Change it as text with `fs.edit`, or convert it first."));
        };
        let ids = if (major, minor.unwrap_or(0)) >= (4, 5) {
            Ids::Used
        } else {
            Ids::Unknown
        };
        Ok(Self {
            cells: list.items().unwrap_or_default().to_vec(),
            list: list.clone(),
            ids,
            root,
        })
    }

    /// The lines, half-open and from 0, in which a cell stands.
    pub(crate) fn lines_of(&self, text: &str, index: usize) -> Option<(u64, u64)> {
        let span = &self.cells.get(index)?.span;
        Some((
            lines::number_at(text, span.start) - 1,
            lines::number_at(text, span.end),
        ))
    }
}

/// A cell's id.
pub(crate) fn id_of(cell: &Node, text: &str) -> Option<String> {
    cell.get("id")?.read(text)
}

/// What kind of cell it is: `code`, `markdown`, `raw`.
pub(crate) fn type_of(cell: &Node, text: &str) -> String {
    let kind = cell.get("cell_type").and_then(|node| node.read(text));
    kind.unwrap_or_else(|| "unknown".to_owned())
}

/// Text that stands as a string or as a list of lines.
pub(crate) fn joined(node: &Node, text: &str) -> Option<String> {
    match node.items() {
        Some(_) => Some(node.read::<Vec<String>>(text)?.concat()),
        None => node.read(text),
    }
}

/// A cell's source.
pub(crate) fn source_of(cell: &Node, text: &str) -> String {
    let source = cell.get("source").and_then(|node| joined(node, text));
    source.unwrap_or_default()
}
