//! Ending a command with all its descendants.

use std::collections::BTreeSet;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use tokio::time::timeout;

use super::bare;
use super::family::{Lineage, Process, raw_pid, strangers};

/// How long killed processes may take to go. One that does not is stuck in the kernel, and told.
const KILL_WAIT: Duration = Duration::from_secs(5);
/// How long a round of waiting is, before new descendants are looked for.
const ROUND: Duration = Duration::from_millis(100);
/// How long a process is waited for that cannot be watched.
const BLIND_WAIT: Duration = Duration::from_millis(10);
/// How long a dropped run is given, in which nothing else can happen on the thread.
const DROP_WAIT: Duration = Duration::from_millis(500);

impl Lineage {
    /// Asks all to end, waits for as long as `grace`, kills what is left, and looks that none is. Gives those that
    /// could not be ended.
    pub(super) async fn end(&mut self, grace: Duration) -> Vec<u32> {
        let asked_until = Instant::now() + grace;
        let mut asked = BTreeSet::new();
        while Instant::now() < asked_until {
            let members = self.members();
            if members.is_empty() {
                break;
            }
            for process in &members {
                if asked.insert((process.pid, process.began)) {
                    send(process, Signal::TERM);
                    // One that was halted cannot hear.
                    send(process, Signal::CONT);
                }
            }
            let left = asked_until.saturating_duration_since(Instant::now());
            wait_for(&members, left.min(ROUND)).await;
        }
        self.kill().await
    }

    /// Kills all, until none is found twice.
    pub(super) async fn kill(&mut self) -> Vec<u32> {
        let until = Instant::now() + KILL_WAIT;
        let mut empty = 0;
        while empty < 2 {
            let members = self.members();
            if members.is_empty() {
                empty += 1;
                continue;
            }
            if Instant::now() >= until {
                return members.iter().map(|process| process.pid).collect();
            }
            empty = 0;
            for process in &members {
                send(process, Signal::KILL);
            }
            wait_for(&members, ROUND).await;
        }
        Vec::new()
    }

    /// Kills all at once, without a runtime to wait in.
    pub(super) fn kill_now(&mut self) {
        let until = Instant::now() + DROP_WAIT;
        loop {
            let members = self.members();
            if members.is_empty() || Instant::now() >= until {
                return;
            }
            for process in &members {
                send(process, Signal::KILL);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Sends a signal to this very process, not to one that has its id by now.
fn send(process: &Process, signal: Signal) {
    match hold(process) {
        Held::Watched(fd) => drop(pidfd_send_signal(fd, signal)),
        Held::Unwatched => {
            if let Some(pid) = raw_pid(process.pid) {
                let _ = kill_process(pid, signal);
            }
        }
        Held::Gone => {}
    }
}

/// A hold on a process.
enum Held {
    Watched(OwnedFd),
    /// The system has no such holds.
    Unwatched,
    Gone,
}

fn hold(process: &Process) -> Held {
    let Some(pid) = raw_pid(process.pid) else {
        return Held::Gone;
    };
    let held = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(fd) => Held::Watched(fd),
        Err(Errno::SRCH) => return Held::Gone,
        Err(_) => Held::Unwatched,
    };
    let same = Process::look(process.pid).is_some_and(|now| now.began == process.began);
    if same { held } else { Held::Gone }
}

/// Waits until all have ended, or for as long as this.
async fn wait_for(processes: &[Process], time: Duration) {
    let all = async {
        for process in processes {
            match hold(process) {
                Held::Gone => {}
                Held::Unwatched => tokio::time::sleep(BLIND_WAIT).await,
                Held::Watched(fd) => {
                    if !bare::readable(fd).await {
                        tokio::time::sleep(BLIND_WAIT).await;
                    }
                }
            }
        }
    };
    let _ = timeout(time, all).await;
}

/// Kills a command with its descendants when it is dropped before its end was seen.
pub(super) struct Guard {
    pub(super) lineage: Lineage,
    armed: bool,
}

impl Guard {
    pub(super) fn new(lineage: Lineage) -> Self {
        Self {
            lineage,
            armed: true,
        }
    }

    /// Gives the lineage on, when its leader has been waited for. What it left is still to be told.
    pub(super) fn release(mut self) -> Lineage {
        self.armed = false;
        strangers::awaited(self.lineage.leader());
        self.lineage.clone()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.armed {
            self.lineage.kill_now();
            strangers::awaited(self.lineage.leader());
            strangers::told(self.lineage.leader());
        }
    }
}
