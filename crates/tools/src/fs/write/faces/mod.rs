//! How the families see `fs.write`. The codex family adds files by patches.

mod claude;
mod gemini;

pub(crate) use claude::Claude;
pub(crate) use gemini::Gemini;
