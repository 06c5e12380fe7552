//! Finding a chunk's lines in a file.
//!
//! Chunks come in the order of the file: each is looked for behind the one before. An anchor moves on behind its first
//! match, and then the first place that fits exactly is meant. Without an anchor the place has to be the only one, and so
//! has any place that is found forgivingly. Forgiven are trailing space, the indentation of context lines, and
//! typographic characters; the file keeps its bytes in all lines that stay.

use std::ops::Range;

use super::patch::{Chunk, PatchLine, Place, Role};
use crate::files::fold;
use crate::files::lines::Line;

/// How closely lines are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pass {
    /// As they are.
    Exact,
    /// Without trailing space.
    TrailingSpace,
    /// And context lines without indentation.
    Indentation,
    /// And with typographic characters for plain ones, or the other way.
    Typography,
}

const PASSES: [Pass; 4] = [
    Pass::Exact,
    Pass::TrailingSpace,
    Pass::Indentation,
    Pass::Typography,
];

/// Where a chunk's old lines are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Located {
    /// The lines, from 0.
    pub(super) lines: Range<usize>,
    /// How closely they had to be compared.
    pub(super) pass: Pass,
}

/// Why a chunk has no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lost {
    /// An anchor is not there.
    Anchor(String),
    /// The lines are not there.
    Lines,
    /// The lines are there, and not at the end of the file.
    NotAtEnd,
    /// The lines are there at several places, from 0.
    Several(Vec<usize>),
}

/// Finds a chunk's old lines at or behind the line `from`.
pub(super) fn locate(file: &[Line<'_>], chunk: &Chunk, from: usize) -> Result<Located, Lost> {
    let mut from = from;
    for anchor in &chunk.anchors {
        from = behind(file, anchor, from).ok_or_else(|| Lost::Anchor(anchor.clone()))?;
    }
    let old = chunk.old();
    if old.is_empty() {
        let at = if chunk.anchors.is_empty() || chunk.place == Place::EndOfFile {
            file.len()
        } else {
            from
        };
        return Ok(Located {
            lines: at..at,
            pass: Pass::Exact,
        });
    }
    let anchored = !chunk.anchors.is_empty();
    for pass in PASSES {
        let places = places(file, &old, from, pass);
        if chunk.place == Place::EndOfFile {
            let last = places.iter().find(|at| **at + old.len() == file.len());
            if let Some(at) = last {
                return Ok(located(*at, old.len(), pass));
            }
            continue;
        }
        match places.as_slice() {
            [] => {}
            [at] => return Ok(located(*at, old.len(), pass)),
            [first, ..] if anchored && pass == Pass::Exact => {
                return Ok(located(*first, old.len(), pass));
            }
            _ => return Err(Lost::Several(places)),
        }
    }
    let elsewhere = !places(file, &old, from, Pass::Typography).is_empty();
    Err(if elsewhere {
        Lost::NotAtEnd
    } else {
        Lost::Lines
    })
}

fn located(at: usize, count: usize, pass: Pass) -> Located {
    Located {
        lines: at..at + count,
        pass,
    }
}

/// The line behind the first one that is the anchor.
fn behind(file: &[Line<'_>], anchor: &str, from: usize) -> Option<usize> {
    let anchor = PatchLine {
        role: Role::Context,
        text: anchor.to_owned(),
    };
    PASSES.iter().find_map(|pass| {
        let mut rest = file.iter().enumerate().skip(from);
        rest.find(|(_, line)| same(line.text, &anchor, *pass))
            .map(|(at, _)| at + 1)
    })
}

/// The places at which all old lines fit.
fn places(file: &[Line<'_>], old: &[&PatchLine], from: usize, pass: Pass) -> Vec<usize> {
    let rest = file.get(from..).unwrap_or_default();
    let fits = |window: &[Line<'_>]| {
        let mut pairs = window.iter().zip(old);
        pairs.all(|(line, wanted)| same(line.text, wanted, pass))
    };
    rest.windows(old.len())
        .enumerate()
        .filter(|(_, window)| fits(window))
        .map(|(at, _)| from + at)
        .collect()
}

fn same(line: &str, wanted: &PatchLine, pass: Pass) -> bool {
    if pass == Pass::Exact {
        return line == wanted.text;
    }
    let indented = pass >= Pass::Indentation && wanted.role == Role::Context;
    let (left, right) = if indented {
        (line.trim(), wanted.text.trim())
    } else {
        (line.trim_end(), wanted.text.trim_end())
    };
    left == right || (pass == Pass::Typography && fold::same(left, right))
}

#[cfg(test)]
mod tests {
    use super::{Located, Lost, Pass, locate};
    use crate::files::lines;
    use crate::fs::apply_patch::grammar::parse;
    use crate::fs::apply_patch::patch::Operation;

    fn find(file: &str, chunk: &str, from: usize) -> Result<Located, Lost> {
        let text = format!("*** Begin Patch\n*** Update File: f\n{chunk}\n*** End Patch");
        let Operation::Update { chunks, .. } = parse(&text).unwrap().operations.remove(0) else {
            panic!("an update was written")
        };
        locate(&lines::of(file), &chunks[0], from)
    }

    #[test]
    fn chunks_have_one_place() {
        let check =
            |file: &str, chunk: &str, expected: Result<(std::ops::Range<usize>, Pass), Lost>| {
                let found = find(file, chunk, 0).map(|found| (found.lines, found.pass));
                assert_eq!(found, expected, "{chunk:?} in {file:?}");
            };
        check("a\nb\nc\n", "@@\n a\n-b", Ok((0..2, Pass::Exact)));
        check("a\r\nb\r\n", "@@\n a\n-b", Ok((0..2, Pass::Exact)));
        check("a  \nb\n", "@@\n a\n-b", Ok((0..2, Pass::TrailingSpace)));
        check("  a\nb\n", "@@\n    a\n-b", Ok((0..2, Pass::Indentation)));
        check("  a\nb\n", "@@\n-    a", Err(Lost::Lines));
        check(
            "top‑level\na\n",
            "@@\n top-level\n-a",
            Ok((0..2, Pass::Typography)),
        );
        check("x\ny\nx\n", "@@\n-x", Err(Lost::Several(vec![0, 2])));
        check("x\ny\nx\n", "@@ y\n-x", Ok((2..3, Pass::Exact)));
        check("y\nx\nx\n", "@@ y\n-x", Ok((1..2, Pass::Exact)));
        check("x \ny\nx \n", "@@ x\n-x", Ok((2..3, Pass::TrailingSpace)));
        check(
            "x\n",
            "@@ nowhere\n-x",
            Err(Lost::Anchor("nowhere".to_owned())),
        );
        check(
            "}\nm\n}\n",
            "@@\n }\n+t\n*** End of File",
            Ok((2..3, Pass::Exact)),
        );
        check("a\nb\n", "@@\n-a\n*** End of File", Err(Lost::NotAtEnd));
        check("a\nb\n", "@@\n+c", Ok((2..2, Pass::Exact)));
        check("a\nb\n", "@@ a\n+c", Ok((1..1, Pass::Exact)));
        check(
            "class A\n f\nclass B\n f\n",
            "@@ class B\n@@  f\n+c",
            Ok((4..4, Pass::Exact)),
        );
    }

    #[test]
    fn chunks_come_in_order() {
        assert_eq!(find("x\ny\nx\n", "@@\n-x", 1).unwrap().lines, 2..3);
        assert_eq!(find("x\ny\n", "@@\n-x", 1), Err(Lost::Lines));
        assert_eq!(find("x\n", "@@\n-x", 9), Err(Lost::Lines));
    }
}
