//! Playing a family's recording.

use std::collections::HashSet;
use std::future::Future;

use anyhow::Context as _;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use toolpost::core::{CallId, Event, EventKind};
use toolpost::host::Stop;
use toolpost::view::{Watch, reply as card};
use toolpost::{Controls, ModelReply, Reply, Selection, Session, Status, Toolset};

use super::checks::Checks;
use super::family::{Family, Recording, Turn};
use super::project::{TEST, files};
use super::screen::Screen;
use super::workshop::{Workshop, call};
use super::{Ending, Interrupted, Score};

/// A family's part of the demo, as it goes on.
struct Part<'a> {
    workshop: &'a Workshop,
    screen: &'a Screen,
    ending: &'a Stop,
    session: Session,
}

/// Plays a family's turns, then runs the project's own test. A step that fails is an ending; an error is a screen or
/// a machine that fails, or a person who has seen enough.
pub(super) async fn play(
    family: Family,
    workshop: &Workshop,
    screen: &Screen,
    ending: &Stop,
) -> anyhow::Result<Score> {
    let project = workshop.project(family);
    let recording = family.recording(&project)?;
    let Recording {
        model, wire, turns, ..
    } = &recording;
    screen.heading(family.name(), &[model, wire.name()])?;
    workshop.unpack(family).await?;
    let part = Part {
        workshop,
        screen,
        ending,
        session: workshop.session(&project)?,
    };
    let toolset = workshop
        .toolpost
        .toolset(&Selection::usual(recording.dialect))?;
    let mut calls = 0;
    for (index, turn) in turns.iter().enumerate() {
        match part.turn(turn, &recording, &toolset).await? {
            Ok(made) => calls += made,
            Err(why) => {
                let why = format!("stopped in turn {}: {why}", index + 1);
                screen.show("\n")?;
                screen.result(false, &why)?;
                return Ok(Score {
                    family,
                    turns: index,
                    calls,
                    ending: Ending::Failed(why),
                });
            }
        }
    }
    let checks = part.test().await?;
    let files = files(&project)?;
    Ok(Score {
        family,
        turns: turns.len(),
        calls,
        ending: Ending::Tested { checks, files },
    })
}

impl Part<'_> {
    /// Plays a turn: what the model says, then its calls. Gives how many there were, or why a step failed.
    async fn turn(
        &self,
        turn: &Turn,
        recording: &Recording,
        toolset: &Toolset,
    ) -> anyhow::Result<Result<usize, String>> {
        self.pause().await?;
        self.screen.say(&turn.say)?;
        self.pause().await?;
        let document = turn.reply.to_string();
        let controls = Controls::new();
        let toolpost = &self.workshop.toolpost;
        let events = toolpost.events();
        let answering = toolpost.answer(
            &self.session,
            toolset,
            ModelReply {
                wire: recording.wire,
                document: document.as_bytes(),
            },
            &controls,
        );
        let answered = self.watch(events, answering, &controls, |answered| match answered {
            Ok(answered) => &answered.replies,
            Err(_) => &[],
        });
        Ok(match answered.await? {
            Err(err) => Err(err.fact),
            Ok(answered) => match answered.replies.iter().find_map(failed) {
                Some(why) => Err(why),
                None if answered.append.is_none() => Err("the reply held no call".to_owned()),
                None => Ok(answered.replies.len()),
            },
        })
    }

    /// Runs the project's own test, with `shell.run` itself.
    async fn test(&self) -> anyhow::Result<Checks> {
        self.pause().await?;
        self.screen
            .aside("The recording is over. Does the project's own test really pass?")?;
        let toolset = self.workshop.own_toolset()?;
        let controls = Controls::new();
        let toolpost = &self.workshop.toolpost;
        let events = toolpost.events();
        let calls = vec![call("test", "shell.run", json!({ "command": TEST }))];
        let testing = toolpost.batch(&self.session, &toolset, calls, &controls);
        let answer = self.watch(events, testing, &controls, |answer| &answer.replies);
        let answer = answer.await?;
        let reply = answer.replies.first().context("the test had no reply")?;
        let state = &reply.body.state;
        let printed = state.get("output").and_then(Value::as_str);
        let exit_code = state.get("exit_code").and_then(Value::as_i64);
        let checks = Checks::read(printed.unwrap_or_default(), exit_code);
        self.screen.show("\n")?;
        self.screen.result(checks.all_pass(), &checks.to_string())?;
        Ok(checks)
    }

    /// Shows what happens while calls run, and all of it before their answer is given on.
    async fn watch<A>(
        &self,
        mut events: Receiver<Event>,
        answering: impl Future<Output = A>,
        controls: &Controls,
        replies: impl Fn(&A) -> &[Reply],
    ) -> anyhow::Result<A> {
        let mut watched = Watched::new(self.workshop, self.screen);
        tokio::pin!(answering);
        let answer = loop {
            tokio::select! {
                biased;
                _ = self.ending.raised(), if !controls.all_cancelled() => controls.cancel_all(),
                event = events.recv() => match event {
                    Ok(event) => watched.tell(&event)?,
                    // What was lost is made good from the replies.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => break answering.await,
                },
                answer = &mut answering => break answer,
            }
        };
        loop {
            match events.try_recv() {
                Ok(event) => watched.tell(&event)?,
                Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        watched.finish(replies(&answer))?;
        self.go_on()?;
        Ok(answer)
    }

    async fn pause(&self) -> anyhow::Result<()> {
        tokio::select! {
            () = self.screen.pause(&self.workshop.clock) => {}
            _ = self.ending.raised() => {}
        }
        self.go_on()
    }

    /// Controls here when a person asked for it.
    fn go_on(&self) -> anyhow::Result<()> {
        if self.ending.why().is_some() {
            return Err(Interrupted.into());
        }
        Ok(())
    }
}

/// The cards of a turn's calls on the screen.
struct Watched<'a> {
    workshop: &'a Workshop,
    screen: &'a Screen,
    watch: Watch,
    ended: HashSet<CallId>,
}

impl<'a> Watched<'a> {
    fn new(workshop: &'a Workshop, screen: &'a Screen) -> Self {
        Self {
            workshop,
            screen,
            watch: Watch::new(screen.style, workshop.kinds()),
            ended: HashSet::new(),
        }
    }

    fn tell(&mut self, event: &Event) -> std::io::Result<()> {
        if matches!(event.kind, EventKind::Ended { .. }) {
            self.ended.insert(event.call.clone());
        }
        self.screen.show(&self.watch.tell(event))
    }

    /// Shows what is left, and a card for each reply whose ending was missed.
    fn finish(self, replies: &[Reply]) -> std::io::Result<()> {
        self.screen.show(&self.watch.finish())?;
        let kind_of = self.workshop.kinds();
        for reply in replies {
            if !self.ended.contains(&reply.id) {
                let kind = kind_of(&reply.name);
                self.screen
                    .show(&card(reply, &reply.name, kind, &self.screen.style))?;
            }
        }
        Ok(())
    }
}

/// Why a call is no step forward, if it is not.
fn failed(reply: &Reply) -> Option<String> {
    if reply.status == Status::Ok {
        return None;
    }
    let fact = reply
        .body
        .failure
        .as_ref()
        .map(|failure| failure.fact.as_str());
    let (name, status) = (&reply.name, reply.status.name());
    Some(format!(
        "`{name}` ended {status}. {}",
        fact.unwrap_or_default()
    ))
}
