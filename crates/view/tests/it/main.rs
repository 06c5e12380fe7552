//! What a person sees, block by block and for any text.

mod drawn;
mod hostile;
mod watched;

use toolpost_view::{Colour, Style};

/// A small screen without colours.
const NARROW: Style = Style {
    width: 40,
    colour: Colour::Never,
    max_lines: 6,
};
