//! `NotebookEdit`: a cell by its id; a new one comes behind the cell that is named.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpost_core::{Face, FaceAbout, Failure, Offered, ToolError, Words};

use super::super::{CellRef, CellType, Input, Mode, NotebookEdit, Output};
use crate::dialects::CLAUDE;

/// The `NotebookEdit` face.
pub(crate) struct Claude;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The notebook, as an absolute path.
    notebook_path: String,
    /// The source of the cell, literally.
    new_source: String,
    /// The id of the cell, or its index counted from 0. A new cell comes behind it, or first when it is left out.
    cell_id: Option<String>,
    /// The kind of the cell; needed for a new one.
    cell_type: Option<Type>,
    /// What to do with the cell.
    #[serde(default)]
    edit_mode: EditMode,
}

/// The kinds that the family knows.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Type {
    Code,
    Markdown,
}

/// What the family can do with a cell.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum EditMode {
    #[default]
    Replace,
    Insert,
    Delete,
}

impl Face<NotebookEdit> for Claude {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        offered: Offered::OnRequest,
        spellings: &[
            ("path", "notebook_path"),
            ("file_path", "notebook_path"),
            ("source", "new_source"),
            ("mode", "edit_mode"),
        ],
        card: Some(
            "Changes one cell of a Jupyter notebook. `replace` gives the cell `cell_id` another source; `insert` makes a \
             new cell behind it, or the first one without it, and needs `cell_type`; `delete` takes it out. Outputs are \
             cleared only where the source changes. Read the notebook first.",
        ),
        ..FaceAbout::new(CLAUDE, "NotebookEdit")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        let cell = args.cell_id.map(CellRef::Id);
        let mode = match args.edit_mode {
            EditMode::Replace => Mode::Replace,
            EditMode::Insert => Mode::Insert,
            EditMode::Delete => Mode::Delete,
        };
        let (cell, after) = match mode {
            Mode::Insert => (None, cell),
            Mode::Replace | Mode::Delete => (cell, None),
        };
        Ok(Input {
            path: args.notebook_path,
            mode,
            cell,
            after,
            cell_type: args.cell_type.map(|kind| match kind {
                Type::Code => CellType::Code,
                Type::Markdown => CellType::Markdown,
            }),
            source: (mode != Mode::Delete).then_some(args.new_source),
        })
    }

    fn words(output: &Output) -> Words {
        let cell = match &output.id {
            Some(id) => id.clone(),
            None => format!("cell-{}", output.index),
        };
        Words::own(match output.mode {
            Mode::Replace => format!("Updated cell {cell} in {}", output.given),
            Mode::Insert => format!(
                "Inserted new cell {cell} at index {} in {}",
                output.index, output.given
            ),
            Mode::Delete => format!("Deleted cell {cell} from {}", output.given),
        })
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<NotebookEdit, Self>(failure)
    }
}
