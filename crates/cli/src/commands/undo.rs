//! `toolpost undo`: what calls changed is put back.

use serde_json::{Value, json};
use toolpost::store::{ChangeFilter, ChangeId, Changed};
use toolpost::view::{Style, draw};
use toolpost::{Restoring, UndoError};

use crate::args::{Common, UndoArgs};
use crate::exit::{Exit, Unusable};
use crate::place::Place;
use crate::print::{line, one_line};

/// The largest file of which it is shown what has changed since, in bytes.
const SHOWN_BYTES: u64 = 10_000_000;

pub(crate) fn run(common: &Common, args: &UndoArgs) -> anyhow::Result<Exit> {
    let place = Place::new(common)?;
    // Whatever a killed process left half done is settled first.
    place.session(common)?;
    let runtime = place.toolpost.runtime();
    for changed in &chosen(&place, common, args)? {
        let done = runtime.undoing(changed).and_then(|steps| {
            let undoing = match args.preview {
                true => None,
                false => runtime.undo(changed, &format!("Undo: {}", changed.title))?,
            };
            Ok(Done { steps, undoing })
        });
        match done {
            Ok(done) if common.json => line(&done.document(changed).to_string())?,
            Ok(done) => line(&done.words(&place, changed))?,
            Err(err) => return Err(refusal(&place, changed, &err)?.into()),
        }
    }
    Ok(Exit::Done)
}

/// What was done, or would be.
struct Done {
    steps: Vec<Restoring>,
    undoing: Option<ChangeId>,
}

/// The changes that are meant, in the order in which they are undone.
fn chosen(place: &Place, common: &Common, args: &UndoArgs) -> anyhow::Result<Vec<Changed>> {
    let runtime = place.toolpost.runtime();
    let Some(id) = &args.id else {
        let mut latest = runtime.undoable(common.session.as_deref(), usize::MAX)?;
        // Without a name, only what was changed here is meant.
        latest.retain(|changed| {
            changed
                .files
                .iter()
                .all(|file| file.path.starts_with(&place.cwd))
        });
        latest.truncate(args.last.unwrap_or(1));
        if latest.is_empty() {
            let hint = "`toolpost log` shows what calls did; what commands change is not covered.";
            return Err(Unusable::new("There is nothing to undo.", hint).into());
        }
        return Ok(latest);
    };
    let any = ChangeFilter::default;
    let number = id.parse().ok().map(|number| ChangeFilter {
        id: Some(ChangeId(number)),
        ..any()
    });
    let call = ChangeFilter {
        call: Some(id.clone()),
        ..any()
    };
    for filter in number.into_iter().chain([call]) {
        if let Some(changed) = runtime.store().changes(&filter)?.pop() {
            return Ok(vec![changed]);
        }
    }
    let hint = "Give a call's id, or a number that `toolpost undo --preview --last 20` shows.";
    Err(Unusable::new(format!("No change of `{id}` is known."), hint).into())
}

impl Done {
    fn words(&self, place: &Place, changed: &Changed) -> String {
        let what = match self.undoing {
            Some(id) => format!("Undone (`toolpost undo {id}` takes that back)"),
            None => "Would undo".to_owned(),
        };
        let mut text = format!(
            "{what}: change {}, {}\n",
            changed.id,
            one_line(&changed.title)
        );
        for step in &self.steps {
            let shown = step.path.strip_prefix(&place.cwd).unwrap_or(&step.path);
            let (now, then) = (step.now.as_deref(), step.then.as_deref());
            let view = toolpost::tools::compare(&shown.to_string_lossy(), now, then);
            text += &draw(&view, &Style::PLAIN);
        }
        text
    }

    fn document(&self, changed: &Changed) -> Value {
        let files = self.steps.iter().map(|step| {
            let shown = step.path.to_string_lossy();
            let (now, then) = (step.now.as_deref(), step.then.as_deref());
            json!({ "path": shown, "view": toolpost::tools::compare(&shown, now, then) })
        });
        json!({
            "change": changed.id.0,
            "call": changed.call,
            "title": changed.title,
            "undone_as": self.undoing.map(|id| id.0),
            "files": files.collect::<Vec<_>>(),
        })
    }
}

/// Why a change cannot be undone; what has changed since is shown where it is known.
fn refusal(place: &Place, changed: &Changed, err: &UndoError) -> anyhow::Result<Unusable> {
    let hint = match err {
        UndoError::Undone(_) => "Undo the undoing by its own number to have the change again.",
        UndoError::ChangedSince(paths) => {
            for path in paths {
                line(&since(place, changed, path)?)?;
            }
            "Undo the later changes first, or put the files right by hand."
        }
        _ => "",
    };
    let fact = format!("Change {}, {}: {err}", changed.id, one_line(&changed.title));
    Ok(Unusable::new(fact, hint))
}

/// What a file holds now, beside what it held before the change.
fn since(place: &Place, changed: &Changed, path: &std::path::Path) -> anyhow::Result<String> {
    let shown = path.to_string_lossy();
    let file = changed.files.iter().find(|file| file.path == path);
    let hash = file.and_then(|file| file.before).map(|image| image.hash);
    let store = place.toolpost.runtime().store();
    let mut before = Vec::new();
    if let Some(mut reader) = hash.map(|hash| store.image(hash)).transpose()?.flatten() {
        std::io::Read::read_to_end(&mut reader, &mut before)?;
    }
    let before = hash.map(|_| before.as_slice());
    let now = toolpost::host::read_whole(path, SHOWN_BYTES)
        .ok()
        .map(|content| content.bytes);
    let view = toolpost::tools::compare(&shown, before, now.as_deref());
    Ok(format!(
        "Before the change and now:\n{}",
        draw(&view, &Style::PLAIN)
    ))
}
