//! Where calls whose effects conflict wait for one another.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use toolpost_core::Effects;

/// All calls of a process that run or wait, in the order in which they entered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lanes {
    held: Arc<Mutex<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    next: u64,
    tickets: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    number: u64,
    effects: Effects,
    gone: CancellationToken,
}

/// A call's place. Dropping it lets the next one pass.
#[derive(Debug)]
pub(crate) struct Ticket {
    lanes: Lanes,
    number: u64,
}

/// Whether a call had to wait for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waited {
    No,
    Yes,
}

impl Lanes {
    /// Takes a place behind all calls that are there already.
    pub(crate) fn enter(&self, effects: Effects) -> Ticket {
        let mut held = self.lock();
        let number = held.next;
        held.next += 1;
        held.tickets.push(Place {
            number,
            effects,
            gone: CancellationToken::new(),
        });
        Ticket {
            lanes: self.clone(),
            number,
        }
    }

    /// A poisoned lock is taken over: the list is whole between any two of its operations.
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first earlier place that conflicts with a ticket's.
    fn in_the_way(&self, number: u64) -> Option<CancellationToken> {
        let held = self.lock();
        let mine = held.tickets.iter().find(|place| place.number == number)?;
        let earlier = held
            .tickets
            .iter()
            .take_while(|place| place.number < number);
        let mut conflicting = earlier.filter(|place| place.effects.conflicts(&mine.effects));
        conflicting.next().map(|place| place.gone.clone())
    }
}

impl Ticket {
    /// Waits until no earlier call is in the way. Only earlier ones are waited for, so nobody waits in a circle.
    pub(crate) async fn turn(&self) -> Waited {
        let mut waited = Waited::No;
        while let Some(gone) = self.lanes.in_the_way(self.number) {
            waited = Waited::Yes;
            gone.cancelled().await;
        }
        waited
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut held = self.lanes.lock();
        if let Some(at) = held
            .tickets
            .iter()
            .position(|place| place.number == self.number)
        {
            held.tickets.remove(at).gone.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lanes, Waited};
    use futures::FutureExt as _;
    use toolpost_core::{Claim, Effects};

    fn write(path: &str) -> Effects {
        Effects::changes(Claim::entry(path))
    }

    fn read(path: &str) -> Effects {
        Effects::reads(Claim::entry(path))
    }

    #[tokio::test]
    async fn readers_run_together_and_a_writer_waits_for_them() {
        let lanes = Lanes::default();
        let (first, second) = (lanes.enter(read("/a")), lanes.enter(read("/a")));
        let (writer, elsewhere) = (lanes.enter(write("/a")), lanes.enter(write("/b")));
        assert_eq!(first.turn().await, Waited::No);
        assert_eq!(second.turn().await, Waited::No);
        assert_eq!(elsewhere.turn().await, Waited::No);
        assert_eq!(writer.turn().now_or_never(), None);
        drop(first);
        assert_eq!(writer.turn().now_or_never(), None);
        drop(second);
        assert_eq!(writer.turn().await, Waited::No);
    }

    #[tokio::test]
    async fn everything_runs_alone_and_in_order() {
        let lanes = Lanes::default();
        let (reader, alone) = (lanes.enter(read("/a")), lanes.enter(Effects::EVERYTHING));
        let after = lanes.enter(read("/b"));
        let waiting = alone.turn();
        tokio::pin!(waiting);
        assert_eq!(waiting.as_mut().now_or_never(), None);
        assert_eq!(after.turn().now_or_never(), None);
        drop(reader);
        assert_eq!(waiting.await, Waited::Yes);
        assert_eq!(after.turn().now_or_never(), None);
        drop(alone);
        assert_eq!(after.turn().await, Waited::No);
    }
}
