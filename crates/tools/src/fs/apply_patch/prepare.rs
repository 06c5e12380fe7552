//! Planning a patch: every file is read, every chunk has its place, before anything is written.

use std::path::Path;

use toolpost_core::{Code, Cx, FileDiff, Look, PriorRead, ToolError};
use toolpost_host::{Change, Content, ContentHash, EntryKind, Expect, Fault, Nul, Splice, Text};

use super::locate::{Pass, locate};
use super::patch::{Chunk, Operation, Patch};
use super::splicing::Pages;
use super::target::Target;
use super::{Fate, Output, Touched, misses};
use crate::files::{diff, place, sight};
use crate::{blocking, fault};

/// A patch that can be applied.
pub(super) struct Prepared {
    changes: Vec<Change>,
    /// The lines that the session knows of the files that are only partly known, by what they are to hold.
    known: Vec<(ContentHash, Option<(u64, u64)>)>,
    pub(super) files: Vec<Touched>,
}

impl Prepared {
    /// Finds out what the patch would do to the files as they now are.
    pub(super) fn find(patch: &Patch, targets: &[Target], look: &Look) -> Result<Self, ToolError> {
        let mut all = Self {
            changes: Vec::new(),
            known: Vec::new(),
            files: Vec::new(),
        };
        for (operation, target) in patch.operations.iter().zip(targets) {
            match operation {
                Operation::Add { path, lines } => all.add(path, target, lines)?,
                Operation::Delete { path } => all.delete(path, target, look)?,
                Operation::Update { path, to, chunks } => {
                    let given = Given {
                        path,
                        to: to.as_deref(),
                    };
                    all.update(given, target, chunks, look)?;
                }
            }
        }
        let nothing = |file: &Touched| file.fate == Fate::Modified && file.diff.hunks.is_empty();
        let moves = targets.iter().any(|target| target.to.is_some());
        if !moves && all.files.iter().all(nothing) {
            return Err(misses::no_change());
        }
        Ok(all)
    }

    /// Writes everything or nothing.
    pub(super) fn apply(self, cx: &Cx) -> Result<Output, ToolError> {
        let written = blocking::here(|| cx.files.apply(&cx.permit, &self.changes))
            .map_err(|err| misses::not_applied(&err, &cx.look))?;
        let notes = written.iter().filter_map(|written| written.note);
        let seen = self.changes.iter().filter_map(|change| match change {
            Change::Write { path, bytes, .. } => {
                let hash = ContentHash::of(bytes);
                let known = self.known.iter().find(|(of, _)| *of == hash);
                Some(sight::of_lines(
                    path,
                    hash,
                    known.and_then(|(_, lines)| *lines),
                ))
            }
            Change::Remove { .. } => None,
        });
        let touched = self.changes.iter().map(|change| match change {
            Change::Write { path, .. } | Change::Remove { path, .. } => path.clone(),
        });
        Ok(Output {
            notes: notes.map(str::to_owned).collect(),
            seen: seen.collect(),
            touched: touched.collect(),
            files: self.files,
        })
    }

    fn add(&mut self, given: &str, target: &Target, lines: &[String]) -> Result<(), ToolError> {
        let path = &target.path;
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        let deleted = self
            .changes
            .iter()
            .position(|change| matches!(change, Change::Remove { path: gone, .. } if gone == path));
        let expect = match deleted.map(|at| self.changes.remove(at)) {
            Some(Change::Remove { expect, .. }) => expect,
            _ if is_there(path) => return Err(misses::exists(given)),
            _ => Expect::Absent,
        };
        let after = diff::End {
            shown: given,
            text: &text,
        };
        self.files.push(Touched {
            fate: Fate::Added,
            given: given.to_owned(),
            diff: diff::between(None, Some(after)),
        });
        self.changes.push(Change::Write {
            path: path.clone(),
            bytes: text.into_bytes(),
            expect,
            mode: None,
        });
        Ok(())
    }

    fn delete(&mut self, given: &str, target: &Target, look: &Look) -> Result<(), ToolError> {
        if target.entry != target.path {
            self.delete_link(given, target);
            return Ok(());
        }
        let content = read(given, &target.path, look, "deleted")?;
        seen(look, given, &target.path, &content, PriorRead::Strict)?;
        let text = Text::decode(&content.bytes).ok();
        let before = diff::End {
            shown: given,
            text: text.as_ref().map_or("", Text::as_str),
        };
        self.files.push(Touched {
            fate: Fate::Deleted,
            given: given.to_owned(),
            diff: diff::between(Some(before), None),
        });
        self.changes.push(Change::Remove {
            path: target.path.clone(),
            expect: Expect::Content(content.hash),
        });
        Ok(())
    }

    /// A link goes by itself: what it leads to stays, if there is anything.
    fn delete_link(&mut self, given: &str, target: &Target) {
        let content = toolpost_host::read_whole(&target.path, place::WHOLE_LIMIT_BYTES);
        let link = diff::End {
            shown: given,
            text: "",
        };
        self.files.push(Touched {
            fate: Fate::Deleted,
            given: given.to_owned(),
            diff: diff::between(Some(link), None),
        });
        self.changes.push(Change::Remove {
            path: target.entry.clone(),
            expect: content.map_or(Expect::Anything, |content| Expect::Content(content.hash)),
        });
    }

