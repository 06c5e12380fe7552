//! From a model's reply to what is appended to the conversation.

use serde_json::Value;
use toolpost_core::{RawCall, Reply};
use toolpost_runtime::{Answer, Left, Order, Session, Stops, Toolset};
use toolpost_wire::{Turn, Wire, WireError};

use crate::Toolpost;

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
    /// Runs the calls in a provider's reply: its whole document, or its event stream.
    ///
    /// # Errors
    /// The document is not a reply of this provider. Calls that are unsound are no error; they are answered.
    pub async fn answer(
        &self,
        session: &Session,
        toolset: &Toolset,
        wire: Wire,
        document: &[u8],
        stops: &Stops,
    ) -> Result<Answered, WireError> {
        let Turn { calls, notices } = toolpost_wire::read(wire, document)?;
        let Answer { replies, left } = self
            .runtime
            .batch(session, toolset, calls, Order::default(), stops)
            .await;
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
        order: Order,
        stops: &Stops,
    ) -> Answer {
        self.runtime
            .batch(session, toolset, calls, order, stops)
            .await
    }
}
