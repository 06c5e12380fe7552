use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use jiff::Timestamp;
use proptest::prelude::*;
use tempfile::TempDir;
use toolpost_host::ContentHash;

use super::{ChangeFilter, ChangeId, Changed, FileChange, NewChange, Standing};
use crate::{Image, Kept, Store, StoreErrorKind};

fn path(bytes: &[u8]) -> PathBuf {
    OsString::from_vec(bytes.to_vec()).into()
}

/// A file that was edited, without a kept image.
fn edited(at: &str) -> FileChange {
    FileChange {
        path: at.into(),
        before: Some(Image {
            hash: ContentHash::of(b"before"),
            bytes: u64::MAX,
            kept: Kept::TooLarge,
        }),
        after: Some(ContentHash::of(b"after")),
        mode_before: Some(0o644),
        mode_after: Some(0o644),
        moved_from: None,
    }
}

fn change(files: &[FileChange]) -> NewChange<'_> {
    NewChange {
        call: "c1",
        session: Some("s"),
        batch: "b1",
        at: Timestamp::from_microsecond(1_234_567).unwrap(),
        title: "Edit `f`",
        files,
        undoes: None,
    }
}

fn all(store: &Store) -> Vec<Changed> {
    store.changes(&ChangeFilter::default()).unwrap()
}

fn undo(store: &Store, id: i64) -> i64 {
    let undo = NewChange {
        undoes: Some(ChangeId(id)),
        ..change(&[])
    };
    store.record_change(&undo).unwrap().0
}

#[test]
fn a_change_comes_back_as_recorded() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let added = FileChange {
        path: path(b"/w/\xff\x80.txt"),
        before: None,
        mode_before: None,
        mode_after: Some(0o100_755),
        ..edited("")
    };
    let removed = FileChange {
        after: None,
        mode_after: None,
        ..edited("/w/removed")
    };
    let moved = FileChange {
        before: Some(store.keep_image(&b"moved"[..]).unwrap()),
        moved_from: Some(path(b"/w/\xfe")),
        ..edited("/w/moved")
    };
    let files = [added, removed, moved, edited("/w/a")];
    let id = store.record_change(&change(&files)).unwrap();
    let expected = Changed {
        id,
        call: "c1".to_owned(),
        session: Some("s".to_owned()),
        batch: "b1".to_owned(),
        at: Timestamp::from_microsecond(1_234_567).unwrap(),
        title: "Edit `f`".to_owned(),
        files: files.to_vec(),
        undoes: None,
        undone_by: None,
        standing: Standing::Holds,
    };
    store.forget_session("s").unwrap();
    drop(store);
    assert_eq!(all(&Store::open(folder.path())), [expected]);
}

/// Records four changes of three calls in two sessions and none.
fn record_four(store: &Store) {
    let moved = FileChange {
        moved_from: Some("/a".into()),
        ..edited("/b")
    };
    let record = |call, session, batch, files: &[FileChange]| {
        let change = NewChange {
            call,
            session,
            batch,
            ..change(files)
        };
        store.record_change(&change).unwrap();
    };
    record("c1", Some("one"), "b1", &[edited("/a"), edited("/b")]);
    record("c2", Some("one"), "b1", &[edited("/c")]);
    record("c1", Some("two"), "b2", &[moved]);
    record("c1", None, "b3", &[edited("/a/b")]);
}

#[test]
fn filters() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    record_four(&store);
    let check = |filter: ChangeFilter, expected: &[i64]| {
        let found = store.changes(&filter).unwrap();
        let ids: Vec<_> = found.iter().map(|change| change.id.0).collect();
        assert_eq!(ids, expected, "{filter:?}");
    };
    let any = ChangeFilter::default;
    let text = |text: &str| Some(text.to_owned());
    let path = |path: &str| ChangeFilter {
        path: Some(path.into()),
        ..any()
    };
    let limit = |limit: usize| ChangeFilter {
        limit: Some(limit),
        ..any()
    };
    let session = |session: &str| ChangeFilter {
        session: text(session),
        ..any()
    };
    let call = |call: &str| ChangeFilter {
        call: text(call),
        ..any()
    };
    check(any(), &[1, 2, 3, 4]);
    check(limit(0), &[]);
    check(limit(2), &[3, 4]);
    check(limit(usize::MAX), &[1, 2, 3, 4]);
    check(session("one"), &[1, 2]);
    check(session("none"), &[]);
    check(call("c1"), &[1, 3, 4]);
    check(path("/a"), &[1, 3]);
    check(path("/b"), &[1, 3]);
    check(path("/a/b"), &[4]);
    check(path("/A"), &[]);
    let batch = ChangeFilter {
        batch: text("b1"),
        ..any()
    };
    check(batch, &[1, 2]);
    let id = |id: i64| ChangeFilter {
        id: Some(ChangeId(id)),
        ..any()
    };
    check(id(3), &[3]);
    check(id(9), &[]);
    let both = ChangeFilter {
        limit: Some(1),
        path: Some("/a".into()),
        ..call("c1")
    };
    check(both, &[3]);
}

#[test]
fn undoing_is_undone() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    store.record_change(&change(&[edited("/a")])).unwrap();
    let check = |expected: &[(Option<i64>, Option<i64>, Standing)]| {
        let changes = all(&store);
        let number = |id: Option<ChangeId>| id.map(|id| id.0);
        let shown: Vec<_> = changes
            .iter()
            .map(|change| {
                (
                    number(change.undoes),
                    number(change.undone_by),
                    change.standing,
                )
            })
            .collect();
        assert_eq!(shown, expected);
    };
    use Standing::{Holds, Undone};
    check(&[(None, None, Holds)]);
    assert_eq!(undo(&store, 1), 2);
    check(&[(None, Some(2), Undone), (Some(1), None, Holds)]);
    assert_eq!(undo(&store, 2), 3);
    check(&[
        (None, Some(2), Holds),
        (Some(1), Some(3), Undone),
        (Some(2), None, Holds),
    ]);
    assert_eq!(undo(&store, 3), 4);
    check(&[
        (None, Some(2), Undone),
        (Some(1), Some(3), Holds),
        (Some(2), Some(4), Undone),
        (Some(3), None, Holds),
    ]);
}

