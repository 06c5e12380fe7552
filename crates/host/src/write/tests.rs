//! What writing promises.

mod corners;
mod killed;

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{Change, Created, Expect, Transactions, apply, remove, write};
use crate::{ContentHash, Fault, Permit, read_whole, resolve_entry};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// All that is there, by name, with its content.
    fn all(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        gather(self.0.path(), self.0.path(), &mut all);
        all.sort();
        all
    }
}

fn gather(root: &Path, folder: &Path, all: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().display().to_string();
        if path.is_dir() {
            all.push((name, "/".into()));
            gather(root, &path, all);
        } else {
            let content = std::fs::read(&path).unwrap();
            all.push((name, String::from_utf8_lossy(&content).into_owned()));
        }
    }
}

fn entries(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter()
        .map(|(name, text)| (String::from(*name), String::from(*text)))
        .collect()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn content(text: &str) -> Expect {
    Expect::Content(ContentHash::of(text.as_bytes()))
}

fn write_change(path: PathBuf, bytes: &str, expect: Expect) -> Change {
    Change::Write {
        path,
        bytes: bytes.into(),
        expect,
        mode: None,
    }
}

#[test]
fn a_new_file_and_its_folders_appear() {
    let place = Place::new();
    let written = write(&Permit::issue(), &place.path("a/b/c"), b"x", Expect::Absent).unwrap();
    assert_eq!((written.created, written.note), (Created::New, None));
    assert_eq!(written.hash, ContentHash::of(b"x"));
    assert_eq!(
        place.all(),
        entries(&[("a", "/"), ("a/b", "/"), ("a/b/c", "x")])
    );
    let probe = place.put("probe", "");
    assert_eq!(mode(&place.path("a/b/c")), mode(&probe));
}

#[test]
fn the_expected_has_to_be_there() {
    let check = |expect: Expect, there: Option<&str>, fault: Option<Fault>| {
        let place = Place::new();
        if let Some(text) = there {
            place.put("f", text);
        }
        let before = place.all();
        let result = write(&Permit::issue(), &place.path("f"), b"new", expect);
        assert_eq!(result.as_ref().err().map(|err| err.fault), fault);
        let after = if fault.is_some() {
            before
        } else {
            entries(&[("f", "new")])
        };
        assert_eq!(place.all(), after);
    };
    check(Expect::Absent, None, None);
    check(Expect::Absent, Some("old"), Some(Fault::Exists));
    check(content("old"), Some("old"), None);
    check(content("old"), Some("other"), Some(Fault::Changed));
    check(content("old"), None, Some(Fault::Gone));
    check(Expect::Anything, Some("old"), None);
    check(Expect::Anything, None, None);
}

#[test]
fn mode_and_attributes_stay() {
    let place = Place::new();
    let path = place.put("f", "old");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4751)).unwrap();
    let with_attributes = xattr::set(&path, "user.note", b"kept").is_ok();
    let root = rustix::process::geteuid().is_root();
    if root {
        std::os::unix::fs::chown(&path, Some(12), Some(34)).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4751)).unwrap();
    }
    let written = write(&Permit::issue(), &path, b"new", content("old")).unwrap();
    assert_eq!((written.created, written.note), (Created::Replaced, None));
    assert_eq!(mode(&path), 0o4751);
    if with_attributes {
        assert_eq!(xattr::get(&path, "user.note").unwrap().unwrap(), b"kept");
    }
    let meta = std::fs::metadata(&path).unwrap();
    if root {
        assert_eq!((meta.uid(), meta.gid()), (12, 34));
    }
    assert_eq!(place.all(), entries(&[("f", "new")]));
}

