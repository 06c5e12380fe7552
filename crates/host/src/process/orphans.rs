//! Processes that outlived the command that started them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Limits;
use super::family::Lineage;
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
/// [`Orphan::started_by`] says whose it is.
#[derive(Debug, Clone, Copy)]
pub struct Orphans(());

/// Kills what outlived its command when it is dropped: a program holds it for as long as it runs.
#[derive(Debug)]
pub struct OrphanWatch(());

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
        lineages().retain_mut(|lineage| {
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
        for mut lineage in std::mem::take(&mut *lineages()) {
            lineage.kill_now();
        }
    }
}

/// Puts what a command left on the list, and gives the ids.
pub(super) fn take_over(mut lineage: Lineage) -> Vec<u32> {
    if !Lineage::may_have_left_some() {
        return Vec::new();
    }
    let left: Vec<u32> = lineage
        .members()
        .iter()
        .map(|process| process.pid)
        .collect();
    // Whoever has ended since is reaped on this occasion.
    let mut lineages = lineages();
    lineages.retain_mut(|lineage| !lineage.members().is_empty());
    if !left.is_empty() {
        lineages.push(lineage);
    }
    left
}

async fn end_those(wanted: impl Fn(&Lineage) -> bool) -> Vec<u32> {
    let mut ending: Vec<Lineage> = lineages()
        .extract_if(.., |lineage| wanted(lineage))
        .collect();
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
