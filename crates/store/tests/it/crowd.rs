//! Many connections and many processes on one store.

use std::path::Path;
use std::thread;

use jiff::Timestamp;
use serde_json::json;
use tempfile::TempDir;
use toolpost_host::ContentHash;
use toolpost_store::{JournalFilter, SessionRecord, Step, StepKind, Store};

use crate::child::{self, Again};

const STEPS: usize = 50;

/// Uses every part of the store, as one of many.
fn work(folder: &Path, who: &str) {
    let store = Store::open(folder);
    for number in 0..STEPS {
        let step = Step {
            call: &format!("c{number}"),
            session: Some("shared"),
            batch: who,
            at: Timestamp::UNIX_EPOCH,
            what: StepKind::Started,
        };
        store.step(&step).unwrap();
        let hash = ContentHash::of(who.as_bytes());
        let path = format!("/{who}/{number}");
        store
            .record_sighting("shared", path.as_ref(), hash, None)
            .unwrap();
    }
    let record = SessionRecord {
        name: "shared".to_owned(),
        cwd: folder.to_owned(),
        toolset: None,
        updated: Timestamp::UNIX_EPOCH,
    };
    store.save_session(&record).unwrap();
    store.put_toolset("shared", &json!({"tools": []})).unwrap();
    store
        .create_spill(Some("shared"))
        .unwrap()
        .finish()
        .unwrap();
}

/// Checks that nothing of what so many did is missing.
fn check(folder: &Path, workers: usize) {
    let store = Store::open(folder);
    let steps = store.steps(&JournalFilter::default()).unwrap();
    assert_eq!(steps.len(), workers * STEPS);
    assert_eq!(store.sightings("shared").unwrap().len(), workers * STEPS);
    assert!(store.session("shared").unwrap().is_some());
    assert_eq!(store.toolset("shared").unwrap(), Some(json!({"tools": []})));
    store.forget_session("shared").unwrap();
    let spills = std::fs::read_dir(folder.join("spill")).unwrap().count();
    assert_eq!(spills, 0);
}

#[test]
fn processes_share_a_store_from_its_first_moment() {
    if let Some(folder) = child::folder() {
        child::ready();
        return work(&folder, &std::process::id().to_string());
    }
    let folder = TempDir::new().unwrap();
    let test = "crowd::processes_share_a_store_from_its_first_moment";
    let mut crowd: Vec<_> = (0..4)
        .map(|_| Again::start(test, folder.path(), ""))
        .collect();
    crowd.iter_mut().for_each(Again::wait_ready);
    crowd.iter_mut().for_each(Again::go);
    crowd.into_iter().for_each(Again::pass);
    check(folder.path(), 4);
}

#[test]
fn connections_of_one_process_share_a_store() {
    let folder = TempDir::new().unwrap();
    thread::scope(|scope| {
        for who in ["a", "b", "c"] {
            scope.spawn(|| work(folder.path(), who));
        }
    });
    check(folder.path(), 3);
}

#[test]
fn clones_share_a_connection() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    thread::scope(|scope| {
        for who in ["a", "b", "c"] {
            let store = store.clone();
            scope.spawn(move || {
                let hash = ContentHash::of(who.as_bytes());
                store
                    .record_sighting("s", who.as_ref(), hash, None)
                    .unwrap();
            });
        }
    });
    assert_eq!(store.sightings("s").unwrap().len(), 3);
}
