//! Where the system is touched without the compiler's guard. The one place of this crate that is `unsafe`.
#![expect(
    unsafe_code,
    reason = "a session has to be made between fork and exec, and a descriptor to be watched"
)]

use std::os::fd::OwnedFd;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::process::Command;

/// Lets a program begin as the leader of a session of its own.
pub(super) fn in_own_session(command: &mut Command) {
    // SAFETY: between fork and exec only what is safe in a signal handler may be called; the closure makes one bare
    // system call, allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(|| {
            rustix::process::setsid()?;
            Ok(())
        });
    }
}

/// Waits until a descriptor can be read: for one of a process, until it has ended. Says whether it could be watched.
pub(super) async fn readable(fd: OwnedFd) -> bool {
    // SAFETY: the descriptor is owned by what watches it, so it stays open and the same for as long as it is watched.
    match unsafe { AsyncFd::register_with_interest(fd, Interest::READABLE) } {
        Ok(fd) => fd.readable().await.is_ok(),
        Err(_) => false,
    }
}
