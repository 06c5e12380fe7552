//! The variable by which a command's descendants are known, wherever they have gone.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The variable's name. Its value is a list of marks with colons between: a command within a command has both.
pub(in super::super) const NAME: &str = "TOOLPOST_RUN";

/// Makes a mark that no other command has, after those that this process carries itself.
pub(in super::super) fn fresh() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = time.map_or(0, |time| time.as_nanos());
    let mark = format!("{}-{count}-{nanos:x}", std::process::id());
    match std::env::var(NAME) {
        Ok(outer) => format!("{outer}:{mark}"),
        Err(_) => mark,
    }
}

/// Whether a process carries a mark. Of a process that may not be looked into, no.
pub(super) fn is_on(pid: u32, marks: &str) -> bool {
    let Ok(environ) = std::fs::read(format!("/proc/{pid}/environ")) else {
        return false;
    };
    let mark = marks.rsplit(':').next().unwrap_or(marks).as_bytes();
    environ
        .split(|byte| *byte == 0)
        .filter_map(|variable| variable.strip_prefix(OsStr::new(NAME).as_bytes()))
        .filter_map(|value| value.strip_prefix(b"="))
        .any(|value| value.split(|byte| *byte == b':').any(|part| part == mark))
}
