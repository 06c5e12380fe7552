//! How the process ends.

use std::fmt;
use std::io::ErrorKind;
use std::process::ExitCode;

use toolpost::Status;

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It was done; a tool's error is a result too.
    Done,
    /// `call`: error, invalid, busy. Else: a check found something.
    Error,
    /// The command line or its input cannot be used.
    Usage,
    /// `call`: denied.
    Denied,
    /// `call`: the time was out.
    Timeout,
    /// `call`: cancelled.
    Cancelled,
    /// `call`: lost, or it may have happened.
    Unknown,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Error => 1,
            Exit::Usage => 2,
            Exit::Denied => 3,
            Exit::Timeout => 4,
            Exit::Cancelled => 5,
            Exit::Unknown => 6,
        })
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Self {
        match status {
            Status::Ok => Self::Done,
            Status::Error | Status::Invalid | Status::Busy => Self::Error,
            Status::Denied => Self::Denied,
            Status::Timeout => Self::Timeout,
            Status::Cancelled => Self::Cancelled,
            Status::Lost | Status::Unknown => Self::Unknown,
        }
    }
}

/// What a person typed or piped in cannot be used.
#[derive(Debug)]
pub(crate) struct Unusable {
    fact: String,
    hint: String,
}

impl Unusable {
    pub(crate) fn new(fact: impl fmt::Display, hint: impl fmt::Display) -> Self {
        Self {
            fact: fact.to_string(),
            hint: hint.to_string(),
        }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.fact)?;
        if self.hint.is_empty() {
            Ok(())
        } else {
            write!(out, "\nhint: {}", self.hint)
        }
    }
}

impl std::error::Error for Unusable {}

/// Tells an error on standard error. Whoever read our output may have seen enough: that is no error.
pub(crate) fn report(err: &anyhow::Error) -> Exit {
    let broken_pipe = |err: &std::io::Error| matches!(err.kind(), ErrorKind::BrokenPipe);
    if err
        .chain()
        .filter_map(|cause| cause.downcast_ref())
        .any(broken_pipe)
    {
        return Exit::Done;
    }
    crate::print::note(&format!("error: {err:#}"));
    if err.is::<Unusable>() {
        Exit::Usage
    } else {
        Exit::Error
    }
}
