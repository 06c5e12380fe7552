//! Planning edits: one after another in memory, told as one change of the file.

use std::path::{Path, PathBuf};

use toolpost_core::{Cx, Look, ToolError};
use toolpost_host::{ContentHash, Expect, HostError, Splice};

use super::{Input, Made, Output, Step, at};
use crate::files::layers::Layers;
use crate::files::opened::Opened;
use crate::files::replacing::spliced;
use crate::files::sight::Glance;
use crate::files::snippet::Snippet;
use crate::files::{diff, lines, misses};
use crate::{blocking, fault};

/// How many changed places an answer shows.
const SNIPPETS: usize = 8;

/// Edits that can be made.
pub(super) struct Prepared {
    bytes: Vec<u8>,
    expect: Expect,
    path: PathBuf,
    pub(super) output: Output,
}

/// The text on its way from the first edit to the last.
struct Draft {
    text: String,
    layers: Layers,
    made: Vec<Made>,
}

impl Prepared {
    /// Finds out what the call would do to the file as it now is.
    pub(super) fn find(path: &Path, input: &Input, look: &Look) -> Result<Self, ToolError> {
        let file = Opened::read(path, look)?;
        let sight = Glance::of(look, path, &file);
        sight.permits_at_all()?;
        let mut draft = Draft {
            text: file.text.as_str().to_owned(),
            layers: Layers::on(file.text.as_str().len()),
            made: Vec::with_capacity(input.edits.len()),
        };
        for (index, step) in input.edits.iter().enumerate() {
            draft
                .make(step, &file.shown, &sight)
                .map_err(|err| at(index, err))?;
        }
        edited(path, &file, input, draft, &sight)
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

impl Draft {
    fn make(&mut self, step: &Step, shown: &str, sight: &Glance) -> Result<(), ToolError> {
        let wish = step.wish();
        let found = wish.locate(shown, &self.text)?;
        if !wish.is_evident(&found) {
            sight
                .permits()
                .map_err(|err| misses::unseen(err, &self.text, &found))?;
        }
        let splices = wish.splices(shown, &self.text, &found)?;
        let start = splices.first().map_or(0, |splice| splice.range.start);
        self.made.push(Made {
            replacements: u64::try_from(splices.len()).unwrap_or(u64::MAX),
            start_line: lines::number_at(&self.text, start),
            how: found.how,
        });
        self.text = spliced(&self.text, &splices);
        self.layers.add(&splices);
        Ok(())
    }
}

fn edited(
    path: &Path,
    file: &Opened,
    input: &Input,
    draft: Draft,
    sight: &Glance,
) -> Result<Prepared, ToolError> {
    let splices = draft.layers.splices();
    let bytes = file
        .text
        .replace(&splices)
        .map_err(|err| fault::told(&err, &file.shown, "edited"))?;
    if bytes == file.content.bytes {
        return Err(misses::no_change(&file.shown));
    }
    let end = |text| diff::End {
        shown: &file.shown,
        text,
    };
    let output = Output {
        given: input.path.clone(),
        shown: file.shown.clone(),
        path: path.to_path_buf(),
        diff: diff::between(Some(end(file.text.as_str())), Some(end(&draft.text))),
        snippets: snippets(&draft.text, &splices),
        made: draft.made,
        hash: ContentHash::of(&bytes),
        known: sight.once_changed(file.text.as_str(), &draft.text, &splices),
        note: None,
    };
    Ok(Prepared {
        path: path.to_path_buf(),
        bytes,
        expect: Expect::Content(file.content.hash),
        output,
    })
}

/// The first changed places; one that lies within what is shown already is not shown again.
fn snippets(after: &str, splices: &[Splice]) -> Vec<Snippet> {
    let mut all: Vec<Snippet> = Vec::new();
    let (mut came, mut went) = (0, 0);
    for splice in splices {
        let start = (splice.range.start + came).saturating_sub(went);
        came += splice.with.len();
        went += splice.range.len();
        let line = lines::number_at(after, start);
        if all.last().is_some_and(|last| last.shows(line, 3)) {
            continue;
        }
        if all.len() == SNIPPETS {
            break;
        }
        all.push(Snippet::around(after, start..start + splice.with.len()));
    }
    all
}