    fn update(
        &mut self,
        given: Given<'_>,
        target: &Target,
        chunks: &[Chunk],
        look: &Look,
    ) -> Result<(), ToolError> {
        let content = read(given.path, &target.path, look, "patched")?;
        seen(look, given.path, &target.path, &content, PriorRead::Strict)?;
        let Patched { bytes, known, diff } = if chunks.is_empty() {
            let known = look
                .sight
                .of(&target.path)
                .filter(|seen| seen.hash == content.hash);
            let lines = known.map_or(Some((0, 0)), |seen| seen.lines);
            Patched {
                bytes: content.bytes.clone(),
                known: lines,
                diff: diff::between(None, None),
            }
        } else {
            let file = File {
                given,
                path: &target.path,
                content: &content,
            };
            patched(&file, chunks, look)?
        };
        self.known.push((ContentHash::of(&bytes), known));
        let expect = Expect::Content(content.hash);
        if let Some(to) = &target.to {
            let shown = given.to.unwrap_or(given.path);
            if is_there(to) {
                return Err(misses::exists(shown));
            }
            self.changes.push(Change::Write {
                path: to.clone(),
                bytes,
                expect: Expect::Absent,
                mode: Some(content.stat.mode),
            });
            let path = target.entry.clone();
            self.changes.push(Change::Remove { path, expect });
        } else if bytes != content.bytes {
            self.changes.push(Change::Write {
                path: target.path.clone(),
                bytes,
                expect,
                mode: None,
            });
        }
        self.files.push(Touched {
            fate: Fate::Modified,
            given: given.to.unwrap_or(given.path).to_owned(),
            diff,
        });
        Ok(())
    }
}

/// A file's names as the patch writes them.
#[derive(Clone, Copy)]
struct Given<'a> {
    path: &'a str,
    to: Option<&'a str>,
}

/// A file that is to be patched.
struct File<'a> {
    given: Given<'a>,
    path: &'a Path,
    content: &'a Content,
}

/// Whether anything is at a path, links included.
fn is_there(path: &Path) -> bool {
    let stat = toolpost_host::stat(path);
    !matches!(stat, Err(err) if err.fault == Fault::NotFound)
}

fn read(given: &str, path: &Path, look: &Look, done: &str) -> Result<Content, ToolError> {
    let folder = toolpost_host::stat(path).is_ok_and(|stat| stat.kind == EntryKind::Folder);
    if folder {
        let fact = format!("`{given}` is a folder, and cannot be {done}.");
        return Err(ToolError::new(Code::NotAFile, fact));
    }
    toolpost_host::read_whole(path, place::WHOLE_LIMIT_BYTES)
        .map_err(|err| place::fault(&err, look, path, done))
}

/// Refuses a content that was not seen where the setting asks for at least that much.
fn seen(
    look: &Look,
    given: &str,
    path: &Path,
    content: &Content,
    asked: PriorRead,
) -> Result<(), ToolError> {
    let setting = look.settings.prior_read;
    let exempt =
        setting == PriorRead::Off || (asked == PriorRead::Strict && setting == PriorRead::Evidence);
    if exempt {
        return Ok(());
    }
    match sight::missing(sight::of(look, path, &content.hash), given) {
        Some(err) => Err(err),
        None => Ok(()),
    }
}

/// What a patched file comes to.
struct Patched {
    bytes: Vec<u8>,
    /// The lines that the session then knows; `None` when it knows all.
    known: Option<(u64, u64)>,
    diff: FileDiff,
}

/// Finds the chunks' places and makes the new bytes.
fn patched(file: &File<'_>, chunks: &[Chunk], look: &Look) -> Result<Patched, ToolError> {
    let given = file.given.path;
    let text = Text::decode_with(&file.content.bytes, Nul::Accepted)
        .map_err(|err| fault::told(&err, given, "patched"))?;
    let pages = Pages::of(text.as_str());
    let mut splices: Vec<Splice> = Vec::new();
    let mut from = 0;
    for (number, chunk) in (1..).zip(chunks) {
        let found = locate(&pages.lines, chunk, from).map_err(|lost| {
            let miss = misses::Miss {
                given,
                number,
                of: chunks.len(),
                chunk,
                from,
            };
            miss.told(&lost, &pages)
        })?;
        if found.pass > Pass::Exact {
            seen(look, given, file.path, file.content, PriorRead::Evidence)
                .map_err(|err| misses::unseen(err, &pages, &found.lines))?;
        }
        splices.extend(pages.splices(chunk, found.lines.start));
        from = found.lines.end;
    }
    let bytes = text
        .replace(&splices)
        .map_err(|err| fault::told(&err, given, "patched"))?;
    let mut after = text.as_str().to_owned();
    for splice in splices.iter().rev() {
        after.replace_range(splice.range.clone(), &splice.with);
    }
    let end = |shown, text| Some(diff::End { shown, text });
    let shown_after = file.given.to.unwrap_or(given);
    let diff = diff::between(end(given, text.as_str()), end(shown_after, &after));
    let known = sight::Glance::at(look, file.path, &file.content.hash, given).once_changed(
        text.as_str(),
        &after,
        &splices,
    );
    Ok(Patched { bytes, known, diff })
}
