//! The calls of one reply, each answered exactly once, in order.

use std::sync::Mutex;

use futures::future::join_all;
use tokio::sync::oneshot;
use toolpost_core::{CallId, Code, Effects, RawCall, Reply, ToolError};

use crate::lanes::{Moment, Ticket, World};
use crate::stages::decide::{Granted, decide};
use crate::stages::govern::{Told, draft, seal};
use crate::stages::prepare::{Prepared, Unprepared, plan, prepare};
use crate::stages::reply::reply;
use crate::stages::resolve::resolve;
use crate::stages::run::run;
use crate::stages::{Ended, Scene, taken_back};
use crate::{Controls, Order, Runtime, Session, Toolset};

/// What a batch came to.
#[derive(Debug, Clone)]
pub struct Answer {
    /// One reply for each call of ours, in call order.
    pub replies: Vec<Reply>,
    /// The calls that the caller runs itself.
    pub left: Vec<Left>,
}

/// A call that the caller runs itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The call's id.
    pub id: CallId,
    /// The name that was called.
    pub name: String,
}

impl Runtime {
    /// Answers the calls of one reply of a model. Every call gets exactly one reply, also when it is taken back.
    pub async fn batch(
        &self,
        session: &Session,
        toolset: &Toolset,
        calls: Vec<RawCall>,
        controls: &Controls,
    ) -> Answer {
        let (left, ours): (Vec<_>, Vec<_>) = calls
            .into_iter()
            .partition(|call| toolset.left().contains(&call.name));
        let left = left
            .into_iter()
            .map(|call| Left {
                id: call.id,
                name: call.name,
            })
            .collect();
        let batch = self.new_batch_id(&ours);
        let scene = Scene {
            shared: &self.shared,
            session,
            toolset,
            controls,
            batch,
            unwritten: Mutex::default(),
        };
        let turns = Turn::of_all(ours.len());
        let ways = ours
            .into_iter()
            .zip(turns)
            .map(|(call, turn)| way(&scene, call, turn));
        let told: Vec<Told> = join_all(ways).await;
        let replies = seal(&scene, told)
            .into_iter()
            .map(|(closed, body)| reply(closed, body))
            .collect();
        Answer { replies, left }
    }

    /// An id for the journal: the moment and the calls' ids.
    fn new_batch_id(&self, calls: &[RawCall]) -> String {
        let clock = &self.shared.parts.clock;
        let ids: String = calls.iter().map(|call| call.id.0.as_str()).collect();
        let seed = format!(
            "{} {:?} {} {ids}",
            clock.wall(),
            clock.now(),
            std::process::id()
        );
        blake3::hash(seed.as_bytes())
            .to_hex()
            .chars()
            .take(16)
            .collect()
    }
}

/// The way of a call, from a model's words to a draft of its reply.
async fn way(scene: &Scene<'_>, call: RawCall, mut turn: Turn) -> Told {
    let ended = match walk(scene, call, &mut turn).await {
        Ok(ended) => ended,
        Err(ended) => *ended,
    };
    // A call that ended early still lets nobody overtake those before it.
    turn.mine().await;
    turn.pass();
    draft(scene, ended).await
}

/// The stages in their order; whichever ends the call ends the walk.
async fn walk(scene: &Scene<'_>, call: RawCall, turn: &mut Turn) -> Result<Ended, Box<Ended>> {
    let resolved = resolve(scene, call)?;
    let prepared = prepare(scene, resolved).await;
    // Calls are decided, and enter their lanes, in call order.
    turn.mine().await;
    let waiting = enter(scene, prepared).await?;
    turn.pass();
    let (granted, _ticket) = waiting.pass(scene).await?;
    let _room = scene.shared.room.acquire().await;
    Ok(run(scene, granted).await)
}

/// A call in its lane.
struct Waiting {
    ticket: Ticket,
    what: What,
}

/// What waits.
enum What {
    /// A granted call.
    Granted(Box<Granted>),
    /// A call that cannot run as things stand; earlier calls of the batch may change that.
    Unprepared(Box<Unprepared>),
}

