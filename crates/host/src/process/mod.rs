//! Running programs: nothing hangs, nothing is left.

mod environment;
mod orphans;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::{Fault, HostError, Permit, Sink, Stop, Why};

pub use environment::command_environment;
pub use orphans::{Orphan, Orphans};

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The program: a path, or a name that is looked up in `PATH` of `env`.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The folder it starts in.
    pub cwd: PathBuf,
    /// Its whole environment: nothing is inherited.
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

/// A process that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub end: End,
    /// How long it ran.
    pub duration_ms: u64,
    /// Why it was stopped, if it was.
    pub stopped: Option<Why>,
    /// The process, which led its group.
    pub pids: Vec<u32>,
    /// Its descendants that run on. They are in [`Orphans`], and can be ended there.
    pub left: Vec<u32>,
}

/// Runs a program to its end.
pub async fn run(
    permit: &Permit,
    spec: &Spec,
    sink: &mut dyn Sink,
    stop: &Stop,
) -> Result<Ended, HostError> {
    run_within(permit, spec, Limits::default(), sink, stop).await
}

/// Runs a program to its end, with other waiting times.
pub async fn run_within(
    permit: &Permit,
    spec: &Spec,
    limits: Limits,
    sink: &mut dyn Sink,
    stop: &Stop,
) -> Result<Ended, HostError> {
    let _ = (permit, limits, sink, stop);
    Err(HostError::new(
        Fault::Unsupported,
        Path::new(&spec.program),
        "not built",
    ))
}

/// The shell that runs commands: bash where it is, else the system's own. `SHELL` is not asked: what a model writes
/// must not depend on a person's taste.
#[must_use]
pub fn shell() -> OsString {
    let bash = "/bin/bash";
    if Path::new(bash).exists() {
        bash
    } else {
        "/bin/sh"
    }
    .into()
}
