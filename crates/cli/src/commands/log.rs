//! `toolpost log`: the journal.

use serde_json::{Value, json};
use toolpost::store::{JournalFilter, StepKind, StepRecord};

use crate::args::{Common, LogArgs};
use crate::exit::Exit;
use crate::place::Place;
use crate::print::{line, note, one_line};

pub(crate) fn run(common: &Common, args: &LogArgs) -> anyhow::Result<Exit> {
    let place = Place::new(common)?;
    let filter = JournalFilter {
        session: common.session.clone(),
        call: args.call.clone(),
        since: None,
        limit: Some(args.limit),
    };
    let steps = place.toolpost.runtime().store().steps(&filter)?;
    if steps.is_empty() {
        note("The journal has no such step.");
    }
    for step in &steps {
        line(&if common.json {
            document(step).to_string()
        } else {
            words(step)
        })?;
    }
    Ok(Exit::Done)
}

fn document(step: &StepRecord) -> Value {
    json!({
        "seq": step.seq,
        "at": step.at.to_string(),
        "session": step.session,
        "batch": step.batch,
        "call": step.call,
        "step": step.what,
    })
}

fn words(step: &StepRecord) -> String {
    let what = match &step.what {
        StepKind::Proposed { tool, title, .. } => {
            format!(
                "proposed  {}  {}",
                one_line(tool),
                one_line(title.as_deref().unwrap_or_default())
            )
        }
        StepKind::Decided { verdict, rule } => format!("decided   {verdict} ({rule})"),
        StepKind::Started => "started".to_owned(),
        StepKind::Ended {
            status,
            code,
            ran_ms,
            chars_raw,
            chars_kept,
        } => {
            let code = code
                .as_ref()
                .map(|code| format!(" {code}"))
                .unwrap_or_default();
            format!("ended     {status}{code}  {ran_ms} ms  {chars_kept} of {chars_raw} characters")
        }
    };
    format!(
        "{:.0}  {}  {:<12} {}",
        step.at,
        step.batch,
        one_line(&step.call),
        what.trim_end()
    )
}
