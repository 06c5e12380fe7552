//! The machine: files, processes, search, the clock and the folders of a person's home.
//!
//! Everything that a tool does to the world goes through this crate, in plain values. It knows none of toolpost's other
//! words.
//!
//! **Invariant:** a function that changes anything outside this process takes a [`Permit`].
//! **Invariant:** bytes outside a change never change; a file is replaced whole or not at all.
//! **Invariant:** waiting ends with the process, not with its pipes.
#![expect(
    clippy::disallowed_methods,
    reason = "this crate is the one way to files, processes, the environment and the clocks"
)]

mod clock;
mod dirs;
mod error;
mod hash;
mod paths;
mod permit;
mod process;
mod read;
mod search;
mod sink;
mod stat;
mod stop;
mod surroundings;
mod text;
mod write;

pub use clock::{Clock, Hands, Moment};
pub use dirs::{Dirs, ensure_private_folder};
pub use error::{Fault, HostError};
pub use hash::ContentHash;
pub use paths::{resolve, resolve_entry};
pub use permit::Permit;
pub use process::{
    End, Ended, Limits, Orphan, OrphanWatch, Orphans, Spec, command_environment, run, run_within,
    shell,
};
pub use read::{
    Content, FolderEntry, Line, LinePage, LineStart, PageLimits, list_folder, read_lines,
    read_whole,
};
pub use search::{
    Case, FileHits, FoundPath, GrepOutcome, GrepQuery, Hidden, HitKind, HitLine, Ignored,
    Multiline, Pattern, Reading, Rules, SearchError, TreeEntry, glob, glob_root, grep, near_names,
    tree,
};
pub use sink::Sink;
pub use stat::{EntryKind, Stat, stat};
pub use stop::{Stop, Why};
pub use surroundings::{current_dir, environment};
pub use text::{Encoding, LineEnding, Nul, Splice, Text, describe_binary};
pub use write::{
    ApplyError, Change, Created, Expect, Recovered, Rolled, Transactions, Written, apply, remove,
    write,
};
