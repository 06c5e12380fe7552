//! Decide: rules and a mode make a plan granted or refused. Silence never means yes.

use toolpost_core::{By, Code, Decision, EventKind, Failure, Refusal, State};
use toolpost_host::Permit;
use toolpost_policy::{Question, Verdict};
use toolpost_store::StepKind;

use super::prepare::Prepared;
use super::{Ended, Scene};

/// A call that may run.
pub(crate) struct Granted {
    pub(crate) prepared: Prepared,
    pub(crate) permit: Permit,
}

/// Decides a prepared call.
pub(crate) async fn decide(scene: &Scene<'_>, prepared: Prepared) -> Result<Granted, Box<Ended>> {
    let question = Question {
        plan: &prepared.plan,
        roots: &scene.session.kept.roots,
        own_places: &scene.shared.parts.own_places,
        mode: scene.session.kept.mode,
    };
    let verdict = toolpost_policy::decide(&question);
    tell(scene, &prepared, &verdict).await;
    match verdict.decision {
        Decision::Allow => Ok(Granted {
            prepared,
            permit: issue(),
        }),
        Decision::Ask => Err(refuse(prepared, unanswered(verdict))),
        Decision::Deny => Err(refuse(prepared, verdict)),
    }
}

/// The one place where a permit comes from.
pub(crate) fn issue() -> Permit {
    Permit::issue()
}

/// With nobody to ask, a question is answered no, in words that the model can act on.
fn unanswered(verdict: Verdict) -> Verdict {
    let fact = format!("{} Nobody could be asked.", verdict.fact);
    Verdict { fact, ..verdict }
}

fn refuse(prepared: Prepared, verdict: Verdict) -> Box<Ended> {
    let Verdict {
        code, fact, hint, ..
    } = verdict;
    debug_assert!(matches!(code, Code::Denied | Code::Outside));
    let failure = Failure::from(Refusal {
        by: By::Policy,
        code,
        fact,
        hint,
    });
    let Prepared {
        resolved,
        decoded,
        notices,
        ..
    } = prepared;
    let ended = Ended::failed(resolved.call, Some(resolved.entry), failure);
    Box::new(ended.with(State::new(), decoded.repairs, notices))
}

async fn tell(scene: &Scene<'_>, prepared: &Prepared, verdict: &Verdict) {
    let call = &prepared.resolved.call;
    let tool = prepared.resolved.entry.tool.about().id;
    let rule = verdict.rule.clone();
    let name = match verdict.decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    };
    scene.publish(
        call,
        tool,
        EventKind::Decided {
            verdict: verdict.decision,
            rule: rule.clone(),
        },
    );
    scene
        .write_down(
            call,
            StepKind::Decided {
                verdict: name.to_owned(),
                rule,
            },
        )
        .await;
}
