//! The seal on everything that leaves.

use std::ops::Deref;

/// A value that has passed the gate and is bounded. Exits take nothing else.
///
/// It can be read and never changed: what was sealed is what goes out.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounded<T>(T);

impl<T> Bounded<T> {
    /// Seals a value. Only `govern` calls this; `cargo xtask tidy` checks the call sites.
    #[must_use]
    pub fn seal(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for Bounded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
