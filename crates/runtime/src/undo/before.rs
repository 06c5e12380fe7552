//! What lay at the places that a call changes, kept before it does.

use std::path::PathBuf;

use toolpost_core::{Effects, Extent, Reach};
use toolpost_host::{EntryKind, Fault, HostError};
use toolpost_store::{ChangeId, FileChange, Image, NewChange, Store, StoreError};

/// The largest content that is read to be kept, in bytes. Larger files change without an image, and that is said.
const IMAGE_BYTES: u64 = 256_000_000;

/// What lay at the places that a call changes.
pub(crate) struct Before {
    places: Vec<Place>,
    /// What could not be kept, for the reply.
    pub(crate) notices: Vec<String>,
}

struct Place {
    path: PathBuf,
    image: Option<Image>,
    mode: Option<u32>,
}

/// The permission bits of a mode.
const PERMISSIONS: u32 = 0o7777;

impl Before {
    /// Keeps the files that stated effects write. Effects that reach further – a command's – are not covered.
    pub(crate) fn keep(store: &Store, effects: &Effects) -> Self {
        let covered = effects.extent == Extent::Stated && effects.runs.is_none();
        let claims = effects
            .writes
            .iter()
            .filter(|claim| covered && claim.reach == Reach::Entry);
        let mut before = Self {
            places: Vec::new(),
            notices: Vec::new(),
        };
        for claim in claims {
            match look(store, claim.path.clone()) {
                Ok(place) => before.places.push(place),
                Err(Missed::NoFile) => {}
                Err(Missed::NotKept(why)) => {
                    let path = claim.path.display();
                    before
                        .notices
                        .push(format!("This change of `{path}` cannot be undone: {why}"));
                }
            }
        }
        before
    }

    /// Records what really changed, if anything did.
    pub(crate) fn record(
        self,
        store: &Store,
        change: NewChange<'_>,
    ) -> Result<Option<ChangeId>, StoreError> {
        let files: Vec<FileChange> = self.places.into_iter().filter_map(changed).collect();
        if files.is_empty() {
            return Ok(None);
        }
        let files = &files;
        store
            .record_change(&NewChange { files, ..change })
            .map(Some)
    }
}

/// Why a place is not covered.
enum Missed {
    /// There is something that is no file; the tool will say so.
    NoFile,
    /// The content could not be kept.
    NotKept(String),
}

fn look(store: &Store, path: PathBuf) -> Result<Place, Missed> {
    let stat = match toolpost_host::stat(&path) {
        Ok(stat) if stat.kind == EntryKind::File => stat,
        Ok(_) => return Err(Missed::NoFile),
        Err(err) if err.fault == Fault::NotFound => {
            return Ok(Place {
                path,
                image: None,
                mode: None,
            });
        }
        Err(_) => return Err(Missed::NoFile),
    };
    let too_large = |err: HostError| match err.fault {
        Fault::TooLarge => Missed::NotKept("it is too large.".to_owned()),
        _ => Missed::NoFile,
    };
    let content = toolpost_host::read_whole(&path, IMAGE_BYTES).map_err(too_large)?;
    let image = store.keep_image(content.bytes.as_slice());
    let image = image.map_err(|err| Missed::NotKept(err.to_string()))?;
    Ok(Place {
        path,
        image: Some(image),
        mode: Some(stat.mode & PERMISSIONS),
    })
}

/// What became of a place, if anything did.
fn changed(place: Place) -> Option<FileChange> {
    let Place { path, image, mode } = place;
    let now = toolpost_host::read_whole(&path, IMAGE_BYTES).ok();
    let after = now.as_ref().map(|content| content.hash);
    let mode_after = now.map(|content| content.stat.mode & PERMISSIONS);
    if after == image.map(|image| image.hash) && mode_after == mode {
        return None;
    }
    Some(FileChange {
        path,
        before: image,
        after,
        mode_before: mode,
        mode_after,
        moved_from: None,
    })
}
