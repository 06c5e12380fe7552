//! The way of changes: made ready, compared, written down, made.

use std::path::PathBuf;

use super::commit::{self, Done, Keep};
use super::expect;
use super::ground::{Ground, keep_image};
use super::lock::FolderLocks;
use super::parents::Parents;
use super::record::{Item, Kind, aside};
use super::stage::{self, Act, Staged};
use super::{ApplyError, Wish, Written};
use crate::HostError;
use crate::error::At;

/// From this size on, files are compared while the new ones are brought to the disk. Small ones are compared after
/// that, so that their folders are locked for a shorter time.
const HEAVY_BYTES: usize = 256 << 10;

/// Makes all changes or none.
pub(super) fn make_all(
    mut ground: Ground<'_>,
    wishes: &[Wish<'_>],
) -> Result<Vec<Written>, ApplyError> {
    let mut parents = Parents::default();
    let made = make_with(&mut parents, wishes, &mut ground);
    // What could not be put back is left to the next recovery, with the record.
    let whole = made.as_ref().err().is_none_or(|err| err.rolled_back);
    if made.is_err() && whole {
        parents.take_back();
    }
    ground.reached("ending the record");
    if let (Some(record), true) = (ground.record.take(), whole) {
        record.finish(wishes.len());
    }
    made
}

fn make_with(
    parents: &mut Parents,
    wishes: &[Wish<'_>],
    ground: &mut Ground<'_>,
) -> Result<Vec<Written>, ApplyError> {
    let staged = stage_all(parents, wishes, ground)?;
    let folders = to_settle(&staged);
    let _locks = sync_and_check(&staged, ground)?;
    plan(&staged, ground)?;
    let done = commit_all(staged, ground)?;
    ground.reached("settling");
    commit::settle(folders);
    ground.reached("dropping what was");
    Ok(done.into_iter().filter_map(Done::written).collect())
}

/// The folders whose new entries are waited for until they are on the disk.
///
/// A single file that takes another's place needs none: its content is on the disk, and after a power cut either of
/// the two is there, whole.
fn to_settle(staged: &[Staged<'_>]) -> Vec<PathBuf> {
    if let [one] = staged
        && matches!(one.act, Act::Swap(_))
    {
        return Vec::new();
    }
    let folder = |one: &Staged<'_>| one.folder().to_path_buf();
    staged.iter().map(folder).collect()
}

fn stage_all<'a>(
    parents: &mut Parents,
    wishes: &[Wish<'a>],
    ground: &mut Ground<'_>,
) -> Result<Vec<Staged<'a>>, ApplyError> {
    let mut staged: Vec<Staged<'_>> = Vec::with_capacity(wishes.len());
    for (at, wish) in wishes.iter().enumerate() {
        let next = stage::stage(*wish, parents, ground).map_err(untouched(at))?;
        if staged.iter().any(|other| other.collides(&next)) {
            return Err(untouched(at)(stage::twice(&next.target)));
        }
        staged.push(next);
    }
    Ok(staged)
}

/// Brings the new files to the disk, locks the folders, and compares what is there with what is expected.
fn sync_and_check(staged: &[Staged<'_>], ground: &Ground<'_>) -> Result<FolderLocks, ApplyError> {
    let lock = || FolderLocks::take(staged.iter().map(Staged::folder)).map_err(untouched(0));
    ground.reached("syncing");
    if staged.iter().map(|one| one.bytes.len()).sum::<usize>() < HEAVY_BYTES {
        each(staged, Staged::sync)?;
        let locks = lock()?;
        each(staged, expect::check)?;
        return Ok(locks);
    }
    let locks = lock()?;
    let compare = || {
        each(staged, expect::check)?;
        for one in staged {
            one.hash();
        }
        Ok(())
    };
    let (synced, compared) = std::thread::scope(|scope| {
        let compared = scope.spawn(compare);
        let synced = each(staged, Staged::sync);
        // A thread that panicked has compared nothing.
        (
            synced,
            compared
                .join()
                .unwrap_or_else(|_| each(staged, expect::check)),
        )
    });
    compared.and(synced).map(|()| locks)
}

fn each<'a>(
    staged: &[Staged<'a>],
    act: impl Fn(&Staged<'a>) -> Result<(), HostError>,
) -> Result<(), ApplyError> {
    for (at, one) in staged.iter().enumerate() {
        act(one).map_err(untouched(at))?;
    }
    Ok(())
}

/// Writes the plan into the record. A single rename needs none: it is made or not.
fn plan(staged: &[Staged<'_>], ground: &mut Ground<'_>) -> Result<(), ApplyError> {
    let single = matches!(staged, [one] if !matches!(one.act, Act::InPlace(_)));
    if ground.record.is_none() || single {
        return Ok(());
    }
    let mut items = Vec::with_capacity(staged.len());
    for (at, one) in staged.iter().enumerate() {
        items.push(item(at, one, ground).map_err(untouched(at))?);
    }
    ground.reached("writing the plan");
    match &mut ground.record {
        Some(record) => record.ready(&items).map_err(untouched(0)),
        None => Ok(()),
    }
}

/// What the record says of a change. The contents of a file that is written in place are kept with the record.
fn item(at: usize, staged: &Staged<'_>, ground: &mut Ground<'_>) -> Result<Item, HostError> {
    let target = staged.target.as_path();
    let (kind, temp) = match &staged.act {
        Act::Swap(temp) => (Kind::Swap, temp.path().to_path_buf()),
        Act::Create(temp) => (Kind::Create, temp.path().to_path_buf()),
        Act::Remove(aside) => (Kind::Remove, aside.to_path_buf()),
        Act::InPlace(_) => (Kind::InPlace, ground.name_image(at)?),
    };
    if kind == Kind::InPlace {
        ground.reached("keeping the new content");
        keep_image(&temp, staged.bytes).at(&temp)?;
        ground.reached("keeping the old content");
        let old = std::fs::read(target).at(target)?;
        keep_image(&aside(&temp), &old).at(&temp)?;
    }
    Ok(Item {
        kind,
        target: target.to_path_buf(),
        temp,
        old: expect::old_identity(staged)?,
        new: (kind != Kind::Remove).then(|| staged.hash()),
    })
}

/// Renames one after the other, and puts all back when one fails.
fn commit_all(staged: Vec<Staged<'_>>, ground: &Ground<'_>) -> Result<Vec<Done>, ApplyError> {
    let last = staged.len().saturating_sub(1);
    let mut done: Vec<Done> = Vec::with_capacity(staged.len());
    for (at, one) in staged.into_iter().enumerate() {
        // Nothing can fail after the last one, so its old content need not be kept.
        let keep = if at == last { Keep::Nothing } else { Keep::Old };
        match commit::commit(one, keep, ground) {
            Ok(next) => done.push(next),
            Err(error) => {
                ground.goes_back();
                let back = done.into_iter().rev().map(|one| one.take_back(ground));
                let rolled_back = back.filter(Result::is_err).count() == 0;
                return Err(ApplyError {
                    at,
                    error,
                    rolled_back,
                });
            }
        }
    }
    Ok(done)
}

/// An error before anything was touched.
pub(super) fn untouched(at: usize) -> impl Fn(HostError) -> ApplyError {
    move |error| ApplyError {
        at,
        error,
        rolled_back: true,
    }
}
