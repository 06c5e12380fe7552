use std::fs::{self, File};
use std::io::{self, Read};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use proptest::prelude::*;
use tempfile::TempDir;
use toolpost_host::ContentHash;

use super::{Image, ImageLimits, Kept};
use crate::{FileChange, Limits, NewChange, Pruned, Store, StoreErrorKind};

/// Bytes that no program makes shorter.
fn noise(bytes: usize) -> Vec<u8> {
    let mut noise = vec![0; bytes];
    blake3::Hasher::new().finalize_xof().fill(&mut noise);
    noise
}

fn with_limits(folder: &TempDir, images: ImageLimits) -> Store {
    let limits = Limits {
        images,
        ..Limits::default()
    };
    Store::with_limits(folder.path(), limits)
}

fn read(store: &Store, hash: ContentHash) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    let mut reader = store.image(hash).unwrap()?;
    assert_eq!(reader.hash(), hash);
    reader.read_to_end(&mut content).unwrap();
    Some(content)
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join("images")).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Makes an image count as written at a second.
fn age(store: &Store, hash: ContentHash, second: u64) {
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(second);
    let file = File::options().write(true).open(store.image_path(hash));
    file.unwrap().set_modified(then).unwrap();
}

/// Records a change of one file that had this content.
fn record(store: &Store, before: Image, second: i64) {
    let file = FileChange {
        path: "/f".into(),
        before: Some(before),
        after: None,
        mode_before: None,
        mode_after: None,
        moved_from: None,
    };
    let change = NewChange {
        call: "c",
        session: None,
        batch: "b",
        at: Timestamp::from_second(second).unwrap(),
        title: "t",
        files: &[file],
        undoes: None,
    };
    store.record_change(&change).unwrap();
}

#[test]
fn a_content_comes_back_as_it_was() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let check = |content: &[u8]| {
        let image = store.keep_image(content).unwrap();
        let expected = Image {
            hash: ContentHash::of(content),
            bytes: content.len() as u64,
            kept: Kept::Whole,
        };
        assert_eq!(image, expected);
        let again = Store::open(folder.path());
        assert!(
            read(&again, image.hash).unwrap() == content,
            "{} bytes",
            content.len()
        );
    };
    check(b"");
    check(b"x");
    check(b"\0\xff\r\n\xef\xbb\xbf");
    check(&[b'x'; 262_143]);
    check(&[b'x'; 262_144]);
    check(&noise(262_145));
    check(&noise(1_000_000));
    check(&"one line of a file\n".repeat(40_000).into_bytes());
    assert_eq!(
        store
            .image(ContentHash::of(b"never kept"))
            .unwrap()
            .map(|_| ()),
        None
    );
}

#[test]
fn equal_contents_are_kept_once_and_small() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let content = "one line of a file\n".repeat(10_000);
    let first = store.keep_image(content.as_bytes()).unwrap();
    let second = store.keep_image(content.as_bytes()).unwrap();
    assert_eq!(first, second);
    assert_eq!(names(&folder), [format!("{}.lz4", first.hash)]);
    let kept = fs::metadata(store.image_path(first.hash)).unwrap().len();
    assert!(kept < content.len() as u64 / 50, "{kept}");
}

#[test]
fn of_a_content_that_is_too_large_only_the_hash_is_told() {
    let folder = TempDir::new().unwrap();
    let limits = ImageLimits {
        max_image_bytes: 300_000,
        ..ImageLimits::default()
    };
    let store = with_limits(&folder, limits);
    let check = |bytes: usize, kept: Kept, files: usize| {
        let content = noise(bytes);
        let image = store.keep_image(content.as_slice()).unwrap();
        let hash = ContentHash::of(&content);
        let expected = Image {
            hash,
            bytes: bytes as u64,
            kept,
        };
        assert_eq!(image, expected);
        assert_eq!(store.image(hash).unwrap().is_some(), kept == Kept::Whole);
        assert_eq!(names(&folder).len(), files);
        record(&store, image, 0);
    };
    check(300_001, Kept::TooLarge, 0);
    check(900_000, Kept::TooLarge, 0);
    check(300_000, Kept::Whole, 1);
}

