//! The formats by name, and the doors to each.

use serde_json::Value;
use toolpost_core::Reply;

use crate::document::Document;
use crate::turn::{Turn, WireError};
use crate::{anthropic, gemini, mcp, openai_chat, openai_responses, plain};

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

/// Finds the calls in a provider's reply: the whole, its message or content alone, or its event stream. Text and
/// thoughts around the calls are passed over; a reply without calls is an empty turn.
///
/// # Errors
/// When the document is not this provider's reply, or is its error.
pub fn read(wire: Wire, document: &[u8]) -> Result<Turn, WireError> {
    let opened = Document::open(document)?;
    let gathering = match wire {
        Wire::Anthropic => anthropic::read(opened),
        Wire::OpenAiChat => openai_chat::read(opened),
        Wire::OpenAiResponses => openai_responses::read(opened),
        Wire::Gemini => gemini::read(opened),
        Wire::Mcp => mcp::read(opened),
        Wire::Plain => return plain::read_all(document),
    };
    Ok(gathering?.turn(wire, document))
}

/// Says what to append to the conversation; `None` when there is nothing. One message for `anthropic`, one content for
/// `gemini`, an array of messages for `openai-chat`, of items for `openai-responses`, of replies for `plain`, and for
/// `mcp` the result.
#[must_use]
pub fn write(wire: Wire, replies: &[Reply]) -> Option<Value> {
    if replies.is_empty() {
        return None;
    }
    Some(match wire {
        Wire::Anthropic => anthropic::write(replies),
        Wire::OpenAiChat => openai_chat::write(replies),
        Wire::OpenAiResponses => openai_responses::write(replies),
        Wire::Gemini => gemini::write(replies),
        Wire::Mcp => mcp::write(replies),
        Wire::Plain => Value::Array(replies.iter().map(plain::write).collect()),
    })
}
