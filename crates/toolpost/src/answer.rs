//! From a model's reply to what is appended to the conversation.

use serde_json::Value;
use toolpost_core::{RawCall, Reply};
use toolpost_runtime::{Answer, Controls, Left, Session, Toolset};
use toolpost_wire::{Turn, Wire, WireError};

use crate::Toolpost;

/// A model's reply as its provider sent it: the whole document, or its event stream.
#[derive(Debug, Clone, Copy)]
pub struct ModelReply<'a> {
    /// The provider's format.
    pub wire: Wire,
    /// The bytes.
    pub document: &'a [u8],
}

/// What a model's reply came to.
#[derive(Debug, Clone)]
pub struct Answered {
    /// What to append to the conversation; nothing when the reply held no call of ours.
    pub append: Option<Value>,
    /// The replies to our calls, in call order.
    pub replies: Vec<Reply>,
    /// The calls that the caller runs itself.
    pub left: Vec<Left>,
    /// What else the caller should know about the reply.
    pub notices: Vec<String>,
}

impl Toolpost {
    /// Runs the calls in a provider's reply.
    ///
    /// # Errors
    /// The document is not a reply of this provider. Calls that are unsound are no error; they are answered.
    pub async fn answer(
        &self,
        session: &Session,
        toolset: &Toolset,
        reply: ModelReply<'_>,
        controls: &Controls,
    ) -> Result<Answered, WireError> {
        let ModelReply { wire, document } = reply;
        let Turn { calls, notices } = toolpost_wire::read(wire, document)?;
        let Answer { replies, left } = self.runtime.batch(session, toolset, calls, controls).await;
        let append = toolpost_wire::write(wire, &replies);
        Ok(Answered {
            append,
            replies,
            left,
            notices,
        })
    }

    /// Runs calls that were read already.
    pub async fn batch(
        &self,
        session: &Session,
        toolset: &Toolset,
        calls: Vec<RawCall>,
        controls: &Controls,
    ) -> Answer {
        self.runtime.batch(session, toolset, calls, controls).await
    }
}
