//! Children that came to this process from elsewhere. It is the sub-reaper, so whatever a command abandons becomes its
//! child, also what has a session of its own and an empty environment. A child that this process neither started nor
//! had before its first command is therefore a command's.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Process, has_children, marker, own_pid, reap};

/// How long a dead child may be waited for by whoever started it, before it is taken for nobody's.
const PATIENCE: Duration = Duration::from_secs(1);

/// A process for ever: its id and its beginning.
type Name = (u32, u64);

/// A command by its leader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Owner {
    pub(in super::super) leader: u32,
    pub(in super::super) began: u64,
}

/// Whose children are whose.
#[derive(Default)]
pub(in super::super) struct Book {
    /// The session of this process. Nobody who left it comes back, so a child in it is no command's.
    session: u32,
    /// What this process had before its first command.
    before: BTreeSet<Name>,
    before_sessions: BTreeSet<u32>,
    /// Processes that the engine waits for itself.
    awaited: BTreeSet<u32>,
    /// The commands whose end has not been told, the latest last.
    running: Vec<Owner>,
    /// The command that was started last.
    last: Option<Owner>,
    /// Which processes were found to be whose.
    found: BTreeMap<Name, Owner>,
    /// Since when dead children have been seen.
    dead: BTreeMap<Name, Instant>,
}

static BOOK: LazyLock<Mutex<Book>> = LazyLock::new(Mutex::default);

/// Opens the book. Nobody else looks or starts a command meanwhile, so a process that is being started is not taken
/// for a stranger.
pub(in super::super) fn open<T>(act: impl FnOnce(&mut Book) -> T) -> T {
    act(&mut BOOK.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Looks at all processes with the book open.
pub(super) fn survey<T>(act: impl FnOnce(&[Process], &mut Book) -> T) -> T {
    open(|book| {
        let all = Process::all();
        book.refresh(&all);
        act(&all, book)
    })
}

/// Notes what this process has before it starts its first command.
pub(in super::super) fn note_before() {
    if has_children() {
        survey(|all, book| {
            let before = super::with_descendants(all, BTreeSet::from([own_pid()]));
            let before = all.iter().filter(|process| before.contains(&process.pid));
            for process in before {
                book.before.insert((process.pid, process.began));
                book.before_sessions.insert(process.session);
            }
        });
    }
}

/// Notes that a command's leader has been waited for.
pub(in super::super) fn awaited(leader: u32) {
    open(|book| book.awaited.remove(&leader));
}

/// Notes that a command's end has been told, with what it left.
pub(in super::super) fn told(leader: u32) {
    open(|book| book.running.retain(|owner| owner.leader != leader));
}

impl Book {
    /// Notes a command that was just started.
    pub(super) fn started(&mut self, owner: Owner) {
        self.awaited.insert(owner.leader);
        self.running.push(owner);
        self.last = Some(owner);
    }

    /// Notes whose a process is.
    pub(super) fn belongs(&mut self, process: &Process, owner: Owner) {
        self.found.insert((process.pid, process.began), owner);
    }

    /// Whether a stranger is this command's: it carries its mark, or no command's and this is the latest of those that
    /// can have made it.
    pub(super) fn falls_to(&self, process: &Process, owner: Owner, mark: &str) -> bool {
        if !self.is_stranger(process) || self.found.contains_key(&(process.pid, process.began)) {
            return false;
        }
        let marks = marker::of(process.pid);
        marks.has(mark) || (!marks.has_ours() && self.maker(process) == Some(owner))
    }

    /// The strangers that belong to none of these commands and to none that runs, with the command that they are taken
    /// to come from: the last, unless it is known better.
    pub(super) fn rest(&self, all: &[Process], listed: &[u32]) -> Vec<(Process, Owner)> {
        let owned = |leader: u32| {
            listed.contains(&leader) || self.running.iter().any(|owner| owner.leader == leader)
        };
        let strangers = all.iter().filter(|process| self.is_stranger(process));
        let owner = |process: &Process| match self.found.get(&(process.pid, process.began)) {
            Some(owner) => (!owned(owner.leader)).then_some(*owner),
            None if self.maker(process).is_some() => None,
            None => self.last,
        };
        strangers
            .filter_map(|process| Some((*process, owner(process)?)))
            .collect()
    }

    /// All strangers, whosever they are.
    pub(super) fn strangers(&self, all: &[Process]) -> Vec<(Process, Owner)> {
        let owner = |process: &Process| {
            let found = self.found.get(&(process.pid, process.began));
            found.copied().or(self.last)
        };
        all.iter()
            .filter(|process| self.is_stranger(process))
            .filter_map(|process| Some((*process, owner(process)?)))
            .collect()
    }

    /// Whether a living process is a child that this process did not start itself.
    fn is_stranger(&self, process: &Process) -> bool {
        process.parent == own_pid()
            && process.is_alive()
            && process.session != self.session
            && !self.awaited.contains(&process.pid)
            && !self.before.contains(&(process.pid, process.began))
            && !self.before_sessions.contains(&process.session)
    }

    /// The latest running command that began before a process did.
    fn maker(&self, process: &Process) -> Option<Owner> {
        let mut latest_first = self.running.iter().rev();
        latest_first
            .find(|owner| owner.began <= process.began)
            .copied()
    }

    /// Forgets who has gone, and reaps dead children that nobody has waited for in a while. Children of this process's
    /// own session are left alone: what an embedding program starts for itself is mostly in it.
    fn refresh(&mut self, all: &[Process]) {
        let own = all.iter().find(|process| process.pid == own_pid());
        self.session = own.map_or(0, |own| own.session);
        let names: BTreeSet<Name> = all
            .iter()
            .map(|process| (process.pid, process.began))
            .collect();
        self.found.retain(|name, _| names.contains(name));
        let dead: BTreeSet<Name> = all
            .iter()
            .filter(|process| process.parent == own_pid() && !process.is_alive())
            .filter(|process| process.session != self.session)
            .filter(|process| !self.awaited.contains(&process.pid))
            .map(|process| (process.pid, process.began))
            .collect();
        self.dead.retain(|known, _| dead.contains(known));
        let now = Instant::now();
        for one in dead {
            let since = *self.dead.entry(one).or_insert(now);
            if now.duration_since(since) >= PATIENCE {
                reap(one.0);
            }
        }
    }
}
