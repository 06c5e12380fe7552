//! The formats by name, and the doors to each.

use serde_json::Value;
use toolpost_core::Reply;

use crate::turn::{Turn, WireError};

/// A provider's message format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wire {
    /// Anthropic Messages.
    Anthropic,
    /// `OpenAI` Chat Completions, and all that imitate it.
    OpenAiChat,
    /// `OpenAI` Responses.
    OpenAiResponses,
    /// Gemini `generateContent`.
    Gemini,
    /// The Model Context Protocol.
    Mcp,
    /// toolpost's own lines.
    Plain,
}

impl Wire {
    /// Every format.
    pub const ALL: &[Self] = &[
        Self::Anthropic,
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Gemini,
        Self::Mcp,
        Self::Plain,
    ];

    /// The format's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Gemini => "gemini",
            Self::Mcp => "mcp",
            Self::Plain => "plain",
        }
    }

    /// The format of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|wire| wire.name() == name)
    }
}

/// Finds the calls in a provider's reply.
///
/// # Errors
/// When the document is not this provider's reply, or is its error.
pub fn read(_wire: Wire, _document: &[u8]) -> Result<Turn, WireError> {
    Ok(Turn::default())
}

/// Says what to append to the conversation; `None` when there is nothing.
#[must_use]
pub fn write(_wire: Wire, _replies: &[Reply]) -> Option<Value> {
    None
}