#[test]
fn what_is_undone_cannot_be_undone_again_until_it_holds() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    store.record_change(&change(&[edited("/a")])).unwrap();
    let undone = undo(&store, 1);
    let files = [edited("/a")];
    let again = NewChange {
        undoes: Some(ChangeId(1)),
        ..change(&files)
    };
    let err = store.record_change(&again).unwrap_err();
    assert_eq!(err.kind, StoreErrorKind::Taken);
    assert!(
        err.to_string()
            .contains("`1` is undone already, by the change `2`"),
        "{err}"
    );
    assert_eq!(all(&store).len(), 2, "nothing was recorded");
    undo(&store, undone);
    assert_eq!(store.record_change(&again).unwrap(), ChangeId(4));
    assert_eq!(all(&store)[0].undone_by, Some(ChangeId(4)));
    assert_eq!(all(&store)[0].standing, Standing::Undone);
}

#[test]
fn several_are_undone_at_once() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    for _ in 0..3 {
        store.record_change(&change(&[edited("/a")])).unwrap();
    }
    let mark = |id: i64, by: i64| {
        let marked = store.mark_undone(ChangeId(id), ChangeId(by));
        marked.map_err(|err| err.kind)
    };
    assert_eq!(mark(1, 3), Ok(()));
    assert_eq!(mark(2, 3), Ok(()));
    assert_eq!(mark(2, 3), Err(StoreErrorKind::Taken));
    assert_eq!(mark(3, 3), Err(StoreErrorKind::Gone));
    assert_eq!(mark(3, 2), Err(StoreErrorKind::Gone));
    assert_eq!(mark(3, 4), Err(StoreErrorKind::Gone));
    assert_eq!(mark(0, 3), Err(StoreErrorKind::Gone));
    let standing: Vec<_> = all(&store).iter().map(|change| change.standing).collect();
    assert_eq!(
        standing,
        [Standing::Undone, Standing::Undone, Standing::Holds]
    );
    let missing = NewChange {
        undoes: Some(ChangeId(9)),
        ..change(&[])
    };
    let err = store.record_change(&missing).unwrap_err();
    assert_eq!(err.kind, StoreErrorKind::Gone);
}

#[test]
fn no_record_without_its_image() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let kept = store.keep_image(&b"kept"[..]).unwrap();
    let gone = store.keep_image(&b"gone"[..]).unwrap();
    fs::remove_file(store.image_path(gone.hash)).unwrap();
    let files = [kept, gone].map(|image| FileChange {
        before: Some(image),
        ..edited("/a")
    });
    let err = store.record_change(&change(&files)).unwrap_err();
    assert_eq!(err.kind, StoreErrorKind::Gone);
    assert!(err.fact.contains(&gone.hash.to_string()), "{err}");
    assert_eq!(all(&store), []);
    store.record_change(&change(&files[..1])).unwrap();
    assert_eq!(all(&store).len(), 1);
}

#[test]
fn the_oldest_changes_go() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    for _ in 0..2 {
        store.record_change(&change(&[edited("/a")])).unwrap();
    }
    let jump = |id: i64| {
        let sql = "UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'change'";
        store.database().with(|db| db.execute(sql, [id])).unwrap();
    };
    let count = |table: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        let counted = store
            .database()
            .with(|db| db.query_row(&sql, [], |row| row.get(0)));
        counted.unwrap()
    };
    let check = |id: i64, left: i64| {
        jump(id - 1);
        store.record_change(&change(&[edited("/a")])).unwrap();
        assert_eq!((count("change"), count("change_file")), (left, left));
    };
    check(50_000, 3);
    check(50_001, 3);
    check(100_000, 2);
}

#[test]
fn a_bad_session_is_refused() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let bad = NewChange {
        session: Some("../x"),
        ..change(&[])
    };
    let err = store.record_change(&bad).unwrap_err();
    assert_eq!(err.kind, StoreErrorKind::Name);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

fn any_file() -> impl Strategy<Value = FileChange> {
    let path = || prop::collection::vec(any::<u8>(), 1..40).prop_map(|bytes| path(&bytes));
    let image = (any::<[u8; 32]>(), any::<u64>()).prop_map(|(hash, bytes)| Image {
        hash: ContentHash::from_bytes(hash),
        bytes,
        kept: Kept::NoRoom,
    });
    let modes = (any::<Option<u32>>(), any::<Option<u32>>());
    let after = any::<Option<[u8; 32]>>();
    let paths = (path(), prop::option::of(path()));
    (paths, prop::option::of(image), after, modes).prop_map(|(paths, before, after, modes)| {
        FileChange {
            path: paths.0,
            before,
            after: after.map(ContentHash::from_bytes),
            mode_before: modes.0,
            mode_after: modes.1,
            moved_from: paths.1,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_files_survive(files in prop::collection::vec(any_file(), 0..8)) {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        store.record_change(&change(&files)).unwrap();
        prop_assert_eq!(&all(&store)[0].files, &files);
        for file in files {
            let filter = ChangeFilter { path: Some(file.path), ..ChangeFilter::default() };
            prop_assert_eq!(store.changes(&filter).unwrap().len(), 1);
        }
    }
}
