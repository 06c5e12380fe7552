//! What a running call streams: kept by the gate, and told to whoever watches.

use std::sync::Arc;

use tokio::sync::broadcast::Sender;
use toolpost_core::{CallId, Capture, Captured, Captures, Event, EventKind, Progress, RawCall};
use toolpost_govern::{Gate, Live};
use toolpost_host::Sink;

use crate::events::publish;
use crate::stages::Scene;

/// Watches one call: its progress and its streams become events.
pub(crate) struct Watched {
    gate: Gate,
    events: Sender<Event>,
    call: CallId,
    tool: String,
}

impl Watched {
    pub(crate) fn new(scene: &Scene<'_>, call: &RawCall, tool: &str) -> Self {
        let gate = scene.session.gate().clone();
        Self {
            gate,
            events: scene.shared.events.clone(),
            call: call.id.clone(),
            tool: tool.to_owned(),
        }
    }
}

impl Progress for Watched {
    fn tell(&self, done: u64, whole: Option<u64>, words: &str) {
        let words = self.gate.text(words.to_owned());
        publish(
            &self.events,
            &self.call,
            &self.tool,
            EventKind::Progress { done, whole, words },
        );
    }
}

impl Captures for Watched {
    fn open(&self, limit_chars: usize) -> Box<dyn Capture> {
        let told = Self {
            gate: self.gate.clone(),
            events: self.events.clone(),
            call: self.call.clone(),
            tool: self.tool.clone(),
        };
        Box::new(WatchedCapture {
            inner: self.gate.recorder(limit_chars),
            live: self.gate.live(),
            told: Arc::new(told),
        })
    }
}

/// A capture whose stream is shown while it comes.
struct WatchedCapture {
    inner: Box<dyn Capture>,
    live: Live,
    told: Arc<Watched>,
}

impl Sink for WatchedCapture {
    fn write(&mut self, chunk: &[u8]) {
        let told = &self.told;
        if told.events.receiver_count() > 0
            && let Some(text) = self.live.take(chunk)
        {
            publish(
                &told.events,
                &told.call,
                &told.tool,
                EventKind::Output(text),
            );
        }
        self.inner.write(chunk);
    }
}

impl Capture for WatchedCapture {
    fn finish(mut self: Box<Self>) -> Captured {
        if let Some(text) = self.live.rest() {
            publish(
                &self.told.events,
                &self.told.call,
                &self.told.tool,
                EventKind::Output(text),
            );
        }
        self.inner.finish()
    }
}
