//! Drafts of replies, and the budget that they share.

use toolpost_core::{Body, Keep, Part, View};

use crate::cut::{Piece, as_u64, count};

/// A reply within its own limits, before the batch's.
#[derive(Debug)]
pub struct Draft {
    pub(crate) slots: Vec<Slot>,
    pub(crate) body: Body,
    pub(crate) keep: Keep,
    pub(crate) raw_chars: u64,
}

/// A piece of a draft.
#[derive(Debug)]
pub(crate) enum Slot {
    /// The tool's own words: cut only when nothing else is left to cut.
    Own(String),
    /// What was found or made.
    Payload(Piece),
    /// A line of the runtime's, never cut.
    Remark(String),
    /// What is no text.
    Part(Part),
}

/// Keeps a whole text somewhere and gives its id.
pub(crate) type Spill<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Draft {
    /// How many characters of text the draft has.
    #[must_use]
    pub fn chars(&self) -> usize {
        self.slots.iter().map(Slot::chars).sum()
    }

    /// How many characters the call made, with those that were left out.
    #[must_use]
    pub fn raw_chars(&self) -> u64 {
        self.raw_chars
    }

    /// How many characters of text the draft has now.
    #[must_use]
    pub fn kept_chars(&self) -> u64 {
        as_u64(self.chars())
    }

    /// What a person sees of the call.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.body.view
    }

    pub(crate) fn whole_chars(&self) -> u64 {
        let omitted = |slot: &Slot| match slot {
            Slot::Payload(piece) => piece.omitted_chars,
            _ => 0,
        };
        self.kept_chars() + self.slots.iter().map(omitted).sum::<u64>()
    }

    /// Brings the draft's text down to `limit` characters, its longest payloads first.
    pub(crate) fn shrink(&mut self, limit: usize, spill: Spill<'_>) {
        if self.chars() <= limit {
            return;
        }
        let fixed: usize = self
            .slots
            .iter()
            .filter(|slot| !slot.is_payload())
            .map(Slot::chars)
            .sum();
        let sizes: Vec<usize> = self
            .slots
            .iter()
            .filter(|slot| slot.is_payload())
            .map(Slot::chars)
            .collect();
        let level = water_level(&sizes, limit.saturating_sub(fixed));
        let keep = self.keep;
        for slot in &mut self.slots {
            if let Slot::Payload(piece) = slot {
                cut_and_keep(piece, level, keep, spill);
            }
        }
        let over = self.chars().saturating_sub(limit);
        if over > 0 {
            self.shrink_own_words(over, spill);
        }
    }

    /// Own words are short by nature; a failure that quotes a whole file is the exception.
    fn shrink_own_words(&mut self, over: usize, spill: Spill<'_>) {
        let longest = self.slots.iter_mut().filter_map(|slot| match slot {
            Slot::Own(text) => Some(text),
            _ => None,
        });
        let Some(text) = longest.max_by_key(|text| text.len()) else {
            return;
        };
        let limit = count(text).saturating_sub(over);
        let mut piece = Piece::whole(std::mem::take(text));
        cut_and_keep(&mut piece, limit, Keep::Both, spill);
        *text = piece.render();
    }

    pub(crate) fn into_body(self) -> Body {
        let Self {
            slots, mut body, ..
        } = self;
        let mut text = String::new();
        for slot in slots {
            match slot {
                Slot::Own(own) => text.push_str(&own),
                Slot::Payload(piece) => text.push_str(&piece.render()),
                Slot::Remark(remark) => {
                    if !text.is_empty() && !text.ends_with('\n') {
                        text.push('\n');
                    }
                    text.push_str(&remark);
                }
                Slot::Part(part) => {
                    flush(&mut text, &mut body.parts);
                    body.parts.push(part);
                }
            }
        }
        flush(&mut text, &mut body.parts);
        body
    }
}

impl Slot {
    fn is_payload(&self) -> bool {
        matches!(self, Self::Payload(_))
    }

    fn chars(&self) -> usize {
        match self {
            Self::Own(text) => count(text),
            Self::Payload(piece) => piece.chars(),
            // With the line break before it.
            Self::Remark(text) => count(text) + 1,
            Self::Part(_) => 0,
        }
    }
}

fn flush(text: &mut String, parts: &mut Vec<Part>) {
    if !text.is_empty() {
        parts.push(Part::Text(std::mem::take(text)));
    }
}

/// Cuts a piece; what is whole until then goes to the store first.
fn cut_and_keep(piece: &mut Piece, limit: usize, keep: Keep, spill: Spill<'_>) {
    if piece.chars() <= limit {
        return;
    }
    if piece.omitted_chars == 0 && piece.spill.is_none() {
        piece.spill = spill(&piece.render());
    }
    piece.cut(limit, keep);
}

/// Brings all drafts together down to `limit` characters: the largest are cut to one level, the others stay.
pub(crate) fn fit(drafts: &mut [Draft], limit: usize, spill: Spill<'_>) {
    let sizes: Vec<usize> = drafts.iter().map(Draft::chars).collect();
    let level = water_level(&sizes, limit);
    drafts
        .iter_mut()
        .for_each(|draft| draft.shrink(level, spill));
}

/// The height at which sizes must be capped so that their sum fits into `room`.
pub(crate) fn water_level(sizes: &[usize], room: usize) -> usize {
    if sizes.iter().sum::<usize>() <= room {
        return usize::MAX;
    }
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    let mut room = room;
    for (done, size) in sorted.iter().enumerate() {
        let share = room / (sorted.len() - done);
        if *size > share {
            return share;
        }
        room -= size;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::water_level;

    #[test]
    fn the_largest_are_capped() {
        let check = |sizes: &[usize], room, expected| {
            assert_eq!(water_level(sizes, room), expected, "{sizes:?}")
        };
        check(&[1, 2, 3], 6, usize::MAX);
        check(&[1, 2, 30], 13, 10);
        check(&[10, 10], 10, 5);
        check(&[1, 100, 100], 101, 50);
        check(&[], 0, usize::MAX);
    }
}
