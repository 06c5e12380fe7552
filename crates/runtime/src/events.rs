//! Telling observers what happens.

use tokio::sync::broadcast::Sender;
use toolpost_core::{CallId, Event, EventKind};

/// Publishes an event. With nobody watching, nothing happens.
pub(crate) fn publish(events: &Sender<Event>, call: &CallId, tool: &str, kind: EventKind) {
    if events.receiver_count() > 0 {
        let _ = events.send(Event {
            call: call.clone(),
            tool: tool.to_owned(),
            kind,
        });
    }
}
