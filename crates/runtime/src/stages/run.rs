//! Run: in its lane, within its deadline, cancellable. Panics end here.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use toolpost_core::{BoxFuture, Code, Cx, EventKind, Failure, Output, ToolError};
use toolpost_govern::Outcome;
use toolpost_host::{Stop, Why};
use toolpost_store::StepKind;

use super::decide::Granted;
use super::prepare::Prepared;
use super::{Ended, Scene};
use crate::captures::Watched;
use crate::deadline::deadline_ms;
use crate::toolset::Entry;

/// How long a call may wind down after it was stopped, in milliseconds; then it is dropped.
const WIND_DOWN_MS: u64 = 5_000;

type Made = Result<Output, ToolError>;

/// Runs a granted call to its end.
pub(crate) async fn run(scene: &Scene<'_>, granted: Granted) -> Ended {
    let Granted { prepared, permit } = granted;
    let Prepared {
        resolved,
        decoded,
        plan,
        ready,
        planned_as,
        notices,
        ..
    } = prepared;
    let tool = planned_as.tool.about();
    scene.publish(&resolved.call, tool.id, EventKind::Started);
    scene.write_down(&resolved.call, StepKind::Started).await;

    let clock = &scene.shared.parts.clock;
    let began = clock.now();
    let watched = Arc::new(Watched::new(scene, &resolved.call, tool.id));
    let cx = Cx {
        call: resolved.call.id.clone(),
        permit,
        files: scene.shared.transactions(),
        stop: Stop::new(),
        deadline_ms: deadline_ms(plan.wish_ms, &tool),
        progress: watched.clone(),
        captures: watched,
        look: scene.session.look(),
    };
    let before = scene.keep_before(&plan).await;
    let made = to_its_end(scene, &planned_as, ready.run(&cx), &cx).await;
    let ran_ms = u64::try_from(clock.now().saturating_sub(began).as_millis()).unwrap_or(u64::MAX);
    let (outcome, mut all_notices) = outcome(
        scene,
        made,
        &resolved.entry,
        cx.stop.why().map(|why| stopped(why, &cx)),
    );
    all_notices.splice(0..0, notices);
    all_notices.extend(scene.record_change(&resolved.call, &plan, before).await);
    Ended {
        call: resolved.call,
        entry: Some(resolved.entry),
        outcome,
        repairs: decoded.repairs,
        notices: all_notices,
        ran_ms,
    }
}

/// Waits for the work; raises its stop at the deadline or when the batch is stopped, and then waits a little longer.
async fn to_its_end(
    scene: &Scene<'_>,
    entry: &Entry,
    work: BoxFuture<'_, Made>,
    cx: &Cx,
) -> Option<Made> {
    let clock = &scene.shared.parts.clock;
    let work = AssertUnwindSafe(work).catch_unwind();
    tokio::pin!(work);
    let panicked = |_| Err(panicked(entry));
    tokio::select! {
        biased;
        made = &mut work => return Some(made.unwrap_or_else(panicked)),
        why = scene.controls.raised(&cx.call) => cx.stop.raise(why),
        () = clock.sleep(Duration::from_millis(cx.deadline_ms)) => cx.stop.raise(Why::Deadline),
    }
    tokio::select! {
        biased;
        made = &mut work => Some(made.unwrap_or_else(panicked)),
        () = clock.sleep(Duration::from_millis(WIND_DOWN_MS)) => None,
    }
}

/// What a call came to; the arbiter says how it ended, not the tool.
fn outcome(
    scene: &Scene<'_>,
    made: Option<Made>,
    entry: &Entry,
    stopped: Option<Failure>,
) -> (Outcome, Vec<String>) {
    let fail = |failure: Failure, state| {
        let words = entry.tool.failure(entry.face, &failure);
        (
            Outcome::Failed {
                failure,
                words,
                state,
            },
            Vec::new(),
        )
    };
    match (made, stopped) {
        (Some(Ok(output)), stopped) => {
            let mut notices = output.changes.notices.clone();
            if let Err(err) = scene.apply(&output.changes) {
                notices.push(format!(
                    "What this call saw could not be kept for later runs: {err}"
                ));
            }
            (Outcome::Output(output, stopped), notices)
        }
        (Some(Err(err)), stopped) => {
            let state = (*err.state).clone();
            fail(stopped.unwrap_or_else(|| Failure::from(err)), state)
        }
        (None, stopped) => fail(
            stopped.unwrap_or_else(super::taken_back),
            toolpost_core::State::new(),
        ),
    }
}

/// Why a call was stopped, for the reply.
fn stopped(why: Why, cx: &Cx) -> Failure {
    let (code, fact, hint) = match why {
        Why::Deadline => (
            Code::Timeout,
            format!(
                "The call was stopped after {} ms, the time it had.",
                cx.deadline_ms
            ),
            "Give it more time, or do less in one call.",
        ),
        Why::Cancelled => (
            Code::Cancelled,
            "The call was cancelled while it ran.".to_owned(),
            "",
        ),
    };
    Failure {
        code,
        fact,
        hint: hint.to_owned(),
        quote: String::new(),
        by: None,
    }
}

/// The failure of a tool that broke. Its message may hold anything, so it goes nowhere.
pub(crate) fn panicked(entry: &Entry) -> ToolError {
    let fact = format!(
        "The tool `{}` broke while it worked.",
        entry.tool.about().id
    );
    ToolError::new(Code::Internal, fact)
        .hint("Look at what it may have done before you try another way.")
}
