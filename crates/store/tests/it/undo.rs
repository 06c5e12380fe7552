//! Before-images and changes across processes: kills at every step, and crowds.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use jiff::Timestamp;
use tempfile::TempDir;
use toolpost_store::{
    ChangeFilter, ChangeId, Changed, FileChange, Image, NewChange, Store, StoreErrorKind,
};

use crate::child::{self, Again};

/// A content of its own for each number, long enough that it takes several writes.
fn content(who: u32, number: usize) -> Vec<u8> {
    format!("line {number} of process {who}\n")
        .repeat(5_000)
        .into_bytes()
}

fn record(store: &Store, call: &str, before: Image) -> ChangeId {
    let file = FileChange {
        path: "/f".into(),
        before: Some(before),
        after: None,
        mode_before: Some(0o644),
        mode_after: None,
        moved_from: None,
    };
    let change = NewChange {
        call,
        session: None,
        batch: "b",
        at: Timestamp::UNIX_EPOCH,
        title: "Remove `f`",
        files: &[file],
        undoes: None,
    };
    store.record_change(&change).unwrap()
}

/// Gives all changes, after reading every image that they promise.
fn sound_changes(store: &Store) -> Vec<Changed> {
    let changes = store.changes(&ChangeFilter::default()).unwrap();
    for change in &changes {
        for image in change.files.iter().filter_map(|file| file.before) {
            let mut reader = store.image(image.hash).unwrap().expect("a kept image");
            let bytes = io::copy(&mut reader, &mut io::sink()).unwrap();
            assert_eq!(bytes, image.bytes);
        }
    }
    changes
}

fn images(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("images")).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// A content in whose middle the process waits, to be killed there.
struct Halfway {
    left_bytes: usize,
}

impl Read for Halfway {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        if self.left_bytes == 0 {
            child::ready();
            unreachable!("the parent kills the child while it waits");
        }
        let count = part.len().min(self.left_bytes);
        part[..count].fill(b'x');
        self.left_bytes -= count;
        Ok(count)
    }
}

/// Runs a test's child until it is ready, kills it, and opens what it left.
fn killed(test: &str) -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let mut again = Again::start(test, folder.path(), "");
    again.wait_ready();
    again.kill();
    let store = Store::open(folder.path());
    (folder, store)
}

#[test]
fn killed_while_it_keeps() {
    if let Some(folder) = child::folder() {
        let store = Store::open(&folder);
        let content = Halfway {
            left_bytes: 1_000_000,
        };
        store.keep_image(content).unwrap();
    }
    let (folder, store) = killed("undo::killed_while_it_keeps");
    assert_eq!(sound_changes(&store), []);
    let left = images(folder.path());
    assert!(
        left.len() == 1 && left[0].starts_with("part-"),
        "the half-written image: {left:?}"
    );
    assert_eq!(store.prune_images(Timestamp::UNIX_EPOCH).unwrap().files, 1);
    assert_eq!(images(folder.path()), [""; 0]);
}

#[test]
fn killed_between_image_and_record() {
    if let Some(folder) = child::folder() {
        let store = Store::open(&folder);
        store.keep_image(content(0, 0).as_slice()).unwrap();
        child::ready();
        unreachable!("the parent kills the child while it waits");
    }
    let (folder, store) = killed("undo::killed_between_image_and_record");
    assert_eq!(sound_changes(&store), []);
    assert_eq!(images(folder.path()).len(), 1);
    let later = Timestamp::from_second(100_000_000_000).unwrap();
    assert_eq!(store.prune_images(later).unwrap().files, 1);
}

#[test]
fn killed_after_the_record() {
    if let Some(folder) = child::folder() {
        let store = Store::open(&folder);
        let image = store.keep_image(content(0, 0).as_slice()).unwrap();
        record(&store, "c", image);
        child::ready();
        unreachable!("the parent kills the child while it waits");
    }
    let (_folder, store) = killed("undo::killed_after_the_record");
    let changes = sound_changes(&store);
    assert_eq!(changes.len(), 1);
    let image = changes[0].files[0].before.unwrap();
    let mut read = Vec::new();
    let mut reader = store.image(image.hash).unwrap().unwrap();
    reader.read_to_end(&mut read).unwrap();
    assert!(read == content(0, 0));
}

