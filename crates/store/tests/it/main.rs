//! What the store promises across processes: kills, crowds, modes, damage.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests look at the store's files and run themselves again as child processes"
)]

#[cfg(test)]
mod child;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod crowd;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod migrate;
#[cfg(test)]
mod modes;
#[cfg(test)]
mod undo;
