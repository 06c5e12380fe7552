//! Dead children that nobody waits for: what stood between a command and a daemon came to this process without ever
//! having been seen alive.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Process, own_pid, reap};

/// How long a dead child may be waited for by whoever started it, before it is taken for nobody's.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Seen {
    /// Processes that the engine waits for itself.
    awaited: BTreeSet<u32>,
    /// Since when dead children have been seen.
    dead: BTreeMap<(u32, u64), Instant>,
}

static SEEN: LazyLock<Mutex<Seen>> = LazyLock::new(Mutex::default);

/// Notes that the engine waits for a process.
pub(in super::super) fn await_own(pid: u32) {
    with_seen(|seen| seen.awaited.insert(pid));
}

/// Notes that the engine has waited for a process.
pub(in super::super) fn awaited(pid: u32) {
    with_seen(|seen| seen.awaited.remove(&pid));
}

/// Reaps dead children that nobody has waited for in a while. Children of this process's own session are left alone:
/// a command's descendants are in others, and what an embedding program starts for itself is mostly in its own.
pub(super) fn sweep(all: &[Process]) {
    let session = all
        .iter()
        .find(|process| process.pid == own_pid())
        .map(|own| own.session);
    let now = Instant::now();
    with_seen(|seen| {
        let dead: Vec<(u32, u64)> = all
            .iter()
            .filter(|process| process.parent == own_pid() && !process.is_alive())
            .filter(|process| Some(process.session) != session)
            .filter(|process| !seen.awaited.contains(&process.pid))
            .map(|process| (process.pid, process.began))
            .collect();
        seen.dead.retain(|known, _| dead.contains(known));
        for one in dead {
            let since = *seen.dead.entry(one).or_insert(now);
            if now.duration_since(since) >= PATIENCE {
                reap(one.0);
            }
        }
    });
}

fn with_seen<T>(change: impl FnOnce(&mut Seen) -> T) -> T {
    change(&mut SEEN.lock().unwrap_or_else(PoisonError::into_inner))
}