/// Decides a call and takes its place in the lanes.
async fn enter(
    scene: &Scene<'_>,
    prepared: Result<Prepared, Unprepared>,
) -> Result<Waiting, Box<Ended>> {
    let what = match prepared {
        Ok(prepared) => What::Granted(Box::new(decide(scene, prepared).await?)),
        Err(unprepared) if unprepared.later.is_none() => return Err(unprepared.ended),
        Err(unprepared) => What::Unprepared(Box::new(unprepared)),
    };
    let effects = match (&what, scene.controls.order) {
        (What::Granted(granted), Order::ByEffects) => granted.prepared.plan.effects.clone(),
        (What::Unprepared(_), _) | (_, Order::Sequential) => Effects::EVERYTHING,
    };
    Ok(Waiting {
        ticket: scene.shared.lanes.enter(effects),
        what,
    })
}

impl Waiting {
    /// Waits for the lane. A plan from before the world changed is made again.
    async fn pass(self, scene: &Scene<'_>) -> Result<(Granted, Ticket), Box<Ended>> {
        let Self { ticket, what } = self;
        let world = tokio::select! {
            biased;
            _ = scene.controls.raised(what.call()) => return Err(what.taken_back()),
            world = ticket.turn(what.planned()) => world,
        };
        let granted = match (what, world) {
            (What::Granted(granted), World::Same) => *granted,
            (What::Granted(granted), World::Changed) => again(scene, *granted).await?,
            (What::Unprepared(unprepared), World::Same) => return Err(unprepared.ended),
            (What::Unprepared(unprepared), World::Changed) => at_last(scene, *unprepared).await?,
        };
        Ok((granted, ticket))
    }
}

impl What {
    fn call(&self) -> &CallId {
        match self {
            Self::Granted(granted) => &granted.prepared.resolved.call.id,
            Self::Unprepared(unprepared) => &unprepared.ended.call.id,
        }
    }

    fn planned(&self) -> Moment {
        match self {
            Self::Granted(granted) => granted.prepared.planned,
            Self::Unprepared(unprepared) => unprepared.planned,
        }
    }

    fn taken_back(self) -> Box<Ended> {
        let (call, entry) = match self {
            Self::Granted(granted) => {
                let resolved = granted.prepared.resolved;
                (resolved.call, Some(resolved.entry))
            }
            Self::Unprepared(unprepared) => (unprepared.ended.call, unprepared.ended.entry),
        };
        Box::new(Ended::failed(call, entry, taken_back()))
    }
}

/// Plans and decides a granted call again. It must still touch what it was granted, and nothing else.
async fn again(scene: &Scene<'_>, granted: Granted) -> Result<Granted, Box<Ended>> {
    let Prepared {
        resolved,
        decoded,
        plan: before,
        ..
    } = granted.prepared;
    let prepared = plan(scene, resolved, decoded)
        .await
        .map_err(|unprepared| unprepared.ended)?;
    if prepared.plan.effects != before.effects {
        let err = ToolError::new(
            Code::Stale,
            "What this call touches changed while it waited for an earlier one.",
        )
        .hint("Send the call again.");
        let resolved = prepared.resolved;
        return Err(Box::new(Ended::failed(
            resolved.call,
            Some(resolved.entry),
            err.into(),
        )));
    }
    decide(scene, prepared).await
}

/// Plans and decides a call that could not be planned before.
async fn at_last(scene: &Scene<'_>, unprepared: Unprepared) -> Result<Granted, Box<Ended>> {
    let Some((resolved, decoded)) = unprepared.later else {
        return Err(unprepared.ended);
    };
    let prepared = plan(scene, resolved, decoded)
        .await
        .map_err(|unprepared| unprepared.ended)?;
    decide(scene, prepared).await
}

/// A call's turn to be decided: after the one before it.
struct Turn {
    before: Option<oneshot::Receiver<()>>,
    after: Option<oneshot::Sender<()>>,
}

impl Turn {
    fn of_all(count: usize) -> Vec<Self> {
        let mut before = None;
        let next = |_| {
            let (after, gone) = oneshot::channel();
            Self {
                before: before.replace(gone),
                after: Some(after),
            }
        };
        (0..count).map(next).collect()
    }

    /// Waits for the turn; at once when it has come already.
    async fn mine(&mut self) {
        if let Some(before) = self.before.take() {
            // The other side only ever goes away; nothing is sent.
            let _ = before.await;
        }
    }

    /// Lets the next call have its turn.
    fn pass(&mut self) {
        self.after = None;
    }
}
