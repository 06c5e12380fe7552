//! Where one file of an unfinished transaction stands, and how it is brought to either side.

use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, rename, renameat_with};
use rustix::io::Errno;

use super::commit::exchange;
use super::expect::identity;
use super::ground::Ground;
use super::place::rewrite;
use super::record::{Item, Kind, aside};
use crate::error::At as _;
use crate::{ContentHash, Fault, HostError};

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// What it held before.
    Old,
    /// What it is to hold.
    New,
    /// A part of either: it was being written in place.
    Torn,
    /// Nothing, since it was away for a moment.
    Away,
    /// Something else: somebody changed it.
    Strange,
}

/// A file of an unfinished transaction.
pub(super) struct Standing<'a> {
    pub(super) item: &'a Item,
    pub(super) at: At,
    /// What lies where the new content was.
    temp: Option<ContentHash>,
}

impl<'a> Standing<'a> {
    /// Looks at a file.
    pub(super) fn of(item: &'a Item) -> Result<Self, HostError> {
        let temp = identity(&item.temp)?;
        let at = match found(&item.target)? {
            Some(found) if found == item.new => At::New,
            Some(found) if found == item.old => At::Old,
            Some(None) if item.kind == Kind::Swap && is_aside(item)? => At::Away,
            Some(Some(_)) if is_torn(item, temp)? => At::Torn,
            _ => At::Strange,
        };
        Ok(Self { item, at, temp })
    }

    /// Whether the change was made, whatever happened to the file since.
    fn is_finished(&self) -> bool {
        match self.at {
            At::New => true,
            At::Old | At::Torn | At::Away => false,
            At::Strange => match self.item.kind {
                Kind::Swap | Kind::Create => self.temp != self.item.new,
                Kind::Remove => self.temp == self.item.old,
                // It cannot be told; whoever wrote to it wrote last.
                Kind::InPlace => true,
            },
        }
    }

    /// Whether the change was made or can be.
    pub(super) fn can_finish(&self) -> bool {
        let has_new = self.item.kind == Kind::Remove || self.temp == self.item.new;
        self.is_finished() || (self.at != At::Strange && has_new)
    }

    /// Gives the file its new content.
    pub(super) fn finish(&self, ground: &Ground<'_>) -> Result<(), HostError> {
        let (temp, target) = (self.item.temp.as_path(), self.item.target.as_path());
        match (self.at, self.item.kind) {
            (At::New | At::Strange, _) => Ok(()),
            (At::Old, Kind::Swap) => swap(temp, target, ground),
            (At::Old, Kind::Create) | (At::Away, _) => place_new(temp, target),
            (At::Old, Kind::Remove) => rename(target, temp).at(target),
            (At::Old | At::Torn, _) => copy(temp, target, ground),
        }
    }

    /// Gives the file its old content.
    pub(super) fn take_back(&self, ground: &Ground<'_>) -> Result<(), HostError> {
        let (temp, target) = (self.item.temp.as_path(), self.item.target.as_path());
        match (self.at, self.item.kind) {
            (At::Old | At::Strange, _) => Ok(()),
            (At::New, _) if self.item.old == self.item.new => Ok(()),
            (At::New, Kind::Create) => std::fs::remove_file(target).at(target),
            (At::New, Kind::Remove) => place_new(&self.old()?, target),
            (At::New, Kind::Swap) => swap(&self.old()?, target, ground),
            (At::Away, _) => place_new(&aside(temp), target),
            (At::New | At::Torn, _) => copy(&aside(temp), target, ground),
        }
    }

    /// Where the old content is.
    fn old(&self) -> Result<PathBuf, HostError> {
        let aside = aside(&self.item.temp);
        if self.temp == self.item.old {
            return Ok(self.item.temp.clone());
        }
        if identity(&aside)? == self.item.old {
            return Ok(aside);
        }
        let detail = "its old content is no longer there";
        Err(HostError::new(Fault::Gone, &self.item.target, detail))
    }
}

/// What is at a path; the outer `None` is a thing without a content, such as a folder.
fn found(path: &Path) -> Result<Option<Option<ContentHash>>, HostError> {
    match identity(path) {
        Err(err) if err.fault == Fault::NotAFile => Ok(None),
        found => found.map(Some),
    }
}

fn is_aside(item: &Item) -> Result<bool, HostError> {
    Ok(item.old.is_some() && identity(&aside(&item.temp))? == item.old)
}

/// Whether a file holds a part of the old content and a part of the new one.
fn is_torn(item: &Item, temp: Option<ContentHash>) -> Result<bool, HostError> {
    let in_place = matches!(item.kind, Kind::InPlace | Kind::Swap);
    if !in_place || temp != item.new || !is_aside(item)? {
        return Ok(false);
    }
    let read = |path: &Path| std::fs::read(path).at(path);
    let (now, new, old) = (
        read(&item.target)?,
        read(&item.temp)?,
        read(&aside(&item.temp))?,
    );
    Ok(is_between(&now, &old, &new))
}

/// The system writes pages: one that it has begun it finishes, whatever happens to the process.
const PAGE_BYTES: usize = 4096;

/// Whether a content is made of pages of two others, whichever was being written over which, and how often.
fn is_between(now: &[u8], old: &[u8], new: &[u8]) -> bool {
    let mut pages = now.chunks(PAGE_BYTES).enumerate();
    now.len() >= old.len().min(new.len())
        && pages.all(|(number, page)| {
            let (old, new) = (page_of(old, number), page_of(new, number));
            page == old || page == new || lies_over(page, new, old) || lies_over(page, old, new)
        })
}

fn page_of(whole: &[u8], number: usize) -> &[u8] {
    whole.chunks(PAGE_BYTES).nth(number).unwrap_or_default()
}

/// Whether a page is the shorter one written over the longer one.
fn lies_over(page: &[u8], short: &[u8], long: &[u8]) -> bool {
    let rest = long.get(short.len()..).unwrap_or_default();
    page.strip_prefix(short).is_some_and(|after| after == rest)
}

/// Lets a file take another's place, or its content where the place cannot be taken.
fn swap(from: &Path, target: &Path, ground: &Ground<'_>) -> Result<(), HostError> {
    match exchange(from, target) {
        Err(Errno::BUSY) => copy(from, target, ground),
        result => result.at(target),
    }
}

/// Moves a file where nothing is.
fn place_new(from: &Path, target: &Path) -> Result<(), HostError> {
    match renameat_with(CWD, from, CWD, target, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => rename(from, target).at(target),
        result => result.at(target),
    }
}

fn copy(from: &Path, target: &Path, ground: &Ground<'_>) -> Result<(), HostError> {
    let bytes = std::fs::read(from).at(from)?;
    rewrite(target, &bytes, None, ground)
}
