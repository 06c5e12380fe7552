//! Time, given to whoever needs it, so that tests can turn the hands.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// A point on a clock's monotonic scale: the time since the clock was made.
pub type Moment = Duration;

/// A clock: the machine's, or one whose hands a test turns. Clones show the same time.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    Real(Instant),
    Manual(Arc<watch::Receiver<Duration>>),
}

/// The hands of a manual clock.
#[derive(Debug)]
pub struct Hands(watch::Sender<Duration>);

/// What a manual clock's wall shows before its hands are turned: 2026-01-01 00:00:00 UTC.
const MANUAL_START_S: i64 = 1_767_225_600;

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn real() -> Self {
        Self(Source::Real(Instant::now()))
    }

    /// A clock that stands still until its hands are turned, and the hands.
    #[must_use]
    pub fn manual() -> (Self, Hands) {
        let (hands, shown) = watch::channel(Duration::ZERO);
        (Self(Source::Manual(Arc::new(shown))), Hands(hands))
    }

    /// The time since the clock was made. It never goes back.
    #[must_use]
    pub fn now(&self) -> Moment {
        match &self.0 {
            Source::Real(start) => start.elapsed(),
            Source::Manual(shown) => *shown.borrow(),
        }
    }

    /// The time of day, for journals and people.
    #[must_use]
    pub fn wall(&self) -> jiff::Timestamp {
        match &self.0 {
            Source::Real(_) => jiff::Timestamp::now(),
            Source::Manual(shown) => manual_wall(*shown.borrow()),
        }
    }

    /// Waits. On a manual clock it waits for the hands; when they are gone, for ever.
    pub async fn sleep(&self, length: Duration) {
        match &self.0 {
            Source::Real(_) => tokio::time::sleep(length).await,
            Source::Manual(shown) => {
                let mut shown = watch::Receiver::clone(shown);
                let until = shown.borrow().saturating_add(length);
                if shown.wait_for(|now| *now >= until).await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        }
    }
}

/// The wall's time after the hands were turned so far.
fn manual_wall(turned: Duration) -> jiff::Timestamp {
    let start = jiff::Timestamp::from_second(MANUAL_START_S).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let turned = jiff::SignedDuration::try_from(turned).unwrap_or(jiff::SignedDuration::MAX);
    start.checked_add(turned).unwrap_or(jiff::Timestamp::MAX)
}

impl Hands {
    /// Lets time pass. Whoever sleeps to a moment that is now past wakes up.
    pub fn turn(&self, by: Duration) {
        self.0.send_modify(|now| *now = now.saturating_add(by));
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::time::Duration;

    #[test]
    fn a_manual_clock_is_turned_by_hand() {
        let (clock, hands) = Clock::manual();
        assert_eq!(clock.now(), Duration::ZERO);
        assert_eq!(clock.wall().to_string(), "2026-01-01T00:00:00Z");
        hands.turn(Duration::from_secs(90));
        assert_eq!(clock.now(), Duration::from_secs(90));
        assert_eq!(clock.wall().to_string(), "2026-01-01T00:01:30Z");
    }

    #[tokio::test]
    async fn a_sleeper_wakes_when_the_hands_pass() {
        let (clock, hands) = Clock::manual();
        let mut sleep = Box::pin(clock.sleep(Duration::from_secs(10)));
        assert!(futures_poll(&mut sleep).await.is_none());
        hands.turn(Duration::from_secs(9));
        assert!(futures_poll(&mut sleep).await.is_none());
        hands.turn(Duration::from_secs(1));
        assert!(futures_poll(&mut sleep).await.is_some());
    }

    /// Polls a future once.
    async fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        std::future::poll_fn(|cx| {
            std::task::Poll::Ready(match std::pin::Pin::new(&mut *future).poll(cx) {
                std::task::Poll::Ready(value) => Some(value),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }
}