#[test]
fn what_has_no_room_is_told_until_there_is_some() {
    let folder = TempDir::new().unwrap();
    let limits = ImageLimits {
        max_bytes: 4 * 4_096,
        ..ImageLimits::default()
    };
    let contents: Vec<_> = (0..5_u8).map(|number| vec![number; 100]).collect();
    // A store for each: short-lived processes bound it together.
    let keep = |content: &Vec<u8>| {
        let store = with_limits(&folder, limits);
        store.keep_image(content.as_slice()).unwrap()
    };
    let kept: Vec<_> = contents.iter().map(|content| keep(content).kept).collect();
    let whole = Kept::Whole;
    assert_eq!(kept, [whole, whole, whole, whole, Kept::NoRoom]);
    assert_eq!(names(&folder).len(), 4);
    let store = with_limits(&folder, limits);
    assert_eq!(
        store
            .image(ContentHash::of(&contents[4]))
            .unwrap()
            .map(|_| ()),
        None
    );
    age(&store, ContentHash::of(&contents[2]), 1_000);
    assert_eq!(keep(&contents[4]).kept, Kept::Whole);
    assert_eq!(read(&store, ContentHash::of(&contents[2])), None);
    assert_eq!(names(&folder).len(), 4);
}

#[test]
fn a_damaged_image_is_told_and_never_given() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let content = "some lines\n".repeat(60_000).into_bytes();
    let hash = store.keep_image(content.as_slice()).unwrap().hash;
    let other = store.keep_image(&b"other"[..]).unwrap().hash;
    let path = store.image_path(hash);
    let sound = fs::read(&path).unwrap();
    let check = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let err = store.image(hash).unwrap_err();
        assert_eq!(err.kind, StoreErrorKind::Damaged, "{err}");
        assert!(err.fact.contains(path.to_str().unwrap()), "{err}");
    };
    check(b"");
    check(b"not a frame");
    check(&sound[..7]);
    check(&sound[..sound.len() / 2]);
    check(&sound[..sound.len() - 5]);
    check(&fs::read(store.image_path(other)).unwrap());
    // What lies beside the content in a frame may be damaged without harm; the content may not.
    let harmless_or_told = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        match store.image(hash) {
            Err(err) => assert_eq!(err.kind, StoreErrorKind::Damaged),
            Ok(_) => assert!(read(&store, hash).unwrap() == content),
        }
    };
    harmless_or_told(&sound[..sound.len() - 1]);
    harmless_or_told(&[sound.as_slice(), b"more"].concat());
    for place in (0..sound.len()).step_by(97) {
        let mut flipped = sound.clone();
        flipped[place] ^= 0x10;
        harmless_or_told(&flipped);
    }
    store.keep_image(content.as_slice()).unwrap();
    assert!(read(&store, hash).unwrap() == content, "it is healed");
}

#[test]
fn damage_while_it_is_read_is_told_too() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let content = noise(3_000_000);
    let hash = store.keep_image(content.as_slice()).unwrap().hash;
    let mut reader = store.image(hash).unwrap().unwrap();
    let path = store.image_path(hash);
    let length = fs::metadata(&path).unwrap().len();
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(length / 2)
        .unwrap();
    let err = io::copy(&mut reader, &mut io::sink()).unwrap_err();
    assert_eq!(err.kind(), io::ErrorKind::InvalidData);
    assert!(err.to_string().contains("damaged"), "{err}");
}

#[test]
fn a_content_that_cannot_be_read_leaves_nothing() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the cable is out"))
        }
    }
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let content = noise(500_000);
    let err = store.keep_image(content.chain(Failing)).unwrap_err();
    assert_eq!(err.kind, StoreErrorKind::Io);
    assert!(err.fact.contains("the cable is out"), "{err}");
    assert_eq!(names(&folder), [""; 0]);
}

