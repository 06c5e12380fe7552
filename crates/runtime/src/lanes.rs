//! Where calls whose effects conflict wait for one another.

use std::collections::VecDeque;
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
    /// The latest calls that have left, oldest first, and how many had left before the first of them.
    left: VecDeque<Effects>,
    forgotten: u64,
}

/// How many calls that have left are remembered. Who planned before the oldest of them plans again to be safe.
const REMEMBERED: usize = 256;

/// A moment in the life of the lanes: how many calls had left by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment(u64);

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

/// Whether what a call touches may have changed since it was planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum World {
    Same,
    Changed,
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

    /// The moment, for a call that is about to be planned.
    pub(crate) fn now(&self) -> Moment {
        let held = self.lock();
        Moment(held.forgotten + as_u64(held.left.len()))
    }

    /// Whether a call that conflicts with a ticket's has left since a moment.
    fn since(&self, number: u64, moment: Moment) -> World {
        let held = self.lock();
        let Some(mine) = held.tickets.iter().find(|place| place.number == number) else {
            return World::Changed;
        };
        let Some(known) = moment.0.checked_sub(held.forgotten) else {
            return World::Changed;
        };
        let mut later = held
            .left
            .iter()
            .skip(usize::try_from(known).unwrap_or(usize::MAX));
        if later.any(|effects| effects.conflicts(&mine.effects)) {
            World::Changed
        } else {
            World::Same
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
    /// Waits until no earlier call is in the way, and says whether the world is as it was at the moment of planning.
    /// Only earlier calls are waited for, so nobody waits in a circle.
    pub(crate) async fn turn(&self, planned: Moment) -> World {
        while let Some(gone) = self.lanes.in_the_way(self.number) {
            gone.cancelled().await;
        }
        self.lanes.since(self.number, planned)
    }
}

fn as_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut held = self.lanes.lock();
        if let Some(at) = held
            .tickets
            .iter()
            .position(|place| place.number == self.number)
        {
            let place = held.tickets.remove(at);
            place.gone.cancel();
            // Who only read left the files as they were, but the session has seen more of them since.
            held.left.push_back(place.effects);
            if held.left.len() > REMEMBERED {
                held.left.pop_front();
                held.forgotten += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lanes, World};
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
        let now = lanes.now();
        let (first, second) = (lanes.enter(read("/a")), lanes.enter(read("/a")));
        let (writer, elsewhere) = (lanes.enter(write("/a")), lanes.enter(write("/b")));
        assert_eq!(first.turn(now).await, World::Same);
        assert_eq!(second.turn(now).await, World::Same);
        assert_eq!(elsewhere.turn(now).await, World::Same);
        assert_eq!(writer.turn(now).now_or_never(), None);
        drop(first);
        assert_eq!(writer.turn(now).now_or_never(), None);
        drop(second);
        assert_eq!(writer.turn(now).now_or_never(), Some(World::Changed));
    }

    #[tokio::test]
    async fn everything_runs_alone_and_in_order() {
        let lanes = Lanes::default();
        let now = lanes.now();
        let (reader, alone) = (lanes.enter(read("/a")), lanes.enter(Effects::EVERYTHING));
        let after = lanes.enter(read("/b"));
        assert_eq!(alone.turn(now).now_or_never(), None);
        assert_eq!(after.turn(now).now_or_never(), None);
        drop(reader);
        assert_eq!(alone.turn(now).await, World::Changed);
        assert_eq!(after.turn(now).now_or_never(), None);
        drop(alone);
        assert_eq!(after.turn(now).await, World::Changed);
    }

    #[tokio::test]
    async fn a_change_that_is_over_before_one_enters_counts_too() {
        let lanes = Lanes::default();
        let before = lanes.now();
        drop(lanes.enter(write("/a")));
        let after = lanes.now();
        let (touched, untouched) = (lanes.enter(read("/a")), lanes.enter(read("/b")));
        assert_eq!(touched.turn(before).await, World::Changed);
        assert_eq!(touched.turn(after).await, World::Same);
        assert_eq!(untouched.turn(before).await, World::Same);
    }

    #[tokio::test]
    async fn what_is_forgotten_counts_as_changed() {
        let lanes = Lanes::default();
        let before = lanes.now();
        (0..=super::REMEMBERED).for_each(|_| drop(lanes.enter(write("/b"))));
        let ticket = lanes.enter(read("/a"));
        assert_eq!(ticket.turn(before).await, World::Changed);
        assert_eq!(ticket.turn(lanes.now()).await, World::Same);
    }
}
