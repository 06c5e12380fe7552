//! Prepare: arguments are read, mended, checked and planned. Looks, does not touch.

use serde_json::Value;
use toolpost_core::{
    AnyReady, By, Code, EventKind, Failure, Plan, Planned, RawCall, Repair, Shape, State, ToolError,
};
use toolpost_host::ContentHash;
use toolpost_store::StepKind;
use toolpost_wire::arguments::{Decoded, Expected};

use super::resolve::Resolved;
use super::{Ended, Scene};
use crate::lanes::Moment;
use crate::toolset::Entry;

/// A call that could run.
pub(crate) struct Prepared {
    pub(crate) resolved: Resolved,
    pub(crate) decoded: Decoded,
    pub(crate) plan: Plan,
    pub(crate) ready: Box<dyn AnyReady>,
    /// The face under which it is planned: the call's own, or that of the call made instead.
    pub(crate) planned_as: Entry,
    /// When it was planned.
    pub(crate) planned: Moment,
    pub(crate) notices: Vec<String>,
}

/// A call that cannot run as things stand.
pub(crate) struct Unprepared {
    pub(crate) ended: Box<Ended>,
    /// Whether it might once earlier calls of the batch are done: the arguments were sound, the plan was not.
    pub(crate) later: Option<(Resolved, Decoded)>,
    /// When planning was tried.
    pub(crate) planned: Moment,
}

/// Reads a call's arguments as its face wants them.
pub(crate) fn decode(call: &RawCall, entry: &Entry) -> Result<Decoded, ToolError> {
    let shape = entry.offer.shape();
    let free_field = match &shape {
        Shape::Free { field, .. } => Some(*field),
        Shape::Function(_) => None,
    };
    let expected = Expected {
        schema: shape.schema(),
        spellings: &entry.offer.spellings,
        courtesy: entry.offer.courtesy,
        free_field,
    };
    toolpost_wire::arguments::decode(&call.args, call.completeness, &expected)
}

/// Reads and plans a call, and writes down that a model asked for it.
pub(crate) async fn prepare(scene: &Scene<'_>, resolved: Resolved) -> Result<Prepared, Unprepared> {
    let decoded = match decode(&resolved.call, &resolved.entry) {
        Ok(decoded) => decoded,
        Err(err) => {
            propose(scene, &resolved, &Value::Null, None).await;
            let failure = Failure {
                by: Some(By::Schema),
                ..Failure::from(err.clone())
            };
            let ended = unprepared(resolved, failure, *err.state, Vec::new());
            return Err(Unprepared {
                ended: Box::new(ended),
                later: None,
                planned: scene.shared.lanes.now(),
            });
        }
    };
    show(scene, &resolved, &decoded.value);
    match plan(scene, resolved, decoded).await {
        Ok(prepared) => {
            let title = prepared.plan.title.clone();
            propose(
                scene,
                &prepared.resolved,
                &prepared.decoded.value,
                Some(title),
            )
            .await;
            Ok(prepared)
        }
        Err(unprepared) => {
            if let Some((resolved, decoded)) = &unprepared.later {
                propose(scene, resolved, &decoded.value, None).await;
            }
            Err(unprepared)
        }
    }
}

/// Plans a call whose arguments are sound; once more when the plan says that it is better made as another call.
pub(crate) async fn plan(
    scene: &Scene<'_>,
    resolved: Resolved,
    decoded: Decoded,
) -> Result<Prepared, Unprepared> {
    let planned = scene.shared.lanes.now();
    let mut planned_as = resolved.entry.clone();
    let mut args = decoded.value.clone();
    let mut notices: Vec<String> = resolved.notice.iter().cloned().collect();
    for _ in 0..2 {
        match plan_once(scene, &planned_as, args).await {
            Ok(Planned::Ready(plan, ready)) => {
                announce(scene, &resolved, &plan);
                return Ok(Prepared {
                    resolved,
                    decoded,
                    plan,
                    ready,
                    planned_as,
                    planned,
                    notices,
                });
            }
            Ok(Planned::Instead {
                id,
                args: others,
                why,
            }) => {
                let Some(entry) = plain_entry(scene, &id) else {
                    let fact = format!("This call is one of `{id}`, which is not offered.");
                    let err = ToolError::new(Code::UnknownTool, fact).hint(why);
                    return Err(failed(resolved, decoded, err, planned));
                };
                notices.push(why);
                (planned_as, args) = (entry, others);
            }
            Err(err) => return Err(failed(resolved, decoded, err, planned)),
        }
    }
    let fact = format!("`{}` could not be planned.", resolved.call.name);
    Err(failed(
        resolved,
        decoded,
        ToolError::new(Code::Internal, fact),
        planned,
    ))
}

async fn plan_once(
    scene: &Scene<'_>,
    entry: &Entry,
    args: Value,
) -> Result<Planned<Box<dyn AnyReady>>, ToolError> {
    let look = scene.session.look();
    let planning = entry.tool.clone().plan(entry.face, args, &look);
    let unwound = std::panic::AssertUnwindSafe(planning);
    let planned = futures::FutureExt::catch_unwind(unwound).await;
    planned.unwrap_or_else(|_| Err(super::run::panicked(entry)))
}

/// The plain face of a reachable tool.
fn plain_entry(scene: &Scene<'_>, id: &str) -> Option<Entry> {
    let tool = scene.toolset.tool(id)?.clone();
    let offer = tool.offers().into_iter().next()?;
    Some(Entry {
        tool,
        face: 0,
        offer,
    })
}

fn failed(resolved: Resolved, decoded: Decoded, err: ToolError, planned: Moment) -> Unprepared {
    let repairs = decoded.repairs.clone();
    let state = (*err.state).clone();
    let again = Resolved {
        call: resolved.call.clone(),
        entry: resolved.entry.clone(),
        notice: resolved.notice.clone(),
    };
    let ended = unprepared(resolved, Failure::from(err), state, repairs);
    Unprepared {
        ended: Box::new(ended),
        later: Some((again, decoded)),
        planned,
    }
}

fn unprepared(resolved: Resolved, failure: Failure, state: State, repairs: Vec<Repair>) -> Ended {
    let notices = resolved.notice.into_iter().collect();
    Ended::failed(resolved.call, Some(resolved.entry), failure).with(state, repairs, notices)
}

/// Tells observers with which arguments a call came.
fn show(scene: &Scene<'_>, resolved: &Resolved, args: &Value) {
    let shown = scene.session.gate().text(args.to_string());
    scene.publish(
        &resolved.call,
        resolved.entry.tool.about().id,
        EventKind::Arguments(shown),
    );
}

/// Writes down that a model asked for it.
async fn propose(scene: &Scene<'_>, resolved: &Resolved, args: &Value, title: Option<String>) {
    let args_hash = ContentHash::of(args.to_string().as_bytes());
    let tool = resolved.entry.tool.about().id.to_owned();
    let title = title.map(|title| scene.session.gate().text(title).to_string());
    scene
        .write_down(
            &resolved.call,
            StepKind::Proposed {
                tool,
                args_hash,
                title,
            },
        )
        .await;
}

fn announce(scene: &Scene<'_>, resolved: &Resolved, plan: &Plan) {
    let gate = scene.session.gate();
    let kind = EventKind::Planned {
        title: gate.text(plan.title.clone()),
        preview: gate.view(plan.preview.clone()),
    };
    scene.publish(&resolved.call, resolved.entry.tool.about().id, kind);
}
