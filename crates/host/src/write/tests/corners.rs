//! Full disks, access lists, other owners, and two processes at one file.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{Place, Transactions, content, entries, write_change};
use crate::{ContentHash, Expect, Fault, Permit, apply, read_whole, write};

/// Names the folder, in a process that a test has started.
const ROOM: &str = "HOST_TEST_ROOM";
const LETTER: &str = "HOST_TEST_LETTER";

fn again(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let name = format!("write::tests::corners::{test}");
    command.args(["--exact", &name]).stdout(Stdio::null());
    command
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs a test once more, on a small disk of its own at a folder; in a name space of its own, so that nothing is left
/// mounted. Where that cannot be done, nobody but root may be the reason.
fn again_on_a_small_disk(test: &str, place: &Place) {
    let own = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh", "-c", script]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let can = own("mount -t tmpfs tmpfs /mnt").status();
    if !can.is_ok_and(|status| status.success()) {
        assert!(!is_root(), "root can mount");
        return;
    }
    let mount = "mount -t tmpfs -o size=256k tmpfs \"$HOST_TEST_ROOM\"";
    let status = own(&format!("{mount} && exec \"$0\" --exact \"$1\""))
        .arg(std::env::current_exe().unwrap())
        .arg(format!("write::tests::corners::{test}"))
        .env(ROOM, place.path(""))
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let Some(room) = std::env::var_os(ROOM) else {
        again_on_a_small_disk("a_full_disk_is_told_and_nothing_is_lost", &Place::new());
        return;
    };
    let room = PathBuf::from(room);
    let path = room.join("f");
    std::fs::write(&path, "old").unwrap();
    std::fs::write(room.join("one"), "old").unwrap();
    std::fs::hard_link(room.join("one"), room.join("other")).unwrap();
    let names = || {
        let entries = std::fs::read_dir(&room).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let huge = "x".repeat(1 << 20);
    let full = (Fault::Io, "No space left on device");
    for name in ["f", "one", "new/deep"] {
        let err = write(
            &Permit::issue(),
            &room.join(name),
            huge.as_bytes(),
            Expect::Anything,
        );
        let err = err.unwrap_err();
        assert_eq!((err.fault, err.detail.as_str()), full, "{name}");
    }
    let changes = [
        write_change(path.clone(), "new", content("old")),
        write_change(room.join("added"), &huge, Expect::Absent),
    ];
    let err = apply(&Permit::issue(), &changes).unwrap_err();
    assert_eq!(
        (err.at, err.rolled_back, err.error.fault),
        (1, true, Fault::Io)
    );
    assert_eq!(names(), before);
    for name in ["f", "one", "other"] {
        assert_eq!(std::fs::read(room.join(name)).unwrap(), b"old");
    }
    write(&Permit::issue(), &path, b"fits", content("old")).unwrap();
}

#[test]
fn a_full_quota_is_told_in_plain_words() {
    let err = crate::HostError::from_io("/f", &rustix::io::Errno::DQUOT.into());
    assert_eq!(
        (err.fault, err.detail.as_str()),
        (Fault::Io, "Disk quota exceeded")
    );
}

/// An access list as the kernel stores it: the owner, user 12, the group, the mask, all others.
const ACCESS_LIST: &[u8] = b"\x02\0\0\0\x01\0\x06\0\xff\xff\xff\xff\x02\0\x04\0\x0c\0\0\0\
    \x04\0\x04\0\xff\xff\xff\xff\x10\0\x04\0\xff\xff\xff\xff\x20\0\0\0\xff\xff\xff\xff";

#[test]
fn an_access_list_stays() {
    let place = Place::new();
    let path = place.put("f", "old");
    const NAME: &str = "system.posix_acl_access";
    if let Err(err) = xattr::set(&path, NAME, ACCESS_LIST) {
        // Not every file system has them.
        assert_eq!(err.kind(), std::io::ErrorKind::Unsupported);
        return;
    }
    let before = std::fs::metadata(&path).unwrap();
    let written = write(&Permit::issue(), &path, b"new", content("old")).unwrap();
    assert_eq!(written.note, None);
    let after = std::fs::metadata(&path).unwrap();
    assert_eq!(xattr::get(&path, NAME).unwrap().unwrap(), ACCESS_LIST);
    assert_eq!(after.mode(), before.mode());
    assert_ne!(after.ino(), before.ino());
}

#[test]
fn a_file_in_place_keeps_its_set_user_bit() {
    let place = Place::new();
    let path = place.put("f", "old");
    std::fs::hard_link(&path, place.path("g")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o6755)).unwrap();
    let written = write(&Permit::issue(), &path, b"new", content("old")).unwrap();
    assert!(written.note.is_some());
    assert_eq!(super::mode(&path), 0o6755);
}

#[test]
fn a_large_file_is_known_by_its_mark() {
    let place = Place::new();
    let path = place.put("f", "a\n");
    let file = std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap();
    let text = "line\n".repeat(1 << 18);
    for _ in 0..60 {
        std::io::Write::write_all(&mut &file, text.as_bytes()).unwrap();
    }
    let limits = crate::PageLimits {
        lines: 2,
        line_chars: 9,
        total_chars: 99,
    };
    let read = || crate::read_lines(&path, crate::LineStart::FromEnd(2), limits).unwrap();
    let first = read();
    assert_eq!(
        (first.lines[1].text.as_str(), first.total_lines),
        ("line", 60 * (1 << 18) + 1)
    );
    assert_eq!(read().hash, first.hash);
    let whole = read_whole(&path, 1 << 30).unwrap().hash;
    assert_ne!(whole, first.hash);
    std::io::Write::write_all(&mut &file, b"x").unwrap();
    drop(file);
    assert_ne!(read().hash, first.hash);
    let err = write(&Permit::issue(), &path, b"new", Expect::Content(first.hash)).unwrap_err();
    assert_eq!(err.fault, Fault::Changed);
    write(
        &Permit::issue(),
        &path,
        b"new",
        Expect::Content(read().hash),
    )
    .unwrap();
    assert_eq!(place.all(), entries(&[("f", "new")]));
}

/// Adds a letter to a line of one file and to all of another, so often, and tries again where somebody was faster.
fn add_letters(room: &std::path::Path, letter: &str) {
    let transactions = Transactions::at(&room.join("records"));
    let paths = [room.join("files/f"), room.join("files/g")];
    let mut added = 0;
    while added < 20 {
        let old = paths
            .clone()
            .map(|path| read_whole(&path, 1 << 20).unwrap());
        let changes: Vec<_> = paths
            .iter()
            .zip(&old)
            .map(|(path, old)| {
                let text = format!("{}{letter}", String::from_utf8_lossy(&old.bytes));
                write_change(path.clone(), &text, Expect::Content(old.hash))
            })
            .collect();
        match transactions.apply(&Permit::issue(), &changes) {
            Ok(written) => {
                assert_eq!(written.len(), 2);
                added += 1;
            }
            Err(err) => assert_eq!((err.error.fault, err.rolled_back), (Fault::Changed, true)),
        }
    }
}

#[test]
fn processes_that_edit_one_file_lose_nothing() {
    if let Some(room) = std::env::var_os(ROOM) {
        add_letters(&PathBuf::from(room), &std::env::var(LETTER).unwrap());
        return;
    }
    let place = Place::new();
    std::fs::create_dir(place.path("files")).unwrap();
    place.put("files/f", "");
    place.put("files/g", "");
    let start = |letter: &str| {
        let mut command = again("processes_that_edit_one_file_lose_nothing");
        command
            .env(ROOM, place.path(""))
            .env(LETTER, letter)
            .spawn()
            .unwrap()
    };
    for mut child in ["a", "b", "c"].map(start) {
        assert!(child.wait().unwrap().success());
    }
    let f = read_whole(&place.path("files/f"), 1 << 20).unwrap();
    let count = |letter: u8| f.bytes.iter().filter(|byte| **byte == letter).count();
    assert_eq!([count(b'a'), count(b'b'), count(b'c')], [20, 20, 20]);
    assert_eq!(
        f.hash,
        ContentHash::of(&std::fs::read(place.path("files/g")).unwrap())
    );
    let names: Vec<String> = place.all().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["files", "files/f", "files/g", "records"]);
}
