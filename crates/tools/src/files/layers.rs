//! Changes upon changes, told as one change of the text that was there first.

use std::collections::VecDeque;
use std::ops::Range;

use toolpost_host::Splice;

/// What became of a text by one change after another: what is left of it, and what has come, in order.
#[derive(Debug, Clone)]
pub(crate) struct Layers {
    pieces: Vec<Piece>,
    length: usize,
}

#[derive(Debug, Clone)]
enum Piece {
    /// A part of the first text.
    Left(Range<usize>),
    /// Text that has come.
    Come(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Left(range) => range.len(),
            Self::Come(text) => text.len(),
        }
    }

    /// Parts the piece; a place outside it leaves one half empty.
    fn split(self, at: usize) -> (Self, Self) {
        match self {
            Self::Left(Range { start, end }) => {
                let middle = (start + at).min(end);
                (Self::Left(start..middle), Self::Left(middle..end))
            }
            Self::Come(mut text) => {
                let at = at.min(text.len());
                let rest = text.get(at..).unwrap_or_default().to_owned();
                text.truncate(at);
                (Self::Come(text), Self::Come(rest))
            }
        }
    }
}

impl Layers {
    /// A text of so many bytes, as yet unchanged.
    pub(crate) fn on(length: usize) -> Self {
        Self {
            pieces: vec![Piece::Left(0..length)],
            length,
        }
    }

    /// Adds changes of the text as the earlier ones left it; they are in order and apart.
    pub(crate) fn add(&mut self, changes: &[Splice]) {
        let mut rest: VecDeque<Piece> = std::mem::take(&mut self.pieces).into();
        let mut done = 0;
        for change in changes {
            let kept = take(&mut rest, change.range.start.saturating_sub(done));
            self.pieces.extend(kept);
            drop(take(&mut rest, change.range.len()));
            self.pieces.push(Piece::Come(change.with.clone()));
            done = change.range.end;
        }
        self.pieces.extend(rest);
    }

    /// All changes as parts of the first text, in order and apart.
    pub(crate) fn splices(&self) -> Vec<Splice> {
        let mut splices = Vec::new();
        let (mut at, mut with) = (0, String::new());
        let end = Piece::Left(self.length..self.length);
        for piece in self.pieces.iter().chain([&end]) {
            match piece {
                Piece::Come(text) => with.push_str(text),
                Piece::Left(range) if range.is_empty() && range.start < self.length => {}
                Piece::Left(range) => {
                    if at < range.start || !with.is_empty() {
                        splices.push(Splice {
                            range: at..range.start,
                            with: std::mem::take(&mut with),
                        });
                    }
                    at = range.end;
                }
            }
        }
        splices
    }
}

/// Takes so many bytes off the front.
fn take(pieces: &mut VecDeque<Piece>, mut bytes: usize) -> Vec<Piece> {
    let mut taken = Vec::new();
    while bytes > 0 {
        let Some(piece) = pieces.pop_front() else {
            break;
        };
        if piece.len() <= bytes {
            bytes -= piece.len();
            taken.push(piece);
        } else {
            let (front, back) = piece.split(bytes);
            bytes = 0;
            taken.push(front);
            pieces.push_front(back);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::Layers;
    use crate::files::replacing::spliced;
    use proptest::prelude::*;
    use toolpost_host::Splice;

    fn splice(start: usize, end: usize, with: &str) -> Splice {
        Splice {
            range: start..end,
            with: with.to_owned(),
        }
    }

    #[test]
    fn a_change_of_a_change_is_one_change() {
        let check = |steps: &[Splice], expected: &[Splice]| {
            let mut layers = Layers::on(9);
            for step in steps {
                layers.add(std::slice::from_ref(step));
            }
            assert_eq!(layers.splices(), expected);
        };
        check(&[splice(2, 4, "xyz")], &[splice(2, 4, "xyz")]);
        check(
            &[splice(2, 4, "xyz"), splice(3, 4, "Y")],
            &[splice(2, 4, "xYz")],
        );
        check(
            &[splice(2, 4, "xyz"), splice(4, 7, "")],
            &[splice(2, 6, "xy")],
        );
        check(
            &[splice(2, 4, ""), splice(0, 1, "a")],
            &[splice(0, 1, "a"), splice(2, 4, "")],
        );
        check(&[splice(2, 4, ""), splice(1, 3, "q")], &[splice(1, 5, "q")]);
    }

    proptest! {
        #[test]
        fn layers_are_what_the_steps_come_to(
            text in "[a-z]{1,12}",
            steps in prop::collection::vec((0usize..12, 1usize..5, "[A-Z]{0,4}"), 1..6),
        ) {
            let mut now = text.clone();
            let mut layers = Layers::on(text.len());
            for (start, length, with) in steps {
                let start = start.min(now.len());
                let end = (start + length).min(now.len());
                if start == end {
                    continue;
                }
                layers.add(&[splice(start, end, &with)]);
                now.replace_range(start..end, &with);
            }
            let mut done = 0;
            for part in &layers.splices() {
                prop_assert!(part.range.start >= done);
                done = part.range.end;
            }
            prop_assert_eq!(spliced(&text, &layers.splices()), now);
        }
    }
}
