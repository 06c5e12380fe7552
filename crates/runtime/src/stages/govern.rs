//! Govern: what calls made becomes what may leave, within their own limits and the batch's.

use toolpost_core::{Body, Bounded, EventKind, Status};
use toolpost_govern::{Draft, Made};
use toolpost_store::StepKind;

use super::{Ended, Scene};

/// What is granted to a reply when no tool was found.
const UNRESOLVED_CHARS: usize = 4_000;

/// A call's end as it is told on: everything but the text.
pub(crate) struct Told {
    pub(crate) ended: Closed,
    pub(crate) draft: Draft,
}

/// What remains of a call once its outcome went into a draft.
pub(crate) struct Closed {
    pub(crate) call: toolpost_core::RawCall,
    pub(crate) status: Status,
}

/// Brings what a call made within its own limits, and writes down that it ended.
pub(crate) async fn draft(scene: &Scene<'_>, ended: Ended) -> Told {
    let (tool, failure, ran_ms) = (ended.tool(), ended.failure().cloned(), ended.ran_ms);
    let status = failure
        .as_ref()
        .map_or(Status::Ok, toolpost_core::Failure::status);
    let about = ended.entry.as_ref().map(|entry| entry.tool.about());
    let made = Made {
        outcome: ended.outcome,
        budget_chars: about
            .as_ref()
            .map_or(UNRESOLVED_CHARS, |about| about.budget_chars),
        keep: about.map_or(toolpost_core::Keep::Head, |about| about.keep),
        repairs: ended.repairs,
        notices: ended
            .notices
            .into_iter()
            .chain(scene.journal_notice())
            .collect(),
    };
    let draft = scene.session.gate().draft(made);
    let view = scene.session.gate().view(draft.view().clone());
    scene.publish(
        &ended.call,
        &tool,
        EventKind::Ended {
            status,
            view,
            ran_ms,
        },
    );
    let step = StepKind::Ended {
        status: status.name().to_owned(),
        code: failure.map(|failure| failure.code.name().to_owned()),
        ran_ms,
        chars_raw: draft.raw_chars(),
        chars_kept: draft.kept_chars(),
    };
    scene.write_down(&ended.call, step).await;
    Told {
        ended: Closed {
            call: ended.call,
            status,
        },
        draft,
    }
}

/// Seals a batch's drafts under its one budget.
pub(crate) fn seal(scene: &Scene<'_>, told: Vec<Told>) -> Vec<(Closed, Bounded<Body>)> {
    let (closed, drafts): (Vec<_>, Vec<_>) = told
        .into_iter()
        .map(|told| (told.ended, told.draft))
        .unzip();
    closed
        .into_iter()
        .zip(scene.session.gate().seal(drafts))
        .collect()
}
