//! Processes as `/proc` shows them.

use std::collections::BTreeSet;

/// A process at the moment it was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Process {
    pub(in super::super) pid: u32,
    pub(super) parent: u32,
    pub(super) group: u32,
    pub(super) session: u32,
    /// When it began, in the kernel's ticks: together with the id it names a process for ever.
    pub(in super::super) began: u64,
    state: char,
    threads: u32,
}

impl Process {
    /// Looks at one process; `None` when it is gone.
    pub(in super::super) fn look(pid: u32) -> Option<Self> {
        let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
        Self::parse(&String::from_utf8_lossy(&stat))
    }

    /// Looks at all. They are looked at one after the other: where one has ended in between whose child was seen before,
    /// a second look tells whose that is now.
    pub(super) fn all() -> Vec<Self> {
        let first = Self::each();
        let pids: BTreeSet<u32> = first.iter().map(|process| process.pid).collect();
        let settled = |process: &Self| process.parent == 0 || pids.contains(&process.parent);
        if first.iter().all(settled) {
            first
        } else {
            Self::each()
        }
    }

    fn each() -> Vec<Self> {
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return Vec::new();
        };
        entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter_map(Self::look)
            .collect()
    }

    /// Whether it still runs; a zombie does not, unless other threads than its first do.
    pub(super) fn is_alive(&self) -> bool {
        self.threads > 1 || !matches!(self.state, 'Z' | 'X' | 'x')
    }

    /// Reads a `stat` line as proc(5) describes it. The name stands in brackets and may hold anything.
    fn parse(line: &str) -> Option<Self> {
        let (before, after) = line.rsplit_once(')')?;
        let pid = before.split(' ').next()?.parse().ok()?;
        let fields: Vec<&str> = after.split_ascii_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse().ok();
        Some(Self {
            pid,
            state: fields.first()?.chars().next()?,
            parent: number(1)?,
            group: number(2)?,
            session: number(3)?,
            threads: number(17)?,
            began: fields.get(19)?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Process;

    #[test]
    fn a_stat_line_is_read() {
        let line = "42 (a) b) S 7 8 9 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 3 0 12345 1 2 3";
        let expected = Process {
            pid: 42,
            parent: 7,
            group: 8,
            session: 9,
            began: 12_345,
            state: 'S',
            threads: 3,
        };
        assert_eq!(Process::parse(line), Some(expected));
        assert_eq!(Process::parse(""), None);
        assert_eq!(Process::parse("42 (a) S 7"), None);
    }

    #[test]
    fn this_process_is_among_all() {
        let own = std::process::id();
        assert!(
            Process::all()
                .iter()
                .any(|process| process.pid == own && process.is_alive())
        );
    }
}
