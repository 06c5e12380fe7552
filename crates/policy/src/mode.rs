//! The modes: how a tool's default is read.

/// What passes without a question when no rule says anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Reads inside the roots.
    #[default]
    Manual,
    /// And writes inside the roots.
    Edits,
    /// Everything a tool does by default.
    Auto,
    /// Only what an allow rule names.
    AllowList,
    /// Reads; nothing that writes, anywhere.
    Plan,
    /// As `Auto`, with nobody to ask.
    Headless,
}

impl Mode {
    /// Every mode, as `--mode` takes them.
    pub const ALL: &[Self] = &[
        Self::Manual,
        Self::Edits,
        Self::Auto,
        Self::AllowList,
        Self::Plan,
        Self::Headless,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Edits => "edits",
            Self::Auto => "auto",
            Self::AllowList => "allow-list",
            Self::Plan => "plan",
            Self::Headless => "headless",
        }
    }

    /// Finds a mode by its name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|mode| mode.name() == name)
    }
}
