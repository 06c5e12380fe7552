//! A story, from its first block to its last.

use toolpost::Dialect;

use crate::compare::missing;
use crate::disk::Place;
use crate::door::{Door, DoorError, Replied, Visit};
use crate::edit::{Edit, of_body, of_content};
use crate::mismatch::{Difference, Mismatch, diff};
use crate::story::{Args, Batch, Block, Call, Expected, Step, Story};
use crate::vary::{in_words_of, with_workspace, without_workspace};

/// Runs a story through a door, in a workspace of its own.
///
/// # Errors
/// Something came otherwise than the story says, or the door failed.
pub fn run(story: &Story, door: &dyn Door) -> Result<(), Mismatch> {
    let differences = play(story, door);
    if differences.is_empty() {
        return Ok(());
    }
    Err(Mismatch {
        heading: story.heading.clone(),
        door: door.name(),
        differences,
    })
}

/// Runs a story and tells everything that came otherwise.
pub(crate) fn play(story: &Story, door: &dyn Door) -> Vec<Difference> {
    let place = match Place::new() {
        Ok(place) => place,
        Err(err) => {
            return vec![plain(
                story,
                story.line,
                format!("There is no workspace: {err}."),
            )];
        }
    };
    let mut found = Vec::new();
    let played = door.start(&place, &story.policy).and_then(|mut visit| {
        let scene = Scene {
            story,
            place: &place,
        };
        for step in &story.steps {
            scene.step(step, &mut *visit, &mut found)?;
        }
        visit.leave()
    });
    if let Err(DoorError(fact)) = played {
        let fact = without_workspace(&fact, &place.workspace());
        found.push(plain(story, story.line, fact));
    }
    found
}

fn plain(story: &Story, line: usize, fact: String) -> Difference {
    Difference {
        file: story.file.clone(),
        line,
        fact,
        diff: String::new(),
        edits: Vec::new(),
    }
}

struct Scene<'a> {
    story: &'a Story,
    place: &'a Place,
}

