//! Making a change ready, without touching what is there.

use std::fs::{File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::{Access, AtFlags, CWD};
use rustix::process::{Resource, getrlimit};
use tempfile::{NamedTempFile, TempPath};

use super::expect::look;
use super::ground::Ground;
use super::parents::Parents;
use super::{Expect, Wish};
use crate::error::At;
use crate::read::require_file;
use crate::{ContentHash, EntryKind, Fault, HostError, Stat, paths};

/// A change that is ready to be made.
pub(super) struct Staged<'a> {
    /// The file, with links followed; for a removal, the link itself.
    pub(super) target: PathBuf,
    pub(super) expect: Expect,
    /// What the file is to hold.
    pub(super) bytes: &'a [u8],
    pub(super) act: Act,
    /// Which file that is, if it has more than one name.
    many_named: Option<(u64, u64)>,
    hash: OnceLock<ContentHash>,
}

/// What is to be done.
pub(super) enum Act {
    /// A new file takes the place of the old one.
    Swap(NamedTempFile),
    /// A new file appears.
    Create(NamedTempFile),
    /// The file is written in place, for this reason.
    InPlace(&'static str),
    /// The file goes; its name is this until nothing can fail any more.
    Remove(TempPath),
}

const MANY_NAMES: &str = "written in place: the file has more than one name";
const CLOSED_FOLDER: &str = "written in place: its folder may not be written to";
const ATTRIBUTES: &str = "written in place: its owner or attributes cannot be carried over";

impl Staged<'_> {
    /// The folder that the target is in.
    pub(super) fn folder(&self) -> &Path {
        self.target.parent().unwrap_or(Path::new("/"))
    }

    /// The hash of what the file is to hold.
    pub(super) fn hash(&self) -> ContentHash {
        *self.hash.get_or_init(|| ContentHash::of(self.bytes))
    }

    /// Whether two changes are of one file: by one name, or by two of which one is written to. To take away two names
    /// is to take away two things.
    pub(super) fn collides(&self, other: &Self) -> bool {
        let removals = [self, other].map(|one| matches!(one.act, Act::Remove(_)));
        let same_file = self.many_named.is_some() && self.many_named == other.many_named;
        self.target == other.target || (same_file && removals != [true, true])
    }

    /// Brings the new file to the disk.
    pub(super) fn sync(&self) -> Result<(), HostError> {
        match &self.act {
            Act::Swap(temp) | Act::Create(temp) => temp.as_file().sync_all().at(&self.target),
            Act::InPlace(_) | Act::Remove(_) => Ok(()),
        }
    }
}

/// Makes a change ready.
pub(super) fn stage<'a>(
    wish: Wish<'a>,
    parents: &mut Parents,
    ground: &mut Ground<'_>,
) -> Result<Staged<'a>, HostError> {
    let (target, expect, bytes, act) = match wish {
        Wish::Remove { path, expect } => {
            let target = paths::follow_to_entry(path)?;
            let folder = target.parent().unwrap_or(Path::new("/"));
            let aside = ground.name_beside(folder).at(&target)?;
            (target, expect, [].as_slice(), Act::Remove(aside))
        }
        Wish::Write {
            path,
            bytes,
            expect,
            mode,
        } => {
            let target = paths::follow(path)?;
            let folder = target.parent().unwrap_or(Path::new("/"));
            parents.ensure(folder, ground)?;
            let act = stage_write(&target, bytes, mode, ground)?;
            (target, expect, bytes, act)
        }
    };
    Ok(Staged {
        many_named: many_named(&target),
        target,
        expect,
        bytes,
        act,
        hash: OnceLock::new(),
    })
}

/// Which file an entry is, if it is one with more than one name.
fn many_named(target: &Path) -> Option<(u64, u64)> {
    let stat = Stat::of(&std::fs::symlink_metadata(target).ok()?);
    (stat.kind == EntryKind::File && stat.links > 1).then_some(stat.id)
}

