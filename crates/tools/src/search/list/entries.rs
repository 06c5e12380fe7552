//! The work of listing.

use std::path::Path;

use toolpost_core::{Look, ToolError};
use toolpost_host::{Hidden, Ignored, Rules, Stop, TreeEntry};

use super::{Entry, IgnoredEntries, Input, Output};
use crate::files::place;
use crate::looking::page::{Page, Wanted};
use crate::looking::{one_line, without_own};

/// How many entries are given unless the call says otherwise.
const LIMIT: u64 = 1_000;
/// How many characters a page holds.
const PAGE_CHARS: usize = 30_000;
/// What is written around a name at the most.
const FRAME_CHARS: usize = 28;
/// The deepest tree that is listed.
const DEPTH: u64 = 64;

/// Lists a folder, and takes the page that was asked for.
pub(super) fn list(
    root: &Path,
    input: &Input,
    look: &Look,
    stop: &Stop,
) -> Result<Output, ToolError> {
    let all = entries((root, look), input, Ignored::Show, stop)
        .map_err(|err| place::fault(&err, look, root, "listed"))?;
    let (listed, left_out) = match input.ignored {
        IgnoredEntries::Listed => (all, 0),
        IgnoredEntries::Counted => {
            let kept = entries((root, look), input, Ignored::Skip, stop)
                .map_err(|err| place::fault(&err, look, root, "listed"))?;
            let left_out = all.len().saturating_sub(kept.len());
            (kept, u64::try_from(left_out).unwrap_or(u64::MAX))
        }
    };
    let offset = input.offset.unwrap_or(0);
    let wanted = Wanted {
        offset,
        limit: input.limit.unwrap_or(LIMIT),
    };
    let total = u64::try_from(listed.len()).unwrap_or(u64::MAX);
    let rest: Vec<Entry> = listed
        .into_iter()
        .skip(usize::try_from(offset).unwrap_or(usize::MAX))
        .take(usize::try_from(wanted.limit).unwrap_or(usize::MAX))
        .map(|entry| named(entry, look))
        .collect();
    let costs = rest
        .iter()
        .map(|entry| entry.name.chars().count() + 2 * entry.depth + FRAME_CHARS);
    let shown = wanted.fitting(costs, PAGE_CHARS);
    Ok(Output {
        shown: look.show(root),
        root: root.to_path_buf(),
        entries: rest
            .into_iter()
            .take(usize::try_from(shown).unwrap_or(usize::MAX))
            .collect(),
        page: Page::of(offset, shown, total),
        left_out,
    })
}

fn entries(
    (root, look): (&Path, &Look),
    input: &Input,
    ignored: Ignored,
    stop: &Stop,
) -> Result<Vec<TreeEntry>, toolpost_host::HostError> {
    let depth = usize::try_from(input.depth.unwrap_or(1).min(DEPTH)).unwrap_or(1);
    // What git keeps in `.git` is nobody's listing.
    let own = std::iter::once("!**/.git/**".to_owned());
    let asked = input.ignore.iter().flatten().map(|glob| format!("!{glob}"));
    let rules = Rules {
        hidden: Hidden::Show,
        ignored,
        globs: own.chain(asked).chain(without_own(look, root)).collect(),
        types: Vec::new(),
        depth: None,
    };
    toolpost_host::tree(root, depth, &rules, stop)
}

fn named(entry: TreeEntry, look: &Look) -> Entry {
    let name = entry.path.file_name().unwrap_or_default();
    Entry {
        name: one_line(name.to_string_lossy().into_owned()),
        shown: one_line(look.show(&entry.path)),
        depth: entry.depth,
        kind: entry.kind,
        size: entry.size,
        children: entry.children,
    }
}
