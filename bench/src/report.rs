//! What was measured, for people and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::measure::Measured;

/// A table with a line a workload.
pub(crate) fn table(measured: &[Measured]) -> String {
    let mut text = format!(
        "{:<38} {:>10} {:>10} {:>7} {:>8} {:>6} {:>9}  beside\n",
        "workload", "ours ms", "limit ms", "ratio", "shortest", "goal", "memory MB"
    );
    for one in measured {
        let _ = writeln!(
            text,
            "{:<38} {:>10.2} {:>10.2} {:>7.2} {:>8.2} {:>6.1} {:>9.1}  {}",
            one.workload,
            one.ours.as_secs_f64() * 1e3,
            one.best.as_secs_f64() * 1e3,
            one.ratio(),
            one.shortest,
            one.goal,
            megabytes(one.grown_bytes),
            one.limit,
        );
    }
    text
}

/// The same as an array of objects; times are in milliseconds.
pub(crate) fn json(measured: &[Measured]) -> Value {
    let one = |one: &Measured| {
        json!({
            "workload": one.workload,
            "ours_ms": one.ours.as_secs_f64() * 1e3,
            "limit": one.limit,
            "limit_ms": one.best.as_secs_f64() * 1e3,
            "ratio": one.ratio(),
            "shortest_ratio": one.shortest,
            "goal": one.goal,
            "memory_bytes": one.grown_bytes,
        })
    };
    measured.iter().map(one).collect()
}

fn megabytes(bytes: u64) -> f64 {
    u32::try_from(bytes / 1024).map_or(f64::INFINITY, |kilobytes| f64::from(kilobytes) / 1024.0)
}
