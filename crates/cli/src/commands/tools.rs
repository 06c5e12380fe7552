//! `toolpost tools`: the list to send to a model.

use crate::args::{Common, ToolsArgs};
use crate::exit::Exit;
use crate::place::{Place, wire};
use crate::print::{line, note};

pub(crate) fn run(common: &Common, args: &ToolsArgs) -> anyhow::Result<Exit> {
    let place = Place::new(common)?;
    let toolset = place.toolset(&args.offering, Vec::new())?;
    let wire = wire(&args.offering, toolset.dialect())?;
    let listing = place.toolpost.list(&toolset, wire);
    // The list is good without the record of it; only a later `run --toolset` needs that.
    if common.session.is_some() {
        let session = place.session(common)?;
        place
            .toolpost
            .runtime()
            .remember(&session, Some(&toolset))?;
    } else if let Err(err) = place.toolpost.runtime().keep(&toolset) {
        note(&format!(
            "the toolset could not be kept for `run --toolset`: {err}"
        ));
    }
    for warning in &listing.warnings {
        note(&format!("warning: {warning}"));
    }
    match (common.json, args.prompt) {
        (true, _) => line(&listing.document().to_string())?,
        (false, true) => line(&listing.prompt)?,
        (false, false) => line(&serde_json::to_string_pretty(&listing.tools)?)?,
    }
    Ok(Exit::Done)
}
