//! How much may go back.

/// The limits of a gate, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Any one reply to the model.
    pub reply_chars: usize,
    /// All replies of a batch together.
    pub batch_chars: usize,
    /// A text in an event or a view.
    pub view_chars: usize,
    /// A text in a reply's state, for programs.
    pub state_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            reply_chars: 32_000,
            batch_chars: 200_000,
            view_chars: 100_000,
            state_chars: 500_000,
        }
    }
}
