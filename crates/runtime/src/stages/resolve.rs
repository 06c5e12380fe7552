//! Resolve: a name and a frozen toolset make a tool.

use toolpost_core::{By, Code, EventKind, Failure, RawCall, Refusal};
use toolpost_wire::wire_name;

use super::{Ended, Scene};
use crate::selection::near;
use crate::stages::prepare;
use crate::toolset::Entry;

/// A call whose tool is known.
pub(crate) struct Resolved {
    pub(crate) call: RawCall,
    pub(crate) entry: Entry,
    pub(crate) notice: Option<String>,
}

/// Finds the tool of a call: an offered name, else a name of another family when it fits one family only.
pub(crate) fn resolve(scene: &Scene<'_>, call: RawCall) -> Result<Resolved, Box<Ended>> {
    if let Some(entry) = offered(scene, &call.name) {
        return Ok(found(scene, call, entry.clone(), None));
    }
    match of_another_family(scene, &call) {
        Some(entry) => {
            let notice = format!(
                "`{}` is not in the list; it was taken as {}'s name for `{}`.",
                call.name,
                entry.offer.dialect.0,
                entry.tool.about().id,
            );
            Ok(found(scene, call, entry, Some(notice)))
        }
        None => Err(refuse(scene, call)),
    }
}

fn found(scene: &Scene<'_>, call: RawCall, entry: Entry, notice: Option<String>) -> Resolved {
    scene.publish(&call, entry.tool.about().id, EventKind::Resolved);
    Resolved {
        call,
        entry,
        notice,
    }
}

/// The offered face that answers to a name, as it is or as it looks where no dot is allowed.
fn offered<'a>(scene: &'a Scene<'_>, name: &str) -> Option<&'a Entry> {
    let entries = scene.toolset.entries();
    let exact = entries.iter().find(|entry| entry.offer.answers_to(name));
    exact.or_else(|| {
        entries
            .iter()
            .find(|entry| wire_name(&entry.offer.name) == name)
    })
}

/// The one face among the reachable tools that the name and the arguments fit.
fn of_another_family(scene: &Scene<'_>, call: &RawCall) -> Option<Entry> {
    let named = scene.toolset.reachable().iter().flat_map(|tool| {
        let faces = tool.offers().into_iter().enumerate();
        let named = faces.filter(|(_, offer)| {
            offer.answers_to(&call.name) || wire_name(&offer.name) == call.name
        });
        named.map(|(face, offer)| Entry {
            tool: tool.clone(),
            face,
            offer,
        })
    });
    let fits = |entry: &Entry| prepare::decode(call, entry).is_ok();
    let candidates: Vec<Entry> = named.filter(fits).collect();
    match candidates.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

fn refuse(scene: &Scene<'_>, call: RawCall) -> Box<Ended> {
    let names = scene
        .toolset
        .entries()
        .iter()
        .map(|entry| wire_name(&entry.offer.name));
    let alike = near(&call.name, names.clone());
    let hint = match (alike.is_empty(), scene.toolset.entries().is_empty()) {
        (_, true) => "No tools are offered; answer without one.".to_owned(),
        (true, _) => format!("Call one of: {}.", names.collect::<Vec<_>>().join(", ")),
        (false, _) => format!("Did you mean {}?", alike.join(" or ")),
    };
    let refusal = Refusal {
        by: By::Registry,
        code: Code::UnknownTool,
        fact: format!("No tool `{}` is offered.", call.name),
        hint,
    };
    Box::new(Ended::failed(call, None, Failure::from(refusal)))
}