#[test]
fn killed_anywhere() {
    if let Some(folder) = child::folder() {
        let store = Store::open(&folder);
        child::ready();
        for number in 0..100_000 {
            let content = content(std::process::id(), number);
            let image = store.keep_image(content.as_slice()).unwrap();
            record(&store, "c", image);
        }
        unreachable!("the parent kills the child long before");
    }
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let mut before = 0;
    for round in 1..=4 {
        let mut again = Again::start("undo::killed_anywhere", folder.path(), "");
        again.wait_ready();
        again.go();
        let newest = || {
            let filter = ChangeFilter {
                limit: Some(1),
                ..ChangeFilter::default()
            };
            let newest = store.changes(&filter).unwrap();
            newest.first().map_or(0, |change| change.id.0)
        };
        // It is killed wherever it is when this has seen some changes more.
        while newest() < before + round {
            assert!(again.is_running(), "the child ended by itself");
        }
        again.kill();
        let changes = sound_changes(&store);
        before = changes.last().unwrap().id.0;
        assert_eq!(changes.len() as i64, before);
    }
    // The lock that a killed process held is gone with it.
    let image = store.keep_image(&b"goes on"[..]).unwrap();
    assert_eq!(record(&store, "c", image).0, before + 1);
}

const CHANGES: usize = 20;

#[test]
fn processes_keep_record_and_prune_at_once() {
    if let Some(folder) = child::folder() {
        child::ready();
        let store = Store::open(&folder);
        let who = std::process::id();
        for number in 0..CHANGES {
            // Two contents that are everybody's, and some that are one's own.
            let own = if number % 2 == 0 { 0 } else { who };
            let image = store.keep_image(content(own, number % 4).as_slice());
            record(&store, &who.to_string(), image.unwrap());
            store.prune_images(Timestamp::UNIX_EPOCH).unwrap();
        }
        return;
    }
    let folder = TempDir::new().unwrap();
    let test = "undo::processes_keep_record_and_prune_at_once";
    let mut crowd: Vec<_> = (0..3)
        .map(|_| Again::start(test, folder.path(), ""))
        .collect();
    crowd.iter_mut().for_each(Again::wait_ready);
    crowd.iter_mut().for_each(Again::go);
    crowd.into_iter().for_each(Again::pass);
    let changes = sound_changes(&Store::open(folder.path()));
    assert_eq!(changes.len(), 3 * CHANGES);
    assert!(changes.is_sorted_by(|one, next| one.id < next.id));
    assert_eq!(images(folder.path()).len(), 2 + 3 * 2);
}

#[test]
fn one_of_many_undoes() {
    if let Some(folder) = child::folder() {
        child::ready();
        let store = Store::open(&folder);
        let undo = NewChange {
            call: "undo",
            session: None,
            batch: "b",
            at: Timestamp::UNIX_EPOCH,
            title: "Undo",
            files: &[],
            undoes: Some(ChangeId(1)),
        };
        if let Err(err) = store.record_change(&undo) {
            assert_eq!(err.kind, StoreErrorKind::Taken);
        }
        return;
    }
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let image = store.keep_image(&b"x"[..]).unwrap();
    record(&store, "c", image);
    let mut crowd: Vec<_> = (0..3)
        .map(|_| Again::start("undo::one_of_many_undoes", folder.path(), ""))
        .collect();
    crowd.iter_mut().for_each(Again::wait_ready);
    crowd.iter_mut().for_each(Again::go);
    crowd.into_iter().for_each(Again::pass);
    let changes = sound_changes(&store);
    assert_eq!(changes.len(), 2, "one undo was recorded");
    assert_eq!(changes[0].undone_by, Some(changes[1].id));
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing() {
    if let Some(folder) = child::folder() {
        let store = Store::open(&folder);
        let mut content = vec![0; 1_000_000];
        blake3::Hasher::new().finalize_xof().fill(&mut content);
        let err = store.keep_image(content.as_slice()).unwrap_err();
        assert_eq!(err.kind, StoreErrorKind::Full, "{err}");
        assert_eq!(images(&folder), [""; 0]);
        return;
    }
    let folder = TempDir::new().unwrap();
    // A limit on the size of files stands for a full disk: the same place fails.
    let stage = "trap '' XFSZ; ulimit -f 64";
    let test = "undo::a_full_disk_is_told_and_leaves_nothing";
    Again::start(test, folder.path(), stage).pass();
}