#[test]
fn links_are_followed_and_stay() {
    let place = Place::new();
    std::fs::create_dir(place.path("d")).unwrap();
    place.put("d/real", "old");
    symlink("d/real", place.path("link")).unwrap();
    symlink("d/new", place.path("dangling")).unwrap();
    write(
        &Permit::issue(),
        &place.path("link"),
        b"new",
        content("old"),
    )
    .unwrap();
    write(
        &Permit::issue(),
        &place.path("dangling"),
        b"n",
        Expect::Absent,
    )
    .unwrap();
    assert!(
        std::fs::symlink_metadata(place.path("link"))
            .unwrap()
            .is_symlink()
    );
    assert!(
        std::fs::symlink_metadata(place.path("dangling"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(std::fs::read(place.path("d/real")).unwrap(), b"new");
    assert_eq!(std::fs::read(place.path("d/new")).unwrap(), b"n");
    remove(&Permit::issue(), &place.path("link"), content("new")).unwrap();
    assert_eq!(std::fs::read(place.path("d/real")).unwrap(), b"new");
    assert!(std::fs::symlink_metadata(place.path("link")).is_err());
}

#[test]
fn a_removal_takes_the_link_and_not_what_it_leads_to() {
    let check = |leads: &str, expect: Expect| {
        let place = Place::new();
        std::fs::create_dir(place.path("d")).unwrap();
        place.put("d/real", "kept");
        symlink(leads, place.path("link")).unwrap();
        let after = entries(&[("d", "/"), ("d/real", "kept"), ("moved", "m")]);
        let root = resolve_entry(place.0.path(), "link").unwrap();
        let changes = [
            Change::Remove { path: root, expect },
            write_change(place.path("moved"), "m", Expect::Absent),
        ];
        apply(&Permit::issue(), &changes).unwrap();
        assert_eq!(place.all(), after, "{leads}");
        symlink(leads, place.path("link")).unwrap();
        remove(&Permit::issue(), &place.path("link"), expect).unwrap();
        assert_eq!(place.all(), after, "{leads}");
    };
    check("d/real", content("kept"));
    check("d/real", Expect::Anything);
    check("d", Expect::Anything);
    check("nowhere", Expect::Anything);
}

#[test]
fn a_file_of_many_names_is_written_in_place() {
    let place = Place::new();
    let path = place.put("f", "a longer old content");
    std::fs::hard_link(&path, place.path("g")).unwrap();
    for text in ["new", "a much longer content than before"] {
        let written = write(&Permit::issue(), &path, text.as_bytes(), Expect::Anything).unwrap();
        assert_eq!(
            written.note,
            Some("written in place: the file has more than one name")
        );
        assert_eq!(place.all(), entries(&[("f", text), ("g", text)]));
    }
}

#[test]
fn what_is_no_file_is_not_written() {
    let place = Place::new();
    place.put("file", "x");
    std::fs::create_dir(place.path("folder")).unwrap();
    let before = place.all();
    let check = |name: &str, fault: Fault| {
        let result = write(&Permit::issue(), &place.path(name), b"x", Expect::Anything);
        assert_eq!(result.unwrap_err().fault, fault, "{name}");
    };
    check("folder", Fault::NotAFile);
    check("file/below", Fault::NotAFolder);
    check("file/below/that", Fault::NotAFolder);
    let device = write(
        &Permit::issue(),
        Path::new("/dev/null"),
        b"x",
        Expect::Anything,
    );
    assert_eq!(device.unwrap_err().fault, Fault::NotAFile);
    let removed = remove(&Permit::issue(), &place.path("folder"), Expect::Anything);
    assert_eq!(removed.unwrap_err().fault, Fault::NotAFile);
    let removed = remove(&Permit::issue(), &place.path("none"), Expect::Anything);
    assert_eq!(removed.unwrap_err().fault, Fault::NotFound);
    assert_eq!(place.all(), before);
}

#[test]
fn a_protected_file_stays() {
    let place = Place::new();
    let path = place.put("f", "old");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    let result = write(&Permit::issue(), &path, b"new", Expect::Anything);
    if rustix::process::geteuid().is_root() {
        assert_eq!(mode(&path), 0o444);
        result.unwrap();
    } else {
        assert_eq!(result.unwrap_err().fault, Fault::Permission);
        assert_eq!(place.all(), entries(&[("f", "old")]));
    }
}

#[test]
fn a_closed_folder_is_written_into_by_its_files() {
    let place = Place::new();
    std::fs::create_dir(place.path("d")).unwrap();
    let path = place.put("d/f", "old");
    let close = |mode| {
        let closed = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(place.path("d"), closed).unwrap();
    };
    close(0o555);
    let written = write(&Permit::issue(), &path, b"new", content("old"));
    let new = write(&Permit::issue(), &place.path("d/new"), b"x", Expect::Absent);
    let removed = remove(&Permit::issue(), &path, Expect::Anything);
    close(0o755);
    if rustix::process::geteuid().is_root() {
        assert_eq!(written.unwrap().note, None);
        assert!(new.is_ok() && removed.is_ok());
    } else {
        assert_eq!(
            written.unwrap().note,
            Some("written in place: its folder may not be written to")
        );
        assert_eq!(new.unwrap_err().fault, Fault::Permission);
        assert_eq!(removed.unwrap_err().fault, Fault::Permission);
        assert_eq!(place.all(), entries(&[("d", "/"), ("d/f", "new")]));
    }
}

/// Set in the process that runs under a limit.
const LIMITED: &str = "HOST_TEST_LIMITED";

#[test]
fn a_limit_of_size_is_told_and_nothing_is_lost() {
    if std::env::var_os(LIMITED).is_none() {
        // The limit holds for a whole process, so the test runs once more in its own.
        let name = "write::tests::a_limit_of_size_is_told_and_nothing_is_lost";
        let status = std::process::Command::new("sh")
            .args(["-c", "ulimit -f 8; exec \"$0\" --exact \"$1\""])
            .arg(std::env::current_exe().unwrap())
            .arg(name)
            .env(LIMITED, "1")
            .stdout(std::process::Stdio::null())
            .status();
        assert!(status.unwrap().success());
        return;
    }
    let place = Place::new();
    place.put("f", "old");
    std::fs::hard_link(place.put("g", "old"), place.path("h")).unwrap();
    let before = place.all();
    for name in ["f", "g", "new/deep"] {
        let huge = vec![b'x'; 100_000];
        let err = write(&Permit::issue(), &place.path(name), &huge, Expect::Anything).unwrap_err();
        assert_eq!(
            (err.fault, err.detail.as_str()),
            (Fault::Io, "File too large")
        );
        assert_eq!(place.all(), before);
    }
}

#[test]
fn all_changes_are_made() {
    let place = Place::new();
    let from = place.put("from", "moved");
    std::fs::set_permissions(&from, std::fs::Permissions::from_mode(0o755)).unwrap();
    place.put("edit", "old");
    let changes = [
        Change::Write {
            path: place.path("deep/to"),
            bytes: b"moved!".to_vec(),
            expect: Expect::Absent,
            mode: Some(0o755),
        },
        Change::Remove {
            path: from,
            expect: content("moved"),
        },
        write_change(place.path("edit"), "new", content("old")),
        write_change(place.path("added"), "a", Expect::Absent),
    ];
    let written = apply(&Permit::issue(), &changes).unwrap();
    let created: Vec<Created> = written.iter().map(|one| one.created).collect();
    assert_eq!(created, [Created::New, Created::Replaced, Created::New]);
    let expected = [
        ("added", "a"),
        ("deep", "/"),
        ("deep/to", "moved!"),
        ("edit", "new"),
    ];
    assert_eq!(place.all(), entries(&expected));
    assert_eq!(mode(&place.path("deep/to")), 0o755);
}

#[test]
fn a_failed_check_leaves_all_as_it_was() {
    let place = Place::new();
    place.put("one", "1");
    place.put("two", "2");
    let before = place.all();
    let changes = [
        write_change(place.path("new/deep/file"), "n", Expect::Absent),
        write_change(place.path("one"), "11", content("1")),
        write_change(place.path("two"), "22", content("not 2")),
    ];
    let err = apply(&Permit::issue(), &changes).unwrap_err();
    assert_eq!(
        (err.at, err.error.fault, err.rolled_back),
        (2, Fault::Changed, true)
    );
    assert_eq!(place.all(), before);
}

#[test]
fn one_file_is_not_named_twice() {
    let place = Place::new();
    place.put("f", "1");
    symlink("f", place.path("link")).unwrap();
    let changes = [
        write_change(place.path("f"), "2", Expect::Anything),
        write_change(place.path("link"), "3", Expect::Anything),
    ];
    let err = apply(&Permit::issue(), &changes).unwrap_err();
    assert_eq!((err.at, err.error.fault), (1, Fault::Unsupported));
    assert_eq!(std::fs::read(place.path("f")).unwrap(), b"1");
}

#[test]
fn one_file_is_not_named_by_two_of_its_names() {
    let check = |changes: &dyn Fn(&Place) -> [Change; 2], refused: bool| {
        let place = Place::new();
        let path = place.put("f", "1");
        std::fs::hard_link(&path, place.path("g")).unwrap();
        let before = place.all();
        match apply(&Permit::issue(), &changes(&place)) {
            Ok(_) => assert!(!refused),
            Err(err) => {
                assert!(refused);
                assert_eq!((err.at, err.error.fault), (1, Fault::Unsupported));
                assert_eq!(place.all(), before);
            }
        }
    };
    let write = |place: &Place, name: &str| write_change(place.path(name), "2", content("1"));
    let remove = |place: &Place, name: &str| Change::Remove {
        path: place.path(name),
        expect: content("1"),
    };
    check(&|place| [write(place, "f"), write(place, "g")], true);
    check(&|place| [write(place, "f"), remove(place, "g")], true);
    check(&|place| [remove(place, "f"), write(place, "g")], true);
    check(&|place| [remove(place, "f"), remove(place, "g")], false);
}

#[test]
fn a_failure_midway_is_taken_back() {
    let place = Place::new();
    let linked = place.put("linked", "l");
    std::fs::hard_link(&linked, place.path("other_name")).unwrap();
    place.put("edit", "e");
    place.put("gone", "g");
    let before = place.all();
    let wishes = [
        write_change(place.path("edit"), "E", content("e")),
        Change::Remove {
            path: place.path("gone"),
            expect: content("g"),
        },
        write_change(place.path("new"), "N", Expect::Absent),
        write_change(linked, "L", content("l")),
        write_change(place.path("late"), "x", Expect::Absent),
    ];
    let wishes: Vec<super::Wish<'_>> = wishes.iter().map(super::Wish::of).collect();
    let late = place.path("late");
    // Somebody makes the last file after everything was checked.
    let reached = |step: &str| {
        if step == "changing a file" && !late.exists() {
            std::fs::write(&late, "theirs").unwrap();
        }
    };
    let err = Transactions::unrecorded()
        .make_in_steps(&wishes, &reached)
        .unwrap_err();
    assert_eq!(
        (err.at, err.error.fault, err.rolled_back),
        (4, Fault::Exists, true)
    );
    std::fs::remove_file(place.path("late")).unwrap();
    assert_eq!(place.all(), before);
}

#[test]
fn writers_who_compare_lose_nothing() {
    let place = Place::new();
    let path = place.put("counter", "");
    let add = || {
        let mut added = 0;
        while added < 25 {
            let old = read_whole(&path, 10_000).unwrap();
            let mut bytes = old.bytes;
            bytes.push(b'x');
            match write(&Permit::issue(), &path, &bytes, Expect::Content(old.hash)) {
                Ok(_) => added += 1,
                Err(err) => assert_eq!(err.fault, Fault::Changed),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(add);
        }
    });
    assert_eq!(place.all(), entries(&[("counter", &"x".repeat(100))]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn what_is_written_is_read(first: Vec<u8>, second: Vec<u8>) {
        let place = Place::new();
        let path = place.path("f");
        let one = write(&Permit::issue(), &path, &first, Expect::Absent).unwrap();
        prop_assert_eq!(&read_whole(&path, 1 << 20).unwrap().bytes, &first);
        let two = write(&Permit::issue(), &path, &second, Expect::Content(one.hash)).unwrap();
        let read = read_whole(&path, 1 << 20).unwrap();
        prop_assert_eq!((read.hash, &read.bytes), (two.hash, &second));
        prop_assert_eq!(place.all().len(), 1);
    }
}

/// A change of one of four files, and what it expects.
fn some_change() -> impl Strategy<Value = (usize, Option<String>, u8)> {
    (0..4_usize, proptest::option::of("[xyz]{0,3}"), 0..4_u8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn all_is_done_or_nothing(
        there in proptest::collection::vec(proptest::option::of("[abc]{0,3}"), 4),
        wished in proptest::collection::vec(some_change(), 1..5),
        late in proptest::option::of(0..4_usize),
    ) {
        const NAMES: [&str; 4] = ["a", "b", "d/e/c", "d/f"];
        let place = Place::new();
        for (name, text) in NAMES.iter().zip(&there) {
            if let Some(text) = text {
                std::fs::create_dir_all(place.path(name).parent().unwrap()).unwrap();
                place.put(name, text);
            }
        }
        let changes: Vec<Change> = wished
            .iter()
            .map(|(file, text, expects)| {
                let path = place.path(NAMES[*file]);
                let expect = match (&there[*file], expects) {
                    (_, 0) => Expect::Anything,
                    (_, 1) => content("other"),
                    (Some(text), _) => content(text),
                    (None, _) => Expect::Absent,
                };
                match text {
                    Some(text) => write_change(path, text, expect),
                    None => Change::Remove { path, expect },
                }
            })
            .collect();
        let before = place.all();
        // Somebody makes a folder where a file is to go, after everything is ready.
        let late = late.filter(|file| there[*file].is_none()).map(|file| place.path(NAMES[file]));
        let result = match &late {
            None => apply(&Permit::issue(), &changes).map(drop),
            Some(path) => apply_with_a_folder_at(path, &changes),
        };
        if let Some(path) = &late {
            let _ = std::fs::remove_dir(path);
        }
        if let Err(err) = result {
            prop_assert!(err.rolled_back);
            if late.is_none() {
                prop_assert_eq!(place.all(), before);
            } else {
                let files = |all: Vec<(String, String)>| all.into_iter().filter(|(_, text)| text != "/").collect::<Vec<_>>();
                prop_assert_eq!(files(place.all()), files(before));
            }
        } else {
            for (file, name) in NAMES.iter().enumerate() {
                let wish = wished.iter().find(|(wanted, ..)| *wanted == file);
                let expected = wish.map_or(there[file].clone(), |(_, text, _)| text.clone());
                prop_assert_eq!(std::fs::read_to_string(place.path(name)).ok(), expected);
            }
            let files = place.all().into_iter().filter(|(_, text)| text != "/").count();
            prop_assert!(files <= NAMES.len());
        }
    }
}

/// Makes changes with a folder that appears after they were checked.
fn apply_with_a_folder_at(path: &Path, changes: &[Change]) -> Result<(), super::ApplyError> {
    let wishes: Vec<super::Wish<'_>> = changes.iter().map(super::Wish::of).collect();
    let reached = |step: &str| {
        if step == "changing a file" && !path.exists() {
            std::fs::create_dir_all(path).unwrap();
        }
    };
    Transactions::unrecorded()
        .make_in_steps(&wishes, &reached)
        .map(drop)
}
