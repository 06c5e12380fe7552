//! Who descends from a command.

pub(super) mod marker;
mod proc;
pub(super) mod strangers;

use std::collections::{BTreeMap, BTreeSet};

use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, waitid, waitpid};

pub(super) use proc::Process;
use strangers::{Book, Owner};

/// A command's process and what is known of its descendants.
#[derive(Debug, Clone)]
pub(super) struct Lineage {
    /// The leader, with its beginning on the kernel's scale.
    owner: Owner,
    /// `None` where members are told by other signs only.
    mark: Option<String>,
    /// All that were ever seen, with their beginnings: an id alone may be given to somebody else.
    known: BTreeMap<u32, u64>,
}

impl Lineage {
    /// The lineage of a process that was just started, with the book open since before that.
    pub(super) fn new(leader: u32, mark: String, book: &mut Book) -> Self {
        let began = Process::look(leader).map_or(0, |process| process.began);
        let owner = Owner { leader, began };
        book.started(owner);
        Self {
            owner,
            mark: Some(mark),
            known: BTreeMap::from([(leader, began)]),
        }
    }

    /// The process that was started.
    pub(super) fn leader(&self) -> u32 {
        self.owner.leader
    }

    /// Finds the members that are alive, the leader included, and reaps those that are dead and came to this process.
    pub(super) fn members(&mut self) -> Vec<Process> {
        strangers::survey(|all, book| {
            let found = self.closure(all, book);
            let members = all.iter().filter(|process| found.contains(&process.pid));
            let mut alive = Vec::new();
            for process in members {
                self.known.insert(process.pid, process.began);
                book.belongs(process, self.owner);
                if process.is_alive() {
                    alive.push(*process);
                } else if process.parent == own_pid() && process.pid != self.leader() {
                    reap(process.pid);
                }
            }
            alive
        })
    }

    /// Finds what came to this process and belongs to none of these commands and to none that runs.
    pub(super) fn rest(listed: &[u32]) -> Vec<Self> {
        strangers::survey(|all, book| Self::of_strangers(book.rest(all, listed)))
    }

    /// Finds all that came to this process, whosever it is.
    pub(super) fn strangers() -> Vec<Self> {
        strangers::survey(|all, book| Self::of_strangers(book.strangers(all)))
    }

    fn of_strangers(strangers: Vec<(Process, Owner)>) -> Vec<Self> {
        let mut lineages: BTreeMap<Owner, Self> = BTreeMap::new();
        for (process, owner) in strangers {
            let lineage = lineages.entry(owner).or_insert_with(|| Self {
                owner,
                mark: None,
                known: BTreeMap::new(),
            });
            lineage.known.insert(process.pid, process.began);
        }
        lineages.into_values().collect()
    }

    /// Takes in what is known of the same command.
    pub(super) fn join(&mut self, other: Self) {
        self.known.extend(other.known);
    }

    /// The ids of all members among these processes.
    fn closure(&self, all: &[Process], book: &Book) -> BTreeSet<u32> {
        // The kernel gives the leader's id to nobody while its session or group has members; if somebody else has
        // it, both are gone.
        let reused = all
            .iter()
            .any(|process| process.pid == self.leader() && process.began != self.owner.began);
        let roots = all
            .iter()
            .filter(|process| self.is_root(process, reused, book))
            .map(|process| process.pid);
        with_descendants(all, roots.collect())
    }

    /// Whether a process belongs here by itself: by its session or group, because it was seen, or because it came to
    /// this process and nobody else can have sent it.
    fn is_root(&self, process: &Process, reused: bool, book: &Book) -> bool {
        let kin = process.session == self.leader() || process.group == self.leader();
        let falls_here = |mark: &String| book.falls_to(process, self.owner, mark);
        (kin && !reused)
            || self.known.get(&process.pid) == Some(&process.began)
            || self.mark.as_ref().is_some_and(falls_here)
    }
}

/// Adds the descendants of some processes to them.
fn with_descendants(all: &[Process], mut found: BTreeSet<u32>) -> BTreeSet<u32> {
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

/// Whether this process has any child, dead or alive.
pub(super) fn has_children() -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::All, look), Err(rustix::io::Errno::CHILD))
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
