//! What a search has let the session see.

use toolpost_core::Sighting;
use toolpost_host::{HitLine, Nul, Text};

use super::{FileFound, Shown};
use crate::files::lines;

/// How many files of a page are looked at once more.
const FILES: usize = 40;
/// How large a file may be for that, in bytes.
const FILE_BYTES: u64 = 2 << 20;

/// The lines that were shown, as sightings of the contents that hold them.
///
/// Each file is read once more for its hash, and only where it still holds the lines that were found: a file that has
/// changed since was not seen as it now is.
pub(super) fn of_hits(files: &[FileFound], shown: Shown) -> Vec<Sighting> {
    if shown != Shown::Content {
        return Vec::new();
    }
    files.iter().take(FILES).filter_map(of_file).collect()
}

fn of_file(file: &FileFound) -> Option<Sighting> {
    let content = toolpost_host::read_whole(&file.path, FILE_BYTES).ok()?;
    let text = Text::decode_with(&content.bytes, Nul::Refused).ok()?;
    let all = lines::of(text.as_str());
    let holds = |hit: &HitLine| {
        let at = usize::try_from(hit.line.saturating_sub(1)).ok();
        let line = at.and_then(|at| all.get(at));
        line.is_some_and(|line| match hit.omitted_before + hit.omitted_chars {
            0 => line.text.trim_end_matches('\r') == hit.text.trim_end_matches('\r'),
            _ => line.text.contains(hit.text.trim()),
        })
    };
    file.lines.iter().all(holds).then(|| Sighting {
        path: file.path.clone(),
        hash: content.hash,
        lines: Some(longest_run(&file.lines)),
    })
}

/// The longest run of lines that follow one another, half-open and from 0.
fn longest_run(hits: &[HitLine]) -> (u64, u64) {
    let (mut best, mut run) = ((0, 0), (0, 0));
    for hit in hits {
        run = if run.1 > 0 && hit.line == run.1 + 1 {
            (run.0, hit.line)
        } else {
            (hit.line.saturating_sub(1), hit.line)
        };
        if run.1 - run.0 > best.1 - best.0 {
            best = run;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::longest_run;
    use toolpost_host::{HitKind, HitLine};

    #[test]
    fn the_longest_run_counts() {
        let check = |lines: &[u64], expected: (u64, u64)| {
            let hit = |line: &u64| HitLine {
                line: *line,
                text: String::new(),
                is_match: HitKind::Match,
                omitted_before: 0,
                omitted_chars: 0,
            };
            let hits: Vec<HitLine> = lines.iter().map(hit).collect();
            assert_eq!(longest_run(&hits), expected, "{lines:?}");
        };
        check(&[1], (0, 1));
        check(&[3, 7, 8, 9, 20], (6, 9));
        check(&[], (0, 0));
    }
}
