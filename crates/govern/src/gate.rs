//! From what a call made to what may leave.

use std::io::Write as _;

use toolpost_core::{
    Body, Bounded, Capture, Failure, Keep, Output, Part, Repair, Segment, State, View,
};
use toolpost_store::Store;

use crate::batch::{Draft, Slot};
use crate::bound;
use crate::cut::Piece;
use crate::{Limits, Live, Recorder};

/// How many characters each part of a failure may have.
const FAILURE_CHARS: usize = 2_000;

/// The gate: everything that leaves passes here.
#[derive(Clone)]
pub struct Gate {
    limits: Limits,
    store: Store,
    session: Option<String>,
}

/// What a call came to, before the gate.
#[derive(Debug)]
pub struct Made {
    /// What it made, or why it made nothing.
    pub outcome: Outcome,
    /// How many characters of text the tool grants itself.
    pub budget_chars: usize,
    /// Which end of a long text matters.
    pub keep: Keep,
    /// What was mended in the arguments.
    pub repairs: Vec<Repair>,
    /// What else the caller should know.
    pub notices: Vec<String>,
}

/// What a call made, or why it made nothing.
#[derive(Debug)]
pub enum Outcome {
    /// An output; with a failure when the call was stopped on the way.
    Output(Output, Option<Failure>),
    /// No output.
    Failed {
        /// Why.
        failure: Failure,
        /// The failure in the face's words.
        words: String,
        /// What programs rely on.
        state: State,
    },
}

impl Gate {
    /// Makes a gate that keeps what it cuts in the given store, under the given session.
    #[must_use]
    pub fn new(limits: Limits, store: Store, session: Option<String>) -> Self {
        Self {
            limits,
            store,
            session,
        }
    }

    /// Makes a recorder for a stream.
    #[must_use]
    pub fn recorder(&self, limit_chars: usize) -> Box<dyn Capture> {
        let limit_chars = limit_chars.min(self.limits.reply_chars);
        Box::new(Recorder::new(
            limit_chars,
            self.store.clone(),
            self.session.clone(),
        ))
    }

    /// Shows a stream while it comes.
    #[must_use]
    pub fn live(&self) -> Live {
        Live::new(self.limits.view_chars)
    }

    /// Lets a text of an event or a title pass.
    #[must_use]
    pub fn text(&self, text: String) -> Bounded<String> {
        let mut piece = Piece::whole(text);
        piece.cut(self.limits.view_chars, Keep::Both);
        Bounded::seal(piece.render())
    }

    /// Lets a view pass.
    #[must_use]
    pub fn view(&self, view: View) -> Bounded<View> {
        Bounded::seal(self.bounded_view(view))
    }

    /// Brings what a call made within its own limits. A batch of drafts is sealed by [`Gate::seal`].
    #[must_use]
    pub fn draft(&self, made: Made) -> Draft {
        let Made {
            outcome,
            budget_chars,
            keep,
            repairs,
            notices,
        } = made;
        let limit = budget_chars.min(self.limits.reply_chars);
        let mut draft = match outcome {
            Outcome::Output(output, failure) => self.draft_of_output(output, failure, keep),
            Outcome::Failed {
                failure,
                words,
                state,
            } => Draft {
                slots: vec![Slot::Own(words)],
                body: Body {
                    view: self.bounded_view(View::note(failure.words())),
                    failure: Some(Self::bounded_failure(failure)),
                    state: self.bounded_state(state),
                    ..Body::default()
                },
                keep,
                raw_chars: 0,
            },
        };
        draft.body.repairs = repairs;
        draft.body.notices = notices;
        draft.raw_chars = draft.whole_chars();
        self.add_remarks(&mut draft);
        draft.shrink(limit, &|text| self.spill(text));
        draft
    }

    /// Seals the drafts of a batch, within the batch's budget.
    #[must_use]
    pub fn seal(&self, mut drafts: Vec<Draft>) -> Vec<Bounded<Body>> {
        crate::batch::fit(&mut drafts, self.limits.batch_chars, &|text| {
            self.spill(text)
        });
        drafts
            .into_iter()
            .map(|draft| Bounded::seal(draft.into_body()))
            .collect()
    }

    fn draft_of_output(&self, output: Output, failure: Option<Failure>, keep: Keep) -> Draft {
        let slots = output
            .words
            .segments
            .into_iter()
            .map(|segment| match segment {
                Segment::Own(text) => Slot::Own(text),
                Segment::Payload(text) => Slot::Payload(Piece::whole(text)),
                Segment::Captured(captured) => Slot::Payload(captured.into()),
                Segment::Image { media_type, base64 } => {
                    Slot::Part(Part::Image { media_type, base64 })
                }
            });
        let body = Body {
            tone: output.words.tone,
            state: self.bounded_state(output.state),
            view: self.bounded_view(output.view),
            failure: failure.map(Self::bounded_failure),
            ..Body::default()
        };
        Draft {
            slots: slots.collect(),
            body,
            keep,
            raw_chars: 0,
        }
    }

    /// The model reads what was mended and noticed, each in a line of its own after the text.
    fn add_remarks(&self, draft: &mut Draft) {
        let mended = draft.body.repairs.iter().map(|repair| {
            let place = if repair.at.is_empty() {
                "arguments"
            } else {
                repair.at.as_str()
            };
            format!("{place}: {}", repair.what)
        });
        let mended: Vec<String> = mended.collect();
        let mended = (!mended.is_empty()).then(|| format!("Mended: {}", mended.join(" ")));
        for remark in mended.iter().chain(&draft.body.notices) {
            draft.slots.push(Slot::Remark(format!("[{remark}]")));
        }
    }

    fn bounded_view(&self, view: View) -> View {
        bound::view(view, self.limits.view_chars)
    }

    /// Bounds a state; what was cut is named in it.
    fn bounded_state(&self, mut state: State) -> State {
        let cut = bound::state(&mut state, self.limits.state_chars);
        if !cut.is_empty() {
            state.insert("cut".to_owned(), cut.into());
        }
        state
    }

    /// Bounds what programs read of a failure; it may name whatever a model wrote.
    fn bounded_failure(failure: Failure) -> Failure {
        let short = |text: String| bound::shorter(text, FAILURE_CHARS);
        let Failure {
            code,
            fact,
            hint,
            quote,
            by,
        } = failure;
        Failure {
            code,
            fact: short(fact),
            hint: short(hint),
            quote: short(quote),
            by,
        }
    }

    /// Keeps a whole text in the store; gives its id, or nothing where the store cannot take it.
    fn spill(&self, text: &str) -> Option<String> {
        let mut spill = self.store.create_spill(self.session.as_deref()).ok()?;
        spill.write_all(text.as_bytes()).ok()?;
        spill.finish().ok().map(|id| id.to_string())
    }
}
