//! What is left when a process is killed while it changes files.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::{Recovered, Rolled, Wish};
use super::{Change, Expect, Transactions, content, write_change};
use crate::Permit;

/// What a child is to do, where, and at which step it ends itself.
const ROLE: &str = "HOST_TEST_ROLE";
const ROOM: &str = "HOST_TEST_ROOM";
const STEP: &str = "HOST_TEST_STEP";

/// A folder of files, and beside it the folder of records.
struct Room(tempfile::TempDir);

impl Room {
    /// Memory is as good as a disk for what a kill leaves, and faster.
    fn new() -> Self {
        let memory = tempfile::tempdir_in("/dev/shm");
        Self(memory.or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn filled(many: usize) -> Self {
        let room = Self::new();
        fill(&room.files(), many);
        room
    }

    fn files(&self) -> PathBuf {
        self.0.path().join("files")
    }

    fn transactions(&self) -> Transactions {
        Transactions::at(&self.0.path().join("records"))
    }

    fn recover(&self) -> Vec<Recovered> {
        self.transactions().recover(&Permit::issue()).unwrap()
    }

    /// Every entry by name: its mode and content.
    fn all(&self) -> Snapshot {
        let mut all = Snapshot::new();
        gather(&self.files(), &mut all);
        all
    }

    /// Nothing of ours may be left.
    fn assert_clean(&self, step: usize) {
        let names: Vec<PathBuf> = self.all().into_keys().collect();
        assert!(
            names
                .iter()
                .all(|name| !name.to_string_lossy().contains(".toolpost-")),
            "{step}: {names:?}"
        );
        let records = std::fs::read_dir(self.0.path().join("records"))
            .into_iter()
            .flatten();
        let records: Vec<_> = records.map(|entry| entry.unwrap().file_name()).collect();
        assert!(
            records.iter().all(|name| name == "recovery.lock"),
            "{step}: {records:?}"
        );
    }
}

type Snapshot = BTreeMap<PathBuf, (u32, Vec<u8>)>;

fn gather(folder: &Path, all: &mut Snapshot) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let meta = std::fs::symlink_metadata(&path).unwrap();
        let bytes = if meta.is_dir() {
            gather(&path, all);
            Vec::new()
        } else if meta.is_symlink() {
            std::fs::read_link(&path)
                .unwrap()
                .into_os_string()
                .into_encoded_bytes()
        } else {
            std::fs::read(&path).unwrap()
        };
        let name = path
            .components()
            .skip_while(|part| part.as_os_str() != "files")
            .collect();
        all.insert(name, (meta.permissions().mode(), bytes));
    }
}

fn old(number: usize) -> String {
    format!("old {number}\n")
}

/// Long enough to be written in place in more than one step.
fn long(letter: &str) -> String {
    letter.repeat(300_000)
}

fn fill(files: &Path, many: usize) {
    std::fs::create_dir_all(files.join("sub")).unwrap();
    for number in 0..many {
        std::fs::write(files.join(format!("sub/f{number}")), old(number)).unwrap();
    }
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(files.join("sub/f0"), executable).unwrap();
    std::fs::write(files.join("one name"), long("a")).unwrap();
    std::fs::hard_link(files.join("one name"), files.join("other name")).unwrap();
    symlink("sub/f1", files.join("link")).unwrap();
}

/// Updates, adds, removes and moves, a file of two names and a link among them; `many` files and a few.
fn patch(files: &Path, many: usize) -> Vec<Change> {
    let path = |number: usize| files.join(format!("sub/f{number}"));
    let remove = |path: PathBuf, expect: Expect| Change::Remove { path, expect };
    let mut changes = vec![
        write_change(files.join("one name"), &long("b"), content(&long("a"))),
        remove(files.join("link"), content(&old(1))),
    ];
    for number in 0..many {
        let was = content(&old(number));
        match number % 5 {
            0 => {
                changes.push(Change::Write {
                    path: files.join(format!("moved/deep/f{number}")),
                    bytes: format!("moved {number}\n").into_bytes(),
                    expect: Expect::Absent,
                    mode: Some(0o755),
                });
                changes.push(remove(path(number), was));
            }
            1 => changes.push(remove(path(number), Expect::Anything)),
            2 => changes.push(write_change(
                files.join(format!("new {number}")),
                "added\n",
                Expect::Absent,
            )),
            _ => changes.push(write_change(path(number), "new\n", was)),
        }
    }
    changes
}

/// Does what a child is for, and ends itself at a step.
fn play(role: &str) {
    let room = PathBuf::from(std::env::var_os(ROOM).unwrap());
    let until: usize = std::env::var(STEP).unwrap().parse().unwrap();
    let transactions = Transactions::at(&room.join("records"));
    let files = room.join("files");
    let (step, changed) = (Cell::new(0), Cell::new(0));
    let reached = |name: &str| {
        changed.set(changed.get() + usize::from(name == "changing a file"));
        if role == "fail" && changed.get() == 5 {
            let _ = std::fs::write(files.join("late"), "theirs");
        }
        if step.replace(step.get() + 1) == until {
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
                .unwrap();
        }
    };
    if role == "recover" {
        transactions
            .recover_in_steps(&Permit::issue(), &reached)
            .unwrap();
        return;
    }
    let mut changes = patch(&files, role.parse().unwrap_or(10));
    if role == "fail" {
        changes.push(write_change(files.join("late"), "ours", Expect::Absent));
    }
    let wishes: Vec<Wish<'_>> = changes.iter().map(Wish::of).collect();
    let made = transactions.make_in_steps(&wishes, &reached);
    assert_eq!(made.is_err(), role == "fail");
}

