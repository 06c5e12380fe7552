//! Recording a change, and that it is undone.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use super::query::standing;
use super::{ChangeId, FileChange, NewChange, Standing};
use crate::image::FOLDER;
use crate::{Kept, Result, Store, StoreError, StoreErrorKind, names, private, tally};

/// How many changes are kept, the newest.
const CHANGES_LIMIT: i64 = 50_000;

/// What stood in the way of marking a change as undone.
enum Obstacle {
    Missing,
    Undone(i64),
}

impl Store {
    /// Records a change. Once this returns, its images are safely on the disk and the record outlives this process; a
    /// crash at any moment leaves no record without its images.
    ///
    /// A change that undoes another marks that one in the same step, and is refused when it is undone already. The
    /// newest 50,000 changes are kept.
    ///
    /// Errors: `Gone` when an image was not kept, or the change to be undone is not there; `Taken` when it is undone.
    pub fn record_change(&self, change: &NewChange<'_>) -> Result<ChangeId> {
        change.session.map_or(Ok(()), names::session)?;
        let images = self.images_of(change.files);
        self.sync_images(&images)?;
        // Nobody prunes from here to the end, so what is there now is there with the record.
        let _held = match images.is_empty() {
            true => None,
            false => Some(tally::hold(self.root(), FOLDER)?),
        };
        if let Some(gone) = images.iter().find(|path| !private::is_there(path)) {
            return Err(no_image(gone));
        }
        self.database().change(|database| {
            if let Some(undone) = change.undoes
                && let Some(obstacle) = obstacle(database, undone)?
            {
                return Ok(Err(obstacle.told(undone)));
            }
            let id = insert(database, change)?;
            if let Some(undone) = change.undoes {
                mark(database, undone, id)?;
            }
            forget_surplus(database, id)?;
            Ok(Ok(id))
        })?
    }

    /// Marks a change as undone by a later one, for an undo of several at once.
    ///
    /// Errors: `Gone` when one of the two is not there, or `by` is not the later; `Taken` when it is undone already.
    pub fn mark_undone(&self, id: ChangeId, by: ChangeId) -> Result<()> {
        self.database().change(|database| {
            if by <= id || !is_recorded(database, by)? {
                return Ok(Err(Obstacle::Missing.told(id)));
            }
            match obstacle(database, id)? {
                Some(obstacle) => Ok(Err(obstacle.told(id))),
                None => mark(database, id, by).map(Ok),
            }
        })?
    }

    /// The images that must be there for these files, each once.
    fn images_of(&self, files: &[FileChange]) -> Vec<PathBuf> {
        let before = files.iter().filter_map(|file| file.before);
        let whole = before.filter(|image| image.kept == Kept::Whole);
        let mut paths: Vec<_> = whole.map(|image| self.image_path(image.hash)).collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// Forces images and their names to the disk.
    fn sync_images(&self, images: &[PathBuf]) -> Result<()> {
        for path in images {
            if !private::sync(path)? {
                return Err(no_image(path));
            }
        }
        if !images.is_empty() {
            private::sync(&self.root().join(FOLDER))?;
        }
        Ok(())
    }
}

fn insert(database: &Connection, change: &NewChange<'_>) -> rusqlite::Result<ChangeId> {
    let sql = "INSERT INTO change (call, session, batch, at, title, undoes) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    database.prepare_cached(sql)?.execute(params![
        change.call,
        change.session,
        change.batch,
        change.at.as_microsecond(),
        change.title,
        change.undoes.map(|undone| undone.0),
    ])?;
    let id = database.last_insert_rowid();
    for (place, file) in (0_i64..).zip(change.files) {
        insert_file(database, (id, place), file)?;
    }
    Ok(ChangeId(id))
}

fn insert_file(
    database: &Connection,
    (change, place): (i64, i64),
    file: &FileChange,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO change_file (change, place, path, moved_from, before_hash, before_bytes, before_kept,
            after_hash, mode_before, mode_after) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let before = file.before.as_ref();
    database.prepare_cached(sql)?.execute(params![
        change,
        place,
        file.path.as_os_str().as_bytes(),
        file.moved_from
            .as_ref()
            .map(|from| from.as_os_str().as_bytes()),
        before.map(|image| image.hash.as_bytes()),
        before.map(|image| image.bytes.cast_signed()),
        before.map(|image| image.kept.name()),
        file.after.as_ref().map(|hash| hash.as_bytes()),
        file.mode_before,
        file.mode_after,
    ])?;
    Ok(())
}

/// Tells why a change cannot be undone, if it cannot.
fn obstacle(database: &Connection, id: ChangeId) -> rusqlite::Result<Option<Obstacle>> {
    let found: Option<Option<i64>> = database
        .prepare_cached("SELECT undone_by FROM change WHERE id = ?1")?
        .query_row([id.0], |row| row.get(0))
        .optional()?;
    let Some(undone_by) = found else {
        return Ok(Some(Obstacle::Missing));
    };
    Ok(match (undone_by, standing(database, undone_by)?) {
        (Some(other), Standing::Undone) => Some(Obstacle::Undone(other)),
        _ => None,
    })
}

fn is_recorded(database: &Connection, id: ChangeId) -> rusqlite::Result<bool> {
    database
        .prepare_cached("SELECT 1 FROM change WHERE id = ?1")?
        .exists([id.0])
}

fn mark(database: &Connection, id: ChangeId, by: ChangeId) -> rusqlite::Result<()> {
    database
        .prepare_cached("UPDATE change SET undone_by = ?2 WHERE id = ?1")?
        .execute([id.0, by.0])?;
    Ok(())
}

/// Removes the changes that are too many; what is known of their files goes with them.
fn forget_surplus(database: &Connection, newest: ChangeId) -> rusqlite::Result<usize> {
    database
        .prepare_cached("DELETE FROM change WHERE id <= ?1")?
        .execute([newest.0 - CHANGES_LIMIT])
}

impl Obstacle {
    fn told(&self, undone: ChangeId) -> StoreError {
        match self {
            Self::Missing => StoreError::new(
                StoreErrorKind::Gone,
                format!("There is no change `{undone}` with a later one that undoes it."),
                "List the changes, and name one of them.",
            ),
            Self::Undone(other) => StoreError::new(
                StoreErrorKind::Taken,
                format!("The change `{undone}` is undone already, by the change `{other}`."),
                format!("Undo the change `{other}` to have it back."),
            ),
        }
    }
}

fn no_image(path: &Path) -> StoreError {
    StoreError::new(
        StoreErrorKind::Gone,
        format!(
            "The before-image `{}` is not there, or no longer.",
            path.display()
        ),
        "Keep the content again before the change is recorded.",
    )
}
