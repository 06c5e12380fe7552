//! What a person sees of a call, as text for a terminal.
//!
//! [`draw`] turns a view into lines; [`card`] frames a whole call; [`Live`] shows output as it comes; [`Watch`] turns
//! the events of a batch into cards, one after the other. All give strings back: printing is the command line's.
//!
//! Text of files, programs and models is taken for hostile: what could steer a terminal, reorder a line or hide in it
//! is shown as an escape (`\x1b`, `\u{202e}`), never passed on.
//!
//! **Invariant:** no line is wider than the style's width, and no block longer than its limit.
//! **Invariant:** a control sequence in the text is one that this crate made for a colour, and with [`Colour::Never`]
//! there is none.
//! **Invariant:** nothing is printed here.

mod block;
mod card;
mod cells;
mod diff;
mod limit;
mod line;
mod live;
mod paint;
mod style;
mod terminal;
mod watch;
mod wrap;

pub use card::{body, card, closing, opening, plan, reply};
pub use live::{Live, live};
pub use style::{Colour, Style};
pub use watch::Watch;

use toolpost_core::View;

/// Draws a view without a frame. Each line ends with a line break; an empty view is an empty string.
#[must_use]
pub fn draw(view: &View, style: &Style) -> String {
    line::render(&block::lines(view, style, style.columns()), style.colour)
}
