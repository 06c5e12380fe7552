//! Running programs: nothing hangs, nothing is left.
//!
//! A program is the leader of its own session, with both its outputs in one pipe. This process is the sub-reaper of
//! all that it starts, so what a command leaves behind becomes a child of this process and can be found.

mod bare;
mod ending;
mod environment;
mod family;
mod orphans;
mod output;
mod spawn;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use crate::error::At;
use crate::{HostError, Permit, Sink, Stop, Why};

pub use environment::command_environment;
pub use orphans::{Orphan, OrphanWatch, Orphans};

use ending::Guard;
use output::Output;

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The program: a path, or a name that is looked up in `PATH` of `env`.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The folder it starts in.
    pub cwd: PathBuf,
    /// Its whole environment: nothing is inherited. One variable is added, by which its descendants are known.
    pub env: Vec<(OsString, OsString)>,
}

/// How long the engine waits, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long processes may take to end when they are asked to, before they are killed.
    pub grace_ms: u64,
    /// How long output is still read after the process has ended while another one holds the pipe.
    pub drain_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            grace_ms: 2_000,
            drain_ms: 150,
        }
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
}

impl End {
    fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exited(code),
            (None, signal) => Self::Signalled(signal.unwrap_or(0)),
        }
    }
}

/// A process that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub end: End,
    /// How long it ran.
    pub duration_ms: u64,
    /// Why it was stopped, if it was.
    pub stopped: Option<Why>,
    /// The process, which led its group; empty when it was stopped before it began.
    pub pids: Vec<u32>,
    /// Its descendants that run on. They are in [`Orphans`], and can be ended there. After a stop there are none, but
    /// for what is stuck in the kernel.
    pub left: Vec<u32>,
}

/// Runs a program to its end.
///
/// The end is when the *process* ends, then output is read for a moment more: a child that keeps the pipe does not hold
/// the call up. When `stop` is raised the process and all its descendants are asked to end, then killed, and none is
/// left when this returns. The same when the future is dropped, without asking. What the program prints to either of
/// its outputs goes into `sink` as it comes; it has no input.
///
/// Errors: the folder is gone ([`crate::Fault::Gone`]) or no folder, or there is no such program
/// ([`crate::Fault::NotFound`]).
pub async fn run(
    permit: &Permit,
    spec: &Spec,
    sink: &mut dyn Sink,
    stop: &Stop,
) -> Result<Ended, HostError> {
    run_within(permit, spec, Limits::default(), sink, stop).await
}

/// Runs a program to its end as [`run`] does, with other waiting times.
pub async fn run_within(
    _permit: &Permit,
    spec: &Spec,
    limits: Limits,
    sink: &mut dyn Sink,
    stop: &Stop,
) -> Result<Ended, HostError> {
    if let Some(why) = stop.why() {
        return Ok(never_begun(why));
    }
    let begin = Instant::now();
    let mut started = spawn::start(spec)?;
    let mut guard = Guard::new(started.lineage);
    let mut output = Output::new(started.output, sink);
    let program = Path::new(&spec.program);
    let stopped = tokio::select! {
        status = output.read_until(started.child.wait()) => { status.at(program)?; None }
        why = stop.raised() => Some(why),
    };
    if stopped.is_some() {
        let grace = Duration::from_millis(limits.grace_ms);
        output.read_until(guard.lineage.end(grace)).await;
    }
    let status = started.child.wait().await.at(program)?;
    output.drain(Duration::from_millis(limits.drain_ms)).await;
    let lineage = guard.release();
    let leader = lineage.leader();
    Ok(Ended {
        end: End::of(status),
        duration_ms: u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX),
        stopped,
        pids: vec![leader],
        left: orphans::take_over(lineage),
    })
}

fn never_begun(why: Why) -> Ended {
    Ended {
        end: End::Signalled(rustix::process::Signal::TERM.as_raw()),
        duration_ms: 0,
        stopped: Some(why),
        pids: Vec::new(),
        left: Vec::new(),
    }
}

/// The shell that runs commands: bash where it is, else the system's own. `SHELL` is not asked: what a model writes
/// must not depend on a person's taste.
#[must_use]
pub fn shell() -> OsString {
    let bash = "/bin/bash";
    if Path::new(bash).exists() {
        bash.into()
    } else {
        "/bin/sh".into()
    }
}
