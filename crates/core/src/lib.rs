//! The words of toolpost as types.
//!
//! A model asks for a tool ([`RawCall`]); a [`Tool`] answers with a [`Plan`] of what it would touch and, once a permit
//! was given, with an [`Output`]. What goes back is a [`Reply`]. Everything here is plain data and traits.
//!
//! **Invariant:** no model family is known here; a [`Dialect`] is only a name.
//! **Invariant:** no I/O; the host's handles are named, never called.
//! **Invariant:** text leaves only as [`Bounded`], which only `govern` makes.

mod about;
mod any;
mod bounded;
mod call;
mod code;
mod cx;
mod effects;
mod event;
mod face;
mod failure;
mod look;
mod output;
mod plan;
mod reply;
mod schema;
mod tool;
mod view;
mod words;

pub use about::{About, Disclosure, Hints, Keep, Kind, Set};
pub use any::{AnyReady, AnyTool, BoxFuture};
pub use bounded::Bounded;
pub use call::{CallId, Completeness, Form, RawArgs, RawCall};
pub use code::{Code, Status};
pub use cx::{Capture, Captures, Cx, Progress};
pub use effects::{Claim, Command, Effects, Extent, Origin, Reach};
pub use event::{Decision, Event, EventKind};
pub use face::{
    Dialect, Face, FaceAbout, FaceOf, Faces, Grammar, Offer, Offered, Shape, ShapeSource,
};
pub use failure::{By, Failure, Refusal, ToolError};
pub use look::{Look, PriorRead, Settings, Sight, Sighting};
pub use output::{Changes, Output, Present, State};
pub use plan::{Plan, Planned};
pub use reply::{Body, Repair, Reply};
pub use schema::{Number, schema_of};
pub use tool::Tool;
pub use view::{Block, DiffLine, DiffStats, FileDiff, Hunk, Sign, View};
pub use words::{Captured, Part, Segment, Tone, Words};
