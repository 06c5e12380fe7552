//! Reading files and folders.

mod folder;
mod lines;
mod page;
mod scan;
#[cfg(test)]
mod tests;
mod whole;

pub(crate) use folder::require_folder;
pub use folder::{FolderEntry, list_folder};
pub use lines::{Line, LinePage, LineStart, PageLimits, read_lines};
pub use whole::{Content, read_whole};
pub(crate) use whole::{open_regular, require_file};