impl Scene<'_> {
    fn step(
        &self,
        step: &Step,
        visit: &mut dyn Visit,
        found: &mut Vec<Difference>,
    ) -> Result<(), DoorError> {
        match step {
            Step::Given { path, given, line } => {
                if let Err(err) = self.place.put(path, given) {
                    let fact = format!("`{path}` cannot be put there: {err}.");
                    found.push(plain(self.story, *line, fact));
                }
            }
            Step::Batch(batch) => self.batch(batch, visit, found)?,
            Step::Then {
                path,
                content,
                block,
            } => found.extend(self.then(path, content, block)),
            Step::Gone { path, line } => {
                if !self.place.is_gone(path) {
                    let fact = format!("`{path}` is still there.");
                    found.push(plain(self.story, *line, fact));
                }
            }
        }
        Ok(())
    }

    fn batch(
        &self,
        batch: &Batch,
        visit: &mut dyn Visit,
        found: &mut Vec<Difference>,
    ) -> Result<(), DoorError> {
        if let Some(line) = batch.asks {
            let fact =
                "Questions cannot be asked in stories yet: `asks` and `answer` are not built.";
            found.push(plain(self.story, line, fact.to_owned()));
            return Ok(());
        }
        let calls: Vec<Call> = batch.calls.iter().map(|call| self.here(call)).collect();
        let replies = visit.batch(batch.dialect, &calls)?;
        if replies.len() != calls.len() {
            let fact = format!("{} calls got {} replies.", calls.len(), replies.len());
            return Err(DoorError(fact));
        }
        for (expected, replied) in batch.replies.iter().zip(&replies) {
            found.extend(self.reply(expected, replied, batch.dialect));
            found.extend(self.state(expected, replied));
            found.extend(self.view(expected, replied));
        }
        Ok(())
    }

    /// A call with the real workspace in its arguments.
    fn here(&self, call: &Call) -> Call {
        let workspace = self.place.workspace();
        let here = |text: &str| with_workspace(text, &workspace);
        let args = match &call.args {
            Args::Raw(text) => Args::Raw(here(text)),
            Args::Free(text) => Args::Free(here(text)),
            Args::Json(map) => {
                let mut map = map.clone();
                map.values_mut().for_each(|value| each_text(value, &here));
                Args::Json(map)
            }
        };
        Call {
            args,
            ..call.clone()
        }
    }

    fn reply(
        &self,
        expected: &Expected,
        replied: &Replied,
        dialect: Dialect,
    ) -> Option<Difference> {
        let block = &expected.text;
        let body = self.in_words_of(block, &replied.text);
        let ended_so = expected.ending == replied.ending;
        if ended_so && body == block.text {
            return None;
        }
        let mut edits = of_body(block, &body);
        let fact = if ended_so {
            "The model reads something else.".to_owned()
        } else {
            edits.push(Edit {
                range: block.site.info.clone(),
                with: format!("reply {}", replied.ending),
            });
            format!(
                "The call ended `{}`, not `{}` ({} dialect).",
                replied.ending, expected.ending, dialect.0
            )
        };
        Some(self.differs(block, fact, &body, edits))
    }

    fn state(&self, expected: &Expected, replied: &Replied) -> Option<Difference> {
        let state = expected.state.as_ref()?;
        let mut got = serde_json::Value::Object(replied.state.clone());
        let workspace = self.place.workspace();
        each_text(&mut got, &|text| without_workspace(text, &workspace));
        let missing = missing(&state.values, got.as_object()?);
        let fact = missing.join(" ");
        (!missing.is_empty()).then(|| plain(self.story, state.line, fact))
    }

    fn view(&self, expected: &Expected, replied: &Replied) -> Option<Difference> {
        let (block, view) = (expected.view.as_ref()?, replied.view.as_ref()?);
        let body = self.in_words_of(block, view.strip_suffix('\n').unwrap_or(view));
        let edits = of_body(block, &body);
        let fact = "A person sees something else.".to_owned();
        (body != block.text).then(|| self.differs(block, fact, &body, edits))
    }

    fn then(&self, path: &str, content: &[u8], block: &Block) -> Option<Difference> {
        let found = match self.place.content(path) {
            Ok(found) if found == content => return None,
            Ok(found) => found,
            Err(err) => {
                let fact = format!("`{path}` cannot be read: {err}.");
                return Some(plain(self.story, block.line, fact));
            }
        };
        let edits = of_content(block, path, content, &found);
        let fact = format!("`{path}` holds something else.");
        Some(Difference {
            diff: diff(&shown(content), &shown(&found)),
            edits,
            ..plain(self.story, block.line, fact)
        })
    }

    /// What came, as a block would hold it that expects what this one does.
    fn in_words_of(&self, block: &Block, came: &str) -> String {
        if came.is_empty() {
            return String::new();
        }
        let came = without_workspace(came, &self.place.workspace());
        in_words_of(&block.text, &format!("{came}\n"))
    }

    fn differs(&self, block: &Block, fact: String, body: &str, edits: Vec<Edit>) -> Difference {
        Difference {
            diff: diff(&block.text, body),
            edits,
            ..plain(self.story, block.line, fact)
        }
    }
}

/// Changes every text in a value.
fn each_text(value: &mut serde_json::Value, change: &dyn Fn(&str) -> String) {
    match value {
        serde_json::Value::String(text) => *text = change(text),
        serde_json::Value::Array(values) => {
            values.iter_mut().for_each(|value| each_text(value, change));
        }
        serde_json::Value::Object(map) => {
            map.values_mut().for_each(|value| each_text(value, change));
        }
        _ => {}
    }
}

/// A file's content for a reader.
fn shown(content: &[u8]) -> String {
    match std::str::from_utf8(content) {
        Ok(text) => text.replace('\r', "\\r"),
        Err(_) => content.escape_ascii().to_string(),
    }
}

#[cfg(test)]
mod tests;