fn stage_write(
    target: &Path,
    bytes: &[u8],
    mode: Option<u32>,
    ground: &mut Ground<'_>,
) -> Result<Act, HostError> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    let found = look(target)?;
    let Some(stat) = found else {
        return stage_new(folder, bytes, mode, ground)
            .map(Act::Create)
            .map_err(|err| err.at(target));
    };
    require_file(target, stat.kind)?;
    // A rename would pass by a file's own write protection.
    rustix::fs::accessat(CWD, target, Access::WRITE_OK, AtFlags::EACCESS).at(target)?;
    check_size(target, bytes)?;
    stage_swap(target, bytes, &stat, ground)
}

/// Makes a new file, with the permissions that the system gives to new files unless others are asked for.
fn stage_new(
    folder: &Path,
    bytes: &[u8],
    mode: Option<u32>,
    ground: &mut Ground<'_>,
) -> Result<NamedTempFile, HostError> {
    check_size(folder, bytes)?;
    let mut temp = ground.beside(folder, 0o666).at(folder)?;
    if let Some(mode) = mode {
        let permissions = Permissions::from_mode(mode & 0o7777);
        temp.as_file().set_permissions(permissions).at(folder)?;
    }
    ground.reached("filling a file");
    temp.as_file_mut().write_all(bytes).at(folder)?;
    Ok(temp)
}

/// Makes the file that is to take the place of another, or finds that it has to be written in place.
fn stage_swap(
    target: &Path,
    bytes: &[u8],
    stat: &Stat,
    ground: &mut Ground<'_>,
) -> Result<Act, HostError> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    if stat.links > 1 {
        return Ok(Act::InPlace(MANY_NAMES));
    }
    let mut temp = match ground.beside(folder, 0o600).at(target) {
        Ok(temp) => temp,
        Err(err) if err.fault == Fault::Permission => return Ok(Act::InPlace(CLOSED_FOLDER)),
        Err(err) => return Err(err),
    };
    ground.reached("filling a file");
    temp.as_file_mut().write_all(bytes).at(target)?;
    match carry_over(target, temp.as_file()) {
        Ok(()) => Ok(Act::Swap(temp)),
        Err(_) => Ok(Act::InPlace(ATTRIBUTES)),
    }
}

/// Gives a new file the owner, mode and extended attributes of another; access lists are attributes too.
fn carry_over(from: &Path, to: &File) -> std::io::Result<()> {
    use xattr::FileExt as _;
    let old = std::fs::metadata(from)?;
    let new = to.metadata()?;
    if (old.uid(), old.gid()) != (new.uid(), new.gid()) {
        std::os::unix::fs::fchown(to, Some(old.uid()), Some(old.gid()))?;
    }
    to.set_permissions(Permissions::from_mode(old.mode() & 0o7777))?;
    let names = match xattr::list(from) {
        Ok(names) => names,
        Err(err) if err.kind() == std::io::ErrorKind::Unsupported => return Ok(()),
        Err(err) => return Err(err),
    };
    for name in names {
        let value = xattr::get(from, &name)?.unwrap_or_default();
        // Labels that the system gives to every file are often there already, and may not be set.
        if to.get_xattr(&name)?.as_ref() != Some(&value) {
            to.set_xattr(&name, &value)?;
        }
    }
    Ok(())
}

/// Refuses a content that this process may not write. The system would end the process for trying.
pub(super) fn check_size(path: &Path, bytes: &[u8]) -> Result<(), HostError> {
    let limit = getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX);
    if bytes.len() as u64 <= limit {
        return Ok(());
    }
    Err(HostError::from_io(path, &rustix::io::Errno::FBIG.into()))
}

/// What is said when two changes name one file.
pub(super) fn twice(path: &Path) -> HostError {
    HostError::new(Fault::Unsupported, path, "two changes name this file")
}
