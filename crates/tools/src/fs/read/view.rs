//! What was read, for a person.

use toolpost_core::{Block, View};
use toolpost_host::LinePage;

use super::{Content, Output};

/// The lines with their numbers, the cells one below the other, or what a picture is.
pub(super) fn of(output: &Output) -> View {
    match &output.content {
        Content::Page(page) => lines(output, page),
        Content::Cells(cells) => View {
            blocks: cells
                .texts
                .iter()
                .map(|text| Block::Note { text: text.clone() })
                .collect(),
        },
        Content::Picture(picture) => {
            let (width, height) = picture.size;
            View::note(format!(
                "{}: picture of {width}×{height} pixels",
                output.shown
            ))
        }
    }
}

fn lines(output: &Output, page: &LinePage) -> View {
    if page.total_lines == 0 {
        return View::note(format!("{} is empty.", output.shown));
    }
    View::of(Block::Code {
        path: output.shown.clone(),
        first_line: page.first + 1,
        lines: page.lines.iter().map(|line| line.text.clone()).collect(),
    })
}
