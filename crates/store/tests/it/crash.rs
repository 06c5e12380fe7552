//! What is there after a process was killed.

use std::fs;
use std::io::Write;
use std::path::Path;

use jiff::Timestamp;
use tempfile::TempDir;
use toolpost_host::ContentHash;
use toolpost_store::{JournalFilter, Step, StepKind, Store, StoreErrorKind};

use crate::child::{self, Again};

fn write(store: &Store, call: &str, what: StepKind) {
    let step = Step {
        call,
        session: Some("s"),
        batch: "b",
        at: Timestamp::UNIX_EPOCH,
        what,
    };
    store.step(&step).unwrap();
}

fn run_until_killed(folder: &Path) {
    let store = Store::open(folder);
    let proposed = StepKind::Proposed {
        tool: "shell.run".to_owned(),
        args_hash: ContentHash::of(b"{}"),
        title: None,
    };
    write(&store, "c", proposed);
    write(&store, "c", StepKind::Started);
    store
        .record_sighting("s", "/seen".as_ref(), ContentHash::of(b"x"), None)
        .unwrap();
    let mut spill = store.create_spill(Some("s")).unwrap();
    spill.write_all(&vec![b'x'; 300_000]).unwrap();
    child::ready();
    unreachable!("the parent kills the child while it waits");
}

#[test]
fn a_killed_process_leaves_what_it_had_told() {
    if let Some(folder) = child::folder() {
        return run_until_killed(&folder);
    }
    let folder = TempDir::new().unwrap();
    let mut again = Again::start(
        "crash::a_killed_process_leaves_what_it_had_told",
        folder.path(),
        "",
    );
    again.wait_ready();
    again.kill();

    let store = Store::open(folder.path());
    let steps = store.steps(&JournalFilter::default()).unwrap();
    let kinds: Vec<_> = steps.iter().map(|step| step.what.name()).collect();
    assert_eq!(kinds, ["proposed", "started"]);
    let unfinished = store.unfinished().unwrap();
    assert_eq!(unfinished.len(), 1);
    assert_eq!(unfinished[0].started.call, "c");
    assert_eq!(unfinished[0].proposed, Some(steps[0].what.clone()));
    assert_eq!(store.sightings("s").unwrap().len(), 1);

    let spills = || fs::read_dir(folder.path().join("spill")).unwrap().count();
    assert_eq!(spills(), 1, "the half-written spill");
    assert_eq!(store.prune_spills(None).unwrap().files, 1);
    assert_eq!(spills(), 0);
}

#[test]
fn a_spill_that_cannot_be_written_is_told_at_its_end() {
    if let Some(folder) = child::folder() {
        let store = Store::open(&folder);
        let mut spill = store.create_spill(None).unwrap();
        assert!(spill.write_all(&vec![b'x'; 1_000_000]).is_err());
        assert!(spill.write_all(b"more").is_err());
        let err = spill.finish().unwrap_err();
        assert_eq!(err.kind, StoreErrorKind::Full);
        assert_eq!(fs::read_dir(folder.join("spill")).unwrap().count(), 0);
        return;
    }
    let folder = TempDir::new().unwrap();
    // A limit on the size of files stands for a full disk: the same place fails.
    let stage = "trap '' XFSZ; ulimit -f 64";
    let test = "crash::a_spill_that_cannot_be_written_is_told_at_its_end";
    Again::start(test, folder.path(), stage).pass();
}
