//! How the families see `fs.edit`. The codex family edits by patches.

mod claude;
mod gemini;

pub(crate) use claude::Claude;
pub(crate) use gemini::Gemini;
