//! How the families see `search.list`.

mod claude;
mod codex;
mod gemini;

pub(crate) use claude::Claude;
pub(crate) use codex::Codex;
pub(crate) use gemini::Gemini;
