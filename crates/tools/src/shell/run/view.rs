//! A command for a person.

use toolpost_core::{Block, View};

use super::{Input, Output};

/// What would run.
pub(super) fn before(input: &Input) -> View {
    let mut view = View::EMPTY;
    if let Some(description) = input.description.as_ref().filter(|text| !text.is_empty()) {
        view.blocks.push(Block::Note {
            text: description.clone(),
        });
    }
    view.blocks.push(Block::Terminal {
        command: input.command.clone(),
        output: String::new(),
        exit_code: None,
    });
    view
}

/// What ran.
pub(super) fn after(output: &Output) -> View {
    View::of(Block::Terminal {
        command: output.command.clone(),
        output: output.captured.text(),
        exit_code: output.exit_code(),
    })
}
