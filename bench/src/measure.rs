//! Timing in turn, medians, and the memory of this process.

use std::time::{Duration, Instant};

use crate::Fallible;

/// A workload beside its limit.
pub(crate) struct Measured {
    /// What was done.
    pub(crate) workload: String,
    /// What it is held against.
    pub(crate) limit: &'static str,
    /// The median of our runs.
    pub(crate) ours: Duration,
    /// The median of the limit's runs.
    pub(crate) best: Duration,
    /// The shortest of our runs in units of the limit's shortest: on a busy machine it says more than the medians.
    pub(crate) shortest: f64,
    /// How much slower we may be.
    pub(crate) goal: f64,
    /// By how much the peak of this process's memory grew over our first run.
    pub(crate) grown_bytes: u64,
}

impl Measured {
    /// Ours in units of the limit.
    pub(crate) fn ratio(&self) -> f64 {
        in_units(self.ours, self.best)
    }
}

/// A workload that is to be timed.
pub(crate) struct Race<'a> {
    /// What is done.
    pub(crate) workload: String,
    /// What it is held against.
    pub(crate) limit: &'static str,
    /// How much slower we may be.
    pub(crate) goal: f64,
    /// How often both are run.
    pub(crate) rounds: usize,
    /// One run of ours. It is given the number of the round.
    pub(crate) ours: &'a mut dyn FnMut(usize) -> Fallible<()>,
    /// One run of the limit.
    pub(crate) best: &'a mut dyn FnMut(usize) -> Fallible<()>,
}

impl Race<'_> {
    /// Runs both in turn, once to warm up and then for the record.
    pub(crate) fn run(self) -> Fallible<Measured> {
        (self.best)(0)?;
        let before = peak_after_reset()?;
        (self.ours)(0)?;
        let grown_bytes = peak()?.saturating_sub(before);
        let (mut ours, mut best) = (Vec::new(), Vec::new());
        for round in 1..=self.rounds {
            best.push(timed(|| (self.best)(round))?);
            ours.push(timed(|| (self.ours)(round))?);
        }
        let shortest = |times: &[Duration]| times.iter().min().copied().unwrap_or_default();
        Ok(Measured {
            shortest: in_units(shortest(&ours), shortest(&best)),
            workload: self.workload,
            limit: self.limit,
            ours: median(ours),
            best: median(best),
            goal: self.goal,
            grown_bytes,
        })
    }
}

fn in_units(ours: Duration, limit: Duration) -> f64 {
    ours.as_secs_f64() / limit.as_secs_f64().max(f64::MIN_POSITIVE)
}

fn timed(run: impl FnOnce() -> Fallible<()>) -> Fallible<Duration> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Lets the kernel forget the peak of the memory so far, and tells where it begins anew.
fn peak_after_reset() -> Fallible<u64> {
    std::fs::write("/proc/self/clear_refs", "5")?;
    peak()
}

/// The peak of this process's resident memory, in bytes.
fn peak() -> Fallible<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let figure = line.and_then(|line| line.split_ascii_whitespace().nth(1));
    Ok(figure.ok_or("no VmHWM")?.parse::<u64>()? * 1024)
}
