//! Who descends from a command.

pub(super) mod marker;
mod proc;
pub(super) mod strangers;

use std::collections::{BTreeMap, BTreeSet};

use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, waitid, waitpid};

pub(super) use proc::Process;

/// A command's process and what is known of its descendants.
#[derive(Debug, Clone)]
pub(super) struct Lineage {
    leader: u32,
    /// When the leader began, on the kernel's scale.
    began: u64,
    mark: String,
    /// All that were ever seen, with their beginnings: an id alone may be given to somebody else.
    known: BTreeMap<u32, u64>,
}

impl Lineage {
    /// The lineage of a process that was just started.
    pub(super) fn new(leader: u32, mark: String) -> Self {
        strangers::await_own(leader);
        let began = Process::look(leader).map_or(0, |process| process.began);
        Self {
            leader,
            began,
            mark,
            known: BTreeMap::from([(leader, began)]),
        }
    }

    /// The process that was started.
    pub(super) fn leader(&self) -> u32 {
        self.leader
    }

    /// Finds the members that are alive, the leader included, and reaps those that are dead and came to this process.
    pub(super) fn members(&mut self) -> Vec<Process> {
        let all = Process::all();
        strangers::sweep(&all);
        let found = self.closure(&all);
        let members = all.iter().filter(|process| found.contains(&process.pid));
        let mut alive = Vec::new();
        for process in members {
            self.known.insert(process.pid, process.began);
            if process.is_alive() {
                alive.push(*process);
            } else if process.parent == own_pid() && process.pid != self.leader {
                reap(process.pid);
            }
        }
        alive
    }

    /// Whether there may be a member besides the leader, which has been waited for: there is none if this process has
    /// no child at all.
    pub(super) fn may_have_left_some() -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::All, look), Err(rustix::io::Errno::CHILD))
    }

    /// The ids of all members among these processes.
    fn closure(&self, all: &[Process]) -> BTreeSet<u32> {
        // The kernel gives the leader's id to nobody while its session or group has members; if somebody else has
        // it, both are gone.
        let reused = all
            .iter()
            .any(|process| process.pid == self.leader && process.began != self.began);
        let mut found: BTreeSet<u32> = all
            .iter()
            .filter(|process| self.is_root(process, reused))
            .map(|process| process.pid)
            .collect();
        loop {
            let before = found.len();
            let children = all
                .iter()
                .filter(|process| found.contains(&process.parent))
                .map(|process| process.pid);
            let children: Vec<u32> = children.collect();
            found.extend(children);
            if found.len() == before {
                return found;
            }
        }
    }

    /// Whether a process belongs here by itself: by its session or group, because it was seen, or because it came to
    /// this process and carries the mark.
    fn is_root(&self, process: &Process, reused: bool) -> bool {
        let kin = process.session == self.leader || process.group == self.leader;
        (kin && !reused)
            || self.known.get(&process.pid) == Some(&process.began)
            || (process.parent == own_pid() && marker::is_on(process.pid, &self.mark))
    }
}

fn own_pid() -> u32 {
    std::process::id()
}

/// Takes a dead child's status, so that it is no zombie.
fn reap(pid: u32) {
    if let Some(pid) = raw_pid(pid) {
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}

/// An id as system calls take it.
pub(super) fn raw_pid(pid: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(pid).ok()?)
}
