//! Paths as the kernel reads them.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::io::Errno;

use crate::error::At;
use crate::{Fault, HostError};

/// How many links the kernel follows in one path (`MAXSYMLINKS` in Linux's `namei.h`).
const LINKS_MAX: usize = 40;

/// Makes a path absolute, with `.`, `..` and links resolved as the kernel resolves them: a link first, then what
/// stands after it.
///
/// What is not there is kept as it is written, so the path of a new file, or the place that a dangling link names, can
/// be asked for. An empty `given` is `base`. Nothing is expanded: `~` and `$` are characters like all others.
pub fn resolve(base: &Path, given: &str) -> Result<PathBuf, HostError> {
    refuse_nul(given)?;
    follow(&base.join(given))
}

/// Makes a path absolute as [`resolve`] does, but for its last part: where that is a link, the link itself is named and
/// not what it leads to. It is for what is done to a name and not to a content: removing and moving.
///
/// As the kernel reads it, a path that ends with `/`, `.` or `..` names what the link leads to.
pub fn resolve_entry(base: &Path, given: &str) -> Result<PathBuf, HostError> {
    refuse_nul(given)?;
    match given.rsplit('/').next() {
        Some("" | "." | "..") | None => follow(&base.join(given)),
        Some(_) => follow_to_entry(&base.join(given)),
    }
}

fn refuse_nul(given: &str) -> Result<(), HostError> {
    if !given.contains('\0') {
        return Ok(());
    }
    Err(HostError::new(
        Fault::Unsupported,
        given.replace('\0', "\u{fffd}"),
        "a path cannot hold a NUL character",
    ))
}

/// Follows the links above an entry, and not the entry itself.
pub(crate) fn follow_to_entry(path: &Path) -> Result<PathBuf, HostError> {
    match (path.parent(), path.file_name()) {
        (Some(above), Some(name)) => Ok(follow(above)?.join(name)),
        _ => follow(path),
    }
}

/// The same for a path that need not be UTF-8.
pub(crate) fn follow(path: &Path) -> Result<PathBuf, HostError> {
    walk(&std::path::absolute(path).at(path)?)
}

/// Follows an absolute path, part by part.
fn walk(whole: &Path) -> Result<PathBuf, HostError> {
    let mut found = PathBuf::from("/");
    let mut ahead = parts(whole);
    let mut links = 0;
    while let Some(part) = ahead.pop_front() {
        if part == ".." {
            found.pop();
            continue;
        }
        found.push(&part);
        let Some(target) = link_target(&found) else {
            continue;
        };
        links += 1;
        if links > LINKS_MAX {
            return Err(HostError::from_io(whole, &Errno::LOOP.into()));
        }
        if target.is_absolute() {
            found = PathBuf::from("/");
        } else {
            found.pop();
        }
        let mut next = parts(&target);
        next.append(&mut ahead);
        ahead = next;
    }
    Ok(found)
}

/// The parts of a path that lead somewhere.
fn parts(path: &Path) -> VecDeque<OsString> {
    let leads = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some(OsString::from("..")),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(leads).collect()
}

/// Where a link leads; `None` when it is no link or cannot be looked at. The kernel's own links to pipes and sockets
/// name no path and stay as they are.
fn link_target(path: &Path) -> Option<PathBuf> {
    let target = std::fs::read_link(path).ok()?;
    let nameless = path.starts_with("/proc") && target.as_os_str().as_bytes().contains(&b':');
    (!nameless || target.is_absolute()).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::{resolve, resolve_entry};
    use crate::Fault;
    use proptest::prelude::*;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    #[test]
    fn paths_are_read_as_the_kernel_reads_them() {
        let place = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(place.path()).unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("a/file"), "").unwrap();
        symlink("a/b", root.join("link")).unwrap();
        symlink(root.join("a/file"), root.join("to_file")).unwrap();
        symlink("new/place", root.join("dangling")).unwrap();
        symlink("../a/../link", root.join("a/chain")).unwrap();
        let check = |given: &str, expected: &str| {
            let expected = root.join(expected);
            let expected = expected.to_str().unwrap().trim_end_matches('/');
            assert_eq!(
                resolve(&root, given).unwrap(),
                Path::new(expected),
                "{given}"
            );
        };
        check("", "");
        check(".", "");
        check("a/./b/", "a/b");
        check("a//b/..", "a");
        check("link", "a/b");
        check("link/..", "a");
        check("link/../file", "a/file");
        check("to_file", "a/file");
        check("a/chain/x", "a/b/x");
        check("dangling", "new/place");
        check("dangling/more", "new/place/more");
        check("missing/../link/x", "a/b/x");
        check("missing/deep/../er", "missing/er");
        check("~/$HOME", "~/$HOME");
        check(root.join("link").to_str().unwrap(), "a/b");
    }

    #[test]
    fn a_link_itself_can_be_named() {
        let place = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(place.path()).unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        symlink("a/b", root.join("link")).unwrap();
        symlink("../link", root.join("a/chain")).unwrap();
        symlink("nowhere", root.join("dangling")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let check = |given: &str, expected: &str| {
            let found = resolve_entry(&root, given).unwrap();
            assert_eq!(found, root.join(expected), "{given}");
        };
        check("link", "link");
        check("./link", "link");
        check("a/chain", "a/chain");
        check("a/../link", "link");
        check("link/../chain", "a/chain");
        check("link/new", "a/b/new");
        check("dangling", "dangling");
        check("loop", "loop");
        check("link/", "a/b");
        check("link/.", "a/b");
        check("link/..", "a");
        check("a/b", "a/b");
        check(root.join("link").to_str().unwrap(), "link");
        assert_eq!(resolve_entry(&root, "").unwrap(), root);
        assert_eq!(resolve_entry(&root, "/").unwrap(), Path::new("/"));
        let fault = |given: &str| resolve_entry(&root, given).unwrap_err().fault;
        assert_eq!(fault("loop/x"), Fault::Io);
        assert_eq!(fault("a\0b"), Fault::Unsupported);
    }

    #[test]
    fn above_the_root_is_the_root() {
        assert_eq!(
            resolve(Path::new("/"), "../../x-y-z").unwrap(),
            Path::new("/x-y-z")
        );
    }

    #[test]
    fn loops_and_nul_are_told() {
        let place = tempfile::tempdir().unwrap();
        symlink("two", place.path().join("one")).unwrap();
        symlink("one", place.path().join("two")).unwrap();
        let fault = |given: &str| resolve(place.path(), given).unwrap_err().fault;
        assert_eq!(fault("one"), Fault::Io);
        assert_eq!(fault("a\0b"), Fault::Unsupported);
    }

    proptest! {
        #[test]
        fn what_exists_is_where_the_system_says(steps in proptest::collection::vec(0..5_usize, 0..8)) {
            let place = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(place.path().join("a/b/a/b")).unwrap();
            symlink("a", place.path().join("up")).unwrap();
            symlink("../..", place.path().join("a/b/up")).unwrap();
            let given: Vec<&str> = steps.iter().map(|step| ["a", "b", "..", "up", "."][*step]).collect();
            let given = given.join("/");
            if let Ok(truth) = std::fs::canonicalize(place.path().join(&given)) {
                prop_assert_eq!(resolve(place.path(), &given).unwrap(), truth);
            }
        }
    }
}
