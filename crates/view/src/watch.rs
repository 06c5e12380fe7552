//! The events of a batch as cards, one after the other.

use std::collections::VecDeque;
use std::fmt;

use toolpost_core::{Block, CallId, Decision, Event, EventKind, Kind, Status, View};

use crate::card::{aside, body, closing, opening};
use crate::live::Live;
use crate::style::Style;

/// Turns events into text as they come. Calls that run at the same time are not mixed: the first one is shown live, and
/// the others wait, drawn, until it has ended.
pub struct Watch {
    style: Style,
    kind_of: Box<dyn Fn(&str) -> Kind + Send>,
    calls: VecDeque<Shown>,
}

/// A call on its way, and its text that was not given out yet.
struct Shown {
    call: CallId,
    kind: Kind,
    title: String,
    preview: View,
    live: Live,
    stage: Stage,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Stage {
    Waiting,
    Opened,
    Ended,
}

impl fmt::Debug for Watch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls: Vec<&CallId> = self.calls.iter().map(|shown| &shown.call).collect();
        out.debug_struct("Watch").field("calls", &calls).finish()
    }
}

impl Watch {
    /// Nothing has happened yet. The function says which kind a tool's id is.
    #[must_use]
    pub fn new(style: Style, kind_of: impl Fn(&str) -> Kind + Send + 'static) -> Self {
        Self {
            style,
            kind_of: Box::new(kind_of),
            calls: VecDeque::new(),
        }
    }

    /// Takes an event; gives what can be printed now, often nothing.
    pub fn tell(&mut self, event: &Event) -> String {
        let style = self.style;
        if let Some(shown) = self.shown(event) {
            shown.tell(&event.kind, &style);
        }
        self.give()
    }

    /// Gives all that is left, also of calls whose ending was missed.
    #[must_use]
    pub fn finish(mut self) -> String {
        let mut text = String::new();
        for shown in self.calls.drain(..) {
            text += &shown.text;
            if shown.stage == Stage::Opened {
                text += &shown.live.finish();
            }
        }
        text
    }

    /// The event's call, with what the event says of its tool.
    fn shown(&mut self, event: &Event) -> Option<&mut Shown> {
        let is_it = |shown: &Shown| shown.call == event.call && shown.stage != Stage::Ended;
        let index = self
            .calls
            .iter()
            .position(is_it)
            .unwrap_or(self.calls.len());
        if index == self.calls.len() {
            self.calls.push_back(Shown::new(event, self.style));
        }
        let kind = (self.kind_of)(&event.tool);
        let shown = self.calls.get_mut(index)?;
        shown.kind = kind;
        Some(shown)
    }

    /// Takes out the text of the first call, and of those after it once it has ended.
    fn give(&mut self) -> String {
        let mut text = String::new();
        while let Some(first) = self.calls.front_mut() {
            text += &std::mem::take(&mut first.text);
            if first.stage != Stage::Ended {
                break;
            }
            self.calls.pop_front();
        }
        text
    }
}

impl Shown {
    fn new(event: &Event, style: Style) -> Self {
        Self {
            call: event.call.clone(),
            kind: Kind::Other,
            title: event.tool.clone(),
            preview: View::EMPTY,
            live: Live::new(style),
            stage: Stage::Waiting,
            text: String::new(),
        }
    }

    fn tell(&mut self, kind: &EventKind, style: &Style) {
        match kind {
            EventKind::Arguments(_) | EventKind::Resolved => {}
            EventKind::Planned { title, preview } => {
                self.title.clone_from(title);
                self.preview = (**preview).clone();
            }
            EventKind::Asked => {
                self.open(style);
                self.text += &body(&std::mem::take(&mut self.preview), style);
                self.text += &aside("waiting for an answer", style);
            }
            EventKind::Decided { verdict, rule } => {
                if *verdict == Decision::Deny && !rule.is_empty() {
                    self.open(style);
                    self.text += &aside(&format!("denied by {rule}"), style);
                }
            }
            EventKind::Started => self.open(style),
            EventKind::Output(piece) => {
                self.open(style);
                if !self.live.has_come() {
                    self.text += &body(&commands(&self.preview), style);
                }
                self.text += &self.live.push(piece);
            }
            EventKind::Progress { done, whole, words } => {
                self.open(style);
                self.text += &aside(&progress(*done, *whole, words), style);
            }
            EventKind::Ended {
                status,
                view,
                ran_ms,
            } => self.end((*status, *ran_ms), view, style),
        }
    }

    fn open(&mut self, style: &Style) {
        if self.stage == Stage::Waiting {
            self.stage = Stage::Opened;
            self.text += &opening(&self.title, self.kind, style);
        }
    }

    fn end(&mut self, (status, ran_ms): (Status, u64), view: &View, style: &Style) {
        self.open(style);
        self.stage = Stage::Ended;
        let live = std::mem::replace(&mut self.live, Live::new(*style));
        if live.has_come() {
            self.text += &live.finish();
            self.text += &body(&endings(view), style);
        } else {
            self.text += &body(view, style);
        }
        self.text += &closing(status, Some(ran_ms), style);
    }
}

fn progress(done: u64, whole: Option<u64>, words: &str) -> String {
    let whole = whole.map_or_else(String::new, |whole| format!("/{whole}"));
    format!("{done}{whole} {words}").trim_end().to_owned()
}

/// The command lines of a preview alone.
fn commands(preview: &View) -> View {
    let is_terminal = |block: &&Block| matches!(block, Block::Terminal { .. });
    View {
        blocks: preview.blocks.iter().filter(is_terminal).cloned().collect(),
    }
}

/// A view without what was shown live: of a terminal only its exit code.
fn endings(view: &View) -> View {
    let mut view = view.clone();
    for block in &mut view.blocks {
        if let Block::Terminal {
            command, output, ..
        } = block
        {
            command.clear();
            output.clear();
        }
    }
    view
}
