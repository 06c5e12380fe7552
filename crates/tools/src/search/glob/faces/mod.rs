//! How the families see `search.glob`. The codex family finds files with its shell.

mod claude;
mod gemini;

pub(crate) use claude::Claude;
pub(crate) use gemini::Gemini;
