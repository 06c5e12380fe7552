//! A line in, a line out, until the input ends: how programs in any language drive toolpost.

use std::collections::VecDeque;
use std::io::BufRead as _;

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use toolpost::core::{CallId, RawCall};
use toolpost::wire::plain::{self, Line, PlainError};
use toolpost::{Answer, Controls, Session, Toolpost, Toolset, Wire};

use crate::print::{line, note};

/// What lines are run with.
pub(crate) struct Desk<'a> {
    pub(crate) toolpost: &'a Toolpost,
    pub(crate) session: &'a Session,
    pub(crate) toolset: &'a Toolset,
    pub(crate) wire: Wire,
}

/// Something that came in and is to be answered, in its place in the order.
struct Job {
    controls: Controls,
    work: Work,
}

enum Work {
    /// Calls to be run; one that could not be read has its answer already.
    Calls(Vec<Result<RawCall, Value>>),
    /// A line that could not be read, and its answer.
    Unreadable(Value),
}

/// Answers lines until the input ends or the process is asked to end: in order, one batch after the other.
pub(crate) async fn serve(desk: &Desk<'_>) -> anyhow::Result<()> {
    let mut input = lines();
    let ending = crate::signals::ending();
    let mut waiting: VecDeque<Job> = VecDeque::new();
    loop {
        let Some(job) = waiting.pop_front() else {
            tokio::select! {
                biased;
                _ = ending.raised() => return Ok(()),
                came = input.recv() => match came {
                    Some(bytes) => desk.take(&bytes, &mut waiting, None),
                    None => return Ok(()),
                },
            }
            continue;
        };
        let answering = desk.answer(&job);
        tokio::pin!(answering);
        let answered = loop {
            tokio::select! {
                answered = &mut answering => break answered,
                // A closed input is no reason to hurry: what was read is answered.
                Some(bytes) = input.recv() => desk.take(&bytes, &mut waiting, Some(&job)),
                _ = ending.raised(), if !job.controls.all_cancelled() => {
                    waiting.iter().chain([&job]).for_each(|job| job.controls.cancel_all());
                }
            }
        };
        for text in answered {
            line(&text)?;
        }
    }
}

/// Reads standard input on a thread of its own: it may block for ever.
fn lines() -> UnboundedReceiver<Vec<u8>> {
    let (out, lines) = unbounded_channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut bytes = Vec::new();
            let came = input.read_until(b'\n', &mut bytes);
            if !came.is_ok_and(|count| count > 0) || out.send(bytes).is_err() {
                return;
            }
        }
    });
    lines
}

impl Desk<'_> {
    /// Takes a line: calls wait for their turn, a cancel counts at once.
    fn take(&self, bytes: &[u8], waiting: &mut VecDeque<Job>, running: Option<&Job>) {
        if bytes.trim_ascii().is_empty() {
            return;
        }
        let work = match self.wire {
            Wire::Plain => match plain::read(bytes) {
                Ok(Line::Batch(calls)) => {
                    let call = |call: Result<RawCall, PlainError>| {
                        call.map_err(|err| self.unreadable(&err))
                    };
                    Work::Calls(calls.into_iter().map(call).collect())
                }
                Ok(Line::Cancel(id)) => {
                    cancel(&id, running.into_iter().chain(waiting.iter()));
                    return;
                }
                Ok(Line::Answer { id, .. }) => {
                    note(&format!("no question is open for call `{id}`"));
                    return;
                }
                Err(err) => Work::Unreadable(self.unreadable(&err)),
            },
            _ => match toolpost::wire::read(self.wire, bytes) {
                Ok(turn) => {
                    turn.notices.iter().for_each(|notice| note(notice));
                    Work::Calls(turn.calls.into_iter().map(Ok).collect())
                }
                Err(err) => Work::Unreadable(
                    json!({ "error": { "fact": *self.pass(&err.fact), "hint": *self.pass(&err.hint) } }),
                ),
            },
        };
        waiting.push_back(Job {
            controls: Controls::new(),
            work,
        });
    }

    /// The lines that answer a job.
    async fn answer(&self, job: &Job) -> Vec<String> {
        let calls = match &job.work {
            Work::Calls(calls) => calls,
            Work::Unreadable(answer) => return vec![answer.to_string()],
        };
        let sound = calls
            .iter()
            .filter_map(|call| call.as_ref().ok().cloned())
            .collect();
        let (session, toolset) = (self.session, self.toolset);
        let Answer { replies, left } = self
            .toolpost
            .batch(session, toolset, sound, &job.controls)
            .await;
        tell_left(&left);
        if self.wire != Wire::Plain {
            return vec![
                toolpost::wire::write(self.wire, &replies)
                    .unwrap_or(Value::Null)
                    .to_string(),
            ];
        }
        let is_left = |call: &RawCall| left.iter().any(|left| left.id == call.id);
        let mut replies = replies.iter();
        let line = |call: &Result<RawCall, Value>| match call {
            Ok(call) if is_left(call) => None,
            Ok(_) => replies.next().map(|reply| plain::write(reply).to_string()),
            Err(answer) => Some(answer.to_string()),
        };
        calls.iter().filter_map(line).collect()
    }

    fn unreadable(&self, err: &PlainError) -> Value {
        let PlainError { id, failure } = err;
        json!({
            "id": id.clone().unwrap_or_default(),
            "status": failure.status().name(),
            "text": *self.pass(&failure.words()),
            "error": {
                "code": failure.code.name(),
                "fact": *self.pass(&failure.fact),
                "hint": *self.pass(&failure.hint),
            },
        })
    }

    /// What is said of a line that no call came of passes the gate too: it may quote the line.
    fn pass(&self, text: &str) -> toolpost::core::Bounded<String> {
        self.session.gate().text(text.to_owned())
    }
}

/// Takes a call back, wherever it is.
fn cancel<'a>(id: &CallId, mut jobs: impl Iterator<Item = &'a Job>) {
    let has = |job: &&Job| match &job.work {
        Work::Calls(calls) => calls.iter().flatten().any(|call| &call.id == id),
        Work::Unreadable(_) => false,
    };
    match jobs.find(has) {
        Some(job) => job.controls.cancel(id),
        None => note(&format!("no call `{id}` is running or waiting")),
    }
}

/// Names the calls that the caller runs itself.
pub(crate) fn tell_left(left: &[toolpost::Left]) {
    for call in left {
        note(&format!("left to the caller: {} ({})", call.name, call.id));
    }
}
