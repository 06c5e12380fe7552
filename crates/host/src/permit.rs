//! The token without which nothing on the machine changes.

/// Shows that a call was decided. Every host function that changes anything takes `&Permit`.
///
/// It cannot be cloned, so it lives exactly as long as the call it was made for.
#[derive(Debug)]
pub struct Permit(());

impl Permit {
    /// Makes a permit. Only the deciding stage of the runtime calls this; `cargo xtask tidy` checks the call site.
    #[must_use]
    pub fn issue() -> Self {
        Self(())
    }
}
