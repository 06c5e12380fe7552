//! One text of a file replaced by another: from what is wanted to the parts that change.

use toolpost_core::{Code, ToolError};
use toolpost_host::Splice;

use super::matching::{self, Found, How};
use super::splicing::{self, Change};
use super::{misses, place};

/// What is to be replaced by what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish<'a> {
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) places: Places,
}

/// How many places are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Places {
    /// One.
    One,
    /// As many as there are.
    All,
    /// So many.
    Exactly(u64),
}

impl Places {
    /// What the arguments `replace_all` and `expected` mean.
    pub(crate) fn of(replace_all: bool, expected: Option<u64>) -> Self {
        match expected {
            Some(count) => Self::Exactly(count),
            None if replace_all => Self::All,
            None => Self::One,
        }
    }
}

impl Wish<'_> {
    /// Refuses what is wrong whatever the file holds.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        if self.old.is_empty() {
            return Err(ToolError::new(Code::Invalid, "`old` is empty.")
                .hint("Give the text to be replaced; to fill a file, call `fs.write`."));
        }
        if self.old == self.new {
            let fact = "`old` and `new` are the same, so nothing would change.";
            return Err(ToolError::new(Code::NoChange, fact));
        }
        if self.old.contains('\0') {
            return Ok(());
        }
        place::refuse_nul("new", self.new)
    }

    /// Finds the places, as many as are meant.
    pub(crate) fn locate(&self, shown: &str, text: &str) -> Result<Found, ToolError> {
        let Some(found) = matching::find(text, self.old) else {
            return Err(misses::no_match(shown, text, self.old));
        };
        let count = u64::try_from(found.spans.len()).unwrap_or(u64::MAX);
        if let Places::Exactly(expected) = self.places
            && expected != count
        {
            return Err(misses::other_count(shown, text, &found, expected));
        }
        let many = count > 1 || found.overlaps;
        // What forgives more than line breaks has to be unique, whatever was asked for.
        if many && (self.places == Places::One || found.how > How::LineBreaks) {
            return Err(misses::ambiguous(shown, text, &found));
        }
        Ok(found)
    }

    /// Whether the match alone is evidence enough that the file is known.
    pub(crate) fn is_evident(&self, found: &Found) -> bool {
        let counted = matches!(self.places, Places::Exactly(_));
        found.how == How::Exact && (found.spans.len() == 1 || counted)
    }

    /// The parts that change, in order.
    pub(crate) fn splices(
        &self,
        shown: &str,
        text: &str,
        found: &Found,
    ) -> Result<Vec<Splice>, ToolError> {
        let change = Change {
            old: self.old,
            new: self.new,
            how: found.how,
        };
        let splice = |span: &std::ops::Range<usize>| {
            let with = splicing::replacement(text, span, &change)
                .ok_or_else(|| misses::cannot_move(shown, text, span.start))?;
            Ok(Splice {
                range: span.clone(),
                with,
            })
        };
        found.spans.iter().map(splice).collect()
    }
}

/// A text with parts of it replaced.
pub(crate) fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for splice in splices {
        out.push_str(text.get(done..splice.range.start).unwrap_or_default());
        out.push_str(&splice.with);
        done = splice.range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}
