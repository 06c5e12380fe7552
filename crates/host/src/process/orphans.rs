//! Processes that outlived the command that started them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Limits;
use super::family::{Lineage, has_children, strangers};
use crate::Permit;

/// A process that outlived the command that started it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orphan {
    /// Its process id.
    pub pid: u32,
    /// The process id of the command that started it.
    pub started_by: u32,
}

/// The processes that outlived their commands.
///
/// There is one list in a process and not one a session, because the system hands them to the process: an
/// [`Orphan::started_by`] says whose it is. A command's are those that can be traced to it; and since this process is
/// handed what others abandon, every child that it did not start itself, was not there before the first command and is
/// in another session than its own. Of several commands that can have started such a child, the latest that runs is
/// taken for it, else the last that ran. A program that starts children for itself lets them stay in its own session.
#[derive(Debug, Clone, Copy)]
pub struct Orphans(());

/// Kills what outlived its command when it is dropped: a program holds it for as long as it runs.
#[derive(Debug)]
pub struct OrphanWatch(());

/// How long one that is dropped looks for more.
const DROP_WAIT: Duration = Duration::from_secs(2);

/// The lineages of commands that left something.
static LINEAGES: Mutex<Vec<Lineage>> = Mutex::new(Vec::new());

impl Orphans {
    /// The list of this process.
    #[must_use]
    pub fn here() -> Self {
        Self(())
    }

    /// Those that are still alive.
    #[must_use]
    pub fn list(self) -> Vec<Orphan> {
        let mut found = Vec::new();
        let mut lineages = lineages();
        take_in_rest(&mut lineages);
        lineages.retain_mut(|lineage| {
            let members = lineage.members();
            let started_by = lineage.leader();
            let orphans = members.iter().map(|process| Orphan {
                pid: process.pid,
                started_by,
            });
            found.extend(orphans);
            !members.is_empty()
        });
        found
    }

    /// Ends those that one command left. Gives the ids of those that could not be ended.
    pub async fn end(self, _permit: &Permit, started_by: u32) -> Vec<u32> {
        end_those(|lineage| lineage.leader() == started_by).await
    }

    /// Ends them all. Gives the ids of those that could not be ended.
    pub async fn end_all(self, _permit: &Permit) -> Vec<u32> {
        end_those(|_| true).await
    }

    /// Makes sure that none outlives the holder. No permit is needed: to end what it started is part of what a command
    /// was permitted.
    #[must_use]
    pub fn watch(self) -> OrphanWatch {
        OrphanWatch(())
    }
}

impl Drop for OrphanWatch {
    fn drop(&mut self) {
        let until = Instant::now() + DROP_WAIT;
        for mut lineage in std::mem::take(&mut *lineages()) {
            lineage.kill_now();
        }
        while has_children() && Instant::now() < until {
            let mut strangers = Lineage::strangers();
            if strangers.is_empty() {
                return;
            }
            for lineage in &mut strangers {
                lineage.kill_now();
            }
        }
    }
}

/// Puts what a command left on the list, and gives the ids.
pub(super) fn take_over(mut lineage: Lineage) -> Vec<u32> {
    let leader = lineage.leader();
    let mut left = Vec::new();
    if has_children() {
        left.extend(lineage.members().iter().map(|process| process.pid));
        let mut lineages = lineages();
        // Whoever has ended since is reaped on this occasion.
        lineages.retain_mut(|lineage| !lineage.members().is_empty());
        if !left.is_empty() {
            lineages.push(lineage);
        }
    }
    strangers::told(leader);
    left
}

/// Puts on the list what turned up after its command had ended.
fn take_in_rest(lineages: &mut Vec<Lineage>) {
    if !has_children() {
        return;
    }
    for lineage in &mut *lineages {
        lineage.members();
    }
    let listed: Vec<u32> = lineages.iter().map(Lineage::leader).collect();
    for late in Lineage::rest(&listed) {
        let same = |listed: &&mut Lineage| listed.leader() == late.leader();
        match lineages.iter_mut().find(same) {
            Some(listed) => listed.join(late),
            None => lineages.push(late),
        }
    }
}

async fn end_those(wanted: impl Fn(&Lineage) -> bool) -> Vec<u32> {
    let mut ending: Vec<Lineage> = {
        let mut lineages = lineages();
        take_in_rest(&mut lineages);
        lineages.extract_if(.., |lineage| wanted(lineage)).collect()
    };
    let grace = Duration::from_millis(Limits::default().grace_ms);
    let mut left = Vec::new();
    for mut lineage in ending.drain(..) {
        left.extend(lineage.end(grace).await);
    }
    left
}

fn lineages() -> MutexGuard<'static, Vec<Lineage>> {
    LINEAGES.lock().unwrap_or_else(PoisonError::into_inner)
}