#[test]
fn an_image_is_as_old_as_its_last_change() {
    let folder = TempDir::new().unwrap();
    let limits = ImageLimits {
        max_age: Duration::from_secs(1_000),
        min_age: Duration::from_secs(100),
        ..ImageLimits::default()
    };
    let store = with_limits(&folder, limits);
    let keep = |content: &str| {
        let image = store.keep_image(content.as_bytes()).unwrap();
        age(&store, image.hash, 5_000);
        image
    };
    let (alone, old, used) = (keep("alone"), keep("old"), keep("used"));
    record(&store, old, 5_100);
    record(&store, used, 1);
    record(&store, used, 6_050);
    let prune = |second: i64| {
        let now = Timestamp::from_second(second).unwrap();
        store.prune_images(now).unwrap().files
    };
    let left = || [alone, old, used].map(|image| read(&store, image.hash).is_some());
    assert_eq!(prune(6_000), 0);
    assert_eq!((prune(6_001), left()), (1, [false, true, true]));
    assert_eq!((prune(6_101), left()), (1, [false, false, true]));
    assert_eq!((prune(7_050), left()), (0, [false, false, true]));
    assert_eq!((prune(7_051), left()), (1, [false; 3]));
    let changes = store.changes(&crate::ChangeFilter::default()).unwrap();
    assert_eq!(changes.len(), 3, "the changes stay");
}

#[test]
fn age_is_looked_at_once_an_hour() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let old = store.keep_image(&b"old"[..]).unwrap().hash;
    age(&store, old, 1);
    store.keep_image(&b"next"[..]).unwrap();
    assert!(read(&store, old).is_some(), "it was looked at just now");
    fs::write(folder.path().join("images.tally"), "8192 1000\n").unwrap();
    store.keep_image(&b"last"[..]).unwrap();
    assert_eq!(read(&store, old), None);
    assert_eq!(names(&folder).len(), 2);
}

#[test]
fn what_is_being_written_stays_and_what_a_killed_process_left_goes() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    store.keep_image(&b"x"[..]).unwrap();
    let images = folder.path().join("images");
    fs::write(images.join("part-left"), "dead").unwrap();
    let alive = File::create(images.join("part-alive")).unwrap();
    alive.lock().unwrap();
    fs::write(images.join("README"), "not ours").unwrap();
    let pruned = store.prune_images(Timestamp::UNIX_EPOCH).unwrap();
    assert_eq!(pruned, Pruned { files: 1, bytes: 4 });
    let image = format!("{}.lz4", ContentHash::of(b"x"));
    let mut expected = ["README", &image, "part-alive"];
    expected.sort_unstable();
    assert_eq!(names(&folder), expected);
}

#[test]
fn pruning_nothing_makes_nothing() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    let pruned = store.prune_images(Timestamp::UNIX_EPOCH).unwrap();
    assert_eq!(pruned, Pruned::default());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn names_of_kept() {
    let check = |kept: Kept, name: &str| {
        assert_eq!(kept.name(), name);
        assert_eq!(Kept::parse(name), Some(kept));
    };
    check(Kept::Whole, "whole");
    check(Kept::TooLarge, "too_large");
    check(Kept::NoRoom, "no_room");
    assert_eq!(Kept::parse(""), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_content_comes_back(
        pieces in prop::collection::vec((any::<u8>(), 0_usize..100_000), 0..8),
        tail in prop::collection::vec(any::<u8>(), 0..500),
    ) {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        let mut content: Vec<u8> = Vec::new();
        for (byte, count) in pieces {
            content.extend(std::iter::repeat_n(byte, count));
        }
        content.extend(tail);
        let image = store.keep_image(content.as_slice()).unwrap();
        prop_assert_eq!(image.hash, ContentHash::of(&content));
        prop_assert!(read(&store, image.hash).unwrap() == content);
    }
}
