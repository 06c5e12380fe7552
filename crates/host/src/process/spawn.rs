//! Starting a program.

use std::ffi::OsStr;
use std::io;
use std::process::Stdio;
use std::sync::Once;

use rustix::pipe::{PipeFlags, fcntl_setpipe_size, pipe_with};
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command};

use super::family::{Lineage, marker, strangers};
use super::{Spec, bare};
use crate::error::At;
use crate::read::require_folder;
use crate::{Fault, HostError};

/// How much the pipe holds: a burst of output does not stop the program. Linux grants a user 64 MiB of pipes.
pub(super) const PIPE_BYTES: usize = 256 * 1024;

/// A program that was started.
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) output: Receiver,
    pub(super) lineage: Lineage,
}

/// Starts a program in a session of its own, with both outputs in one pipe and no input.
pub(super) fn start(spec: &Spec) -> Result<Started, HostError> {
    become_reaper();
    require_folder(&spec.cwd).map_err(|err| match err.fault {
        Fault::NotFound => HostError::new(Fault::Gone, &spec.cwd, "the folder is not there"),
        _ => err,
    })?;
    let program = spec.program.as_os_str();
    let (read, write) = pipe_with(PipeFlags::CLOEXEC).at(program.as_ref())?;
    // A system that grants less is as good, only slower.
    let _ = fcntl_setpipe_size(&read, PIPE_BYTES);
    let output = Receiver::from_owned_fd(read).at(program.as_ref())?;
    let mark = marker::fresh();
    let mut command = Command::new(program);
    command
        .args(&spec.args)
        .current_dir(&spec.cwd)
        .env_clear()
        .envs(spec.env.iter().map(|(name, value)| (name, value)))
        .env(marker::NAME, &mark)
        .stdin(Stdio::null())
        .stdout(write.try_clone().at(program.as_ref())?)
        .stderr(write);
    bare::in_own_session(&mut command);
    strangers::open(|book| {
        let child = command.spawn().map_err(|err| not_started(program, &err))?;
        let lineage = Lineage::new(child.id().unwrap_or(0), mark, book);
        Ok(Started {
            child,
            output,
            lineage,
        })
    })
}

/// Says why a program could not be started.
fn not_started(program: &OsStr, err: &io::Error) -> HostError {
    if err.kind() != io::ErrorKind::ArgumentListTooLong {
        return HostError::from_io(program, err);
    }
    let detail =
        "the command line is too long for the system; put it into a file and run that file";
    HostError::new(Fault::TooLarge, program, detail)
}

/// Makes this process the one to which abandoned descendants come. A system that does not know that has fewer ways to
/// find them, and no fewer commands.
fn become_reaper() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        strangers::note_before();
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    });
}
