//! How the families see `fs.apply_patch`.

mod codex;

pub(crate) use codex::Codex;
