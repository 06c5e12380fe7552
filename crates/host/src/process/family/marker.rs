//! The variable by which a command's descendants are known, wherever they have gone.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The variable's name. Its value is a list of marks with colons between: a command within a command has both.
pub(in super::super) const NAME: &str = "TOOLPOST_RUN";

/// How often an environment is looked at that seems to be empty: while a program takes another's place it has none.
const LOOKS: usize = 3;
/// How long is waited between two looks.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// Makes a mark that no other command has, after those that this process carries itself.
pub(in super::super) fn fresh() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = time.map_or(0, |time| time.as_nanos());
    let mark = format!("{}{count}-{nanos:x}", ours());
    match std::env::var(NAME) {
        Ok(outer) => format!("{outer}:{mark}"),
        Err(_) => mark,
    }
}

/// How the marks begin that this process makes.
fn ours() -> String {
    format!("{}-", std::process::id())
}

/// The marks that a process carries.
pub(super) struct Marks(Vec<Vec<u8>>);

/// Reads a process's marks. Of a process that may not be looked into, there are none.
pub(super) fn of(pid: u32) -> Marks {
    let environ = environ(pid);
    let values = environ
        .split(|byte| *byte == 0)
        .filter_map(|variable| variable.strip_prefix(OsStr::new(NAME).as_bytes()))
        .filter_map(|value| value.strip_prefix(b"="));
    let marks = values.flat_map(|value| value.split(|byte| *byte == b':'));
    Marks(marks.map(<[u8]>::to_vec).collect())
}

fn environ(pid: u32) -> Vec<u8> {
    for _ in 1..LOOKS {
        match std::fs::read(format!("/proc/{pid}/environ")) {
            Ok(environ) if environ.is_empty() => std::thread::sleep(LOOK_AGAIN),
            environ => return environ.unwrap_or_default(),
        }
    }
    std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default()
}

impl Marks {
    /// Whether the last of these marks is among them.
    pub(super) fn has(&self, marks: &str) -> bool {
        let mark = marks.rsplit(':').next().unwrap_or(marks).as_bytes();
        self.0.iter().any(|one| one == mark)
    }

    /// Whether one of them was made by this process.
    pub(super) fn has_ours(&self) -> bool {
        self.0.iter().any(|one| one.starts_with(ours().as_bytes()))
    }
}