/// Runs this test in a process of its own; `true` when it ended itself at the step.
fn killed(test: &str, role: &str, room: &Room, step: usize) -> bool {
    let name = format!("write::tests::killed::{test}");
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &name])
        .envs([(ROLE, role), (STEP, &step.to_string())])
        .env(ROOM, room.0.path())
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(
        status.success() || status.signal() == Some(9),
        "{role} at {step}: {status}"
    );
    !status.success()
}

/// Whether this process is the child of a test; then it has done its work.
fn is_child() -> bool {
    let role = std::env::var(ROLE);
    role.inspect(|role| play(role)).is_ok()
}

/// What the patch makes of the files.
fn patched(many: usize) -> Snapshot {
    let room = Room::filled(many);
    room.transactions()
        .apply(&Permit::issue(), &patch(&room.files(), many))
        .unwrap();
    room.assert_clean(0);
    room.all()
}

/// Tries every step there is, on two threads; the steps end where a child is no longer killed.
fn at_every_step(try_step: impl Fn(usize) -> bool + Sync) -> usize {
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let step = next.fetch_add(1, Ordering::SeqCst);
                    if step > end.load(Ordering::SeqCst) {
                        return;
                    }
                    if !try_step(step) {
                        end.fetch_min(step, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    end.into_inner()
}

#[test]
fn a_kill_at_any_step_of_a_patch_leaves_all_old_or_all_new() {
    if is_child() {
        return;
    }
    let (before, after) = (Room::filled(50).all(), patched(50));
    let (back, forward) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let steps = at_every_step(|step| {
        let room = Room::filled(50);
        let test = "a_kill_at_any_step_of_a_patch_leaves_all_old_or_all_new";
        let was_killed = killed(test, "50", &room, step);
        let recovered = room.recover();
        assert!(
            recovered.iter().all(|one| one.untouched.is_empty()),
            "{step}: {recovered:?}"
        );
        let now = room.all();
        assert!(
            now == before || now == after,
            "{step}: {recovered:?} {:?}",
            now.keys()
        );
        let side = if now == before { &back } else { &forward };
        side.fetch_add(1, Ordering::SeqCst);
        room.assert_clean(step);
        assert!(room.recover().is_empty());
        was_killed
    });
    assert!(steps > 200, "{steps}");
    assert!(back.into_inner() > 50 && forward.into_inner() > 50);
}

#[test]
fn a_kill_while_taking_back_leaves_all_old() {
    if is_child() {
        return;
    }
    let (before, after) = (Room::filled(10).all(), patched(10));
    let taken_back = AtomicUsize::new(0);
    let steps = at_every_step(|step| {
        let room = Room::filled(10);
        let was_killed = killed(
            "a_kill_while_taking_back_leaves_all_old",
            "fail",
            &room,
            step,
        );
        let recovered = room.recover();
        let mut now = room.all();
        // Before the other file appears nothing is in the way of all being new.
        let expected = match now.remove(Path::new("files/late")) {
            Some((_, text)) if text == b"ours" => &after,
            Some((_, text)) => {
                assert_eq!(text, b"theirs");
                taken_back.fetch_add(1, Ordering::SeqCst);
                &before
            }
            None => &before,
        };
        assert!(now == *expected, "{step}: {recovered:?}");
        room.assert_clean(step);
        was_killed
    });
    assert!(steps > 60, "{steps}");
    assert!(taken_back.into_inner() > 10);
}

#[test]
fn a_recovery_that_is_killed_is_made_again() {
    if is_child() {
        return;
    }
    let test = "a_recovery_that_is_killed_is_made_again";
    let (before, after) = (Room::filled(10).all(), patched(10));
    let mut first = None;
    for name in [
        "writing the plan",
        "writing in place",
        "cutting in place",
        "changing a file",
    ] {
        let step = step_of(name, first);
        first = Some(step);
        at_every_step(|recovery| {
            let room = Room::filled(10);
            assert!(killed(test, "10", &room, step + 1));
            let was_killed = killed(test, "recover", &room, recovery);
            room.recover();
            let now = room.all();
            assert!(
                now == before || now == after,
                "{name} {recovery}: {:?}",
                now.keys()
            );
            room.assert_clean(recovery);
            was_killed
        });
    }
}

/// At which step of a small patch something is done, after another step.
fn step_of(name: &str, after: Option<usize>) -> usize {
    let room = Room::filled(10);
    let changes = patch(&room.files(), 10);
    let wishes: Vec<Wish<'_>> = changes.iter().map(Wish::of).collect();
    let names = std::cell::RefCell::new(Vec::new());
    room.transactions()
        .make_in_steps(&wishes, &|name| names.borrow_mut().push(name))
        .unwrap();
    let names = names.into_inner();
    let from = after.map_or(0, |after| after + 1);
    from + names[from..]
        .iter()
        .position(|other| *other == name)
        .unwrap()
}

/// Kills a small patch behind a step and gives what is left.
fn left_behind(test: &str, step: usize) -> Room {
    let room = Room::filled(10);
    assert!(killed(test, "10", &room, step));
    room
}

#[test]
fn what_somebody_else_wrote_is_told_and_stays() {
    if is_child() {
        return;
    }
    let test = "what_somebody_else_wrote_is_told_and_stays";
    // The file of two names, the link and the first moved file are changed, the next are not.
    let step = (0..5)
        .fold(None, |step, _| Some(step_of("changing a file", step)))
        .unwrap();
    let check = |name: &str, rolled: Rolled, other: &str, expected: Option<&str>| {
        let room = left_behind(test, step);
        std::fs::write(room.files().join(name), "theirs").unwrap();
        let recovered = room.recover();
        assert_eq!(recovered.len(), 1);
        assert_eq!(
            (&recovered[0].rolled, recovered[0].untouched.as_slice()),
            (&rolled, [room.files().join(name)].as_slice())
        );
        assert_eq!(std::fs::read(room.files().join(name)).unwrap(), b"theirs");
        let other = std::fs::read_to_string(room.files().join(other)).ok();
        assert_eq!(other.as_deref(), expected, "{name}");
        room.assert_clean(step);
    };
    check("moved/deep/f0", Rolled::Forward, "sub/f9", Some("new\n"));
    check("sub/f9", Rolled::Back, "moved/deep/f0", None);
    check("sub/f9", Rolled::Back, "sub/f0", Some("old 0\n"));
}

#[test]
fn what_a_living_process_does_is_left_to_it() {
    let room = Room::filled(10);
    let changes = patch(&room.files(), 10);
    let wishes: Vec<Wish<'_>> = changes.iter().map(Wish::of).collect();
    let reached = |name: &str| {
        if name != "ending the record" {
            assert_eq!(room.recover(), []);
        }
    };
    room.transactions()
        .make_in_steps(&wishes, &reached)
        .unwrap();
    assert_eq!(room.all(), patched(10));
    room.assert_clean(0);
}

#[test]
fn two_who_start_at_once_find_all_done() {
    if is_child() {
        return;
    }
    let room = left_behind(
        "two_who_start_at_once_find_all_done",
        step_of("changing a file", None) + 3,
    );
    let after = patched(10);
    let recover = || {
        let recovered = room.recover();
        assert_eq!(room.all(), after);
        recovered.len()
    };
    let found: usize = std::thread::scope(|scope| {
        let both = [scope.spawn(recover), scope.spawn(recover)];
        both.map(|one| one.join().unwrap()).iter().sum()
    });
    assert_eq!(found, 1);
}

#[test]
fn a_record_is_read_as_far_as_it_goes() {
    use super::super::record::{Item, Kind, Left, Record, aside};
    let place = tempfile::tempdir().unwrap();
    let mut record = Record::begin(place.path()).unwrap();
    let odd = PathBuf::from("/a b/%\u{e9}\n~");
    record.temp(&odd).unwrap();
    record.folder(Path::new("/new")).unwrap();
    let item = Item {
        kind: Kind::Create,
        target: odd.clone(),
        temp: "/t".into(),
        old: None,
        new: Some(crate::ContentHash::of(b"x")),
    };
    record.ready(std::slice::from_ref(&item)).unwrap();
    record.back();
    let path = super::super::record::records(place.path())
        .unwrap()
        .remove(0);
    let text = std::fs::read_to_string(path).unwrap();
    let whole = Left {
        temps: vec![odd],
        folders: vec!["/new".into()],
        items: vec![item],
        back: true,
    };
    assert_eq!(Left::parse(&text), whole);
    for end in 0..text.len() {
        let left = Left::parse(text.get(..end).unwrap());
        assert!(
            !left.back && (left.items.is_empty() || left.items == whole.items),
            "{end}"
        );
    }
    assert!(
        Left::parse(&text.replace("create", "remove"))
            .items
            .is_empty()
    );
    assert_eq!(aside(Path::new("/a/b")), Path::new("/a/b~"));
    record.finish(1);
    assert!(
        super::super::record::records(place.path())
            .unwrap()
            .is_empty()
    );
}

#[test]
fn files_change_places_in_steps_too() {
    let place = super::Place::new();
    let (new, target) = (place.put("new", "n"), place.put("target", "t"));
    super::super::commit::exchange_in_steps(&new, &target).unwrap();
    assert_eq!(
        place.all(),
        super::entries(&[("new", "t"), ("target", "n")])
    );
    super::super::commit::exchange_in_steps(&place.path("none"), &target).unwrap_err();
    assert_eq!(
        place.all(),
        super::entries(&[("new", "t"), ("target", "n")])
    );
}
