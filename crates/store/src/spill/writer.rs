//! Writing a spill.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::{FOLDER, SpillId};
use crate::tally::{self, Tally};
use crate::{Result, Store, StoreError, StoreErrorKind, names};

/// How much is gathered before it goes to the file.
const BUFFER_BYTES: usize = 64 * 1024;

/// A spill that is being written. Dropped before it is finished, it leaves nothing behind.
///
/// A failure to write, a full disk for example, is kept: every later write fails at once, and [`SpillWriter::finish`]
/// tells the first failure. So a stream can go on without its spill.
#[derive(Debug)]
pub struct SpillWriter {
    store: Store,
    session: Option<String>,
    id: SpillId,
    file: BufWriter<NamedTempFile>,
    written_bytes: u64,
    failure: Option<StoreError>,
}

impl SpillWriter {
    pub(super) fn create(store: &Store, session: Option<&str>) -> Result<Self> {
        session.map_or(Ok(()), names::session)?;
        let file = tally::begin(store, FOLDER)?;
        Ok(Self {
            store: store.clone(),
            session: session.map(str::to_owned),
            id: SpillId::random()?,
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            written_bytes: 0,
            failure: None,
        })
    }

    /// The id that the spill will have.
    #[must_use]
    pub fn id(&self) -> &SpillId {
        &self.id
    }

    /// How many bytes were taken so far.
    #[must_use]
    pub fn len_bytes(&self) -> u64 {
        self.written_bytes
    }

    /// Ends the spill: from now on it can be read under its id. After a failure nothing is kept, and the failure told.
    pub fn finish(mut self) -> Result<SpillId> {
        let flushed = self.flush();
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let path = self.store.spill_path(self.id.as_str())?;
        flushed.map_err(|err| StoreError::io("write", &path, err))?;
        let Self {
            store,
            session,
            id,
            file,
            written_bytes,
            ..
        } = self;
        if let Some(session) = session {
            store.own_spill(&id, &session)?;
        }
        let (file, _) = file.into_parts();
        file.persist_noclobber(&path)
            .map_err(|err| StoreError::io("write", &path, err.error))?;
        // The spill is there. What cannot be counted or pruned now is tried again with the next one.
        let _ = store.count_spill(written_bytes, &path);
        Ok(id)
    }

    /// Keeps the first failure and gives the one for the writer's caller.
    fn fail(&mut self, failure: StoreError, kind: io::ErrorKind) -> io::Error {
        let told = io::Error::new(kind, failure.fact.clone());
        self.failure.get_or_insert(failure);
        told
    }

    /// Refuses what comes after a failure, or beyond what all spills together may take.
    fn admit(&mut self, bytes: usize) -> io::Result<()> {
        if let Some(failure) = &self.failure {
            return Err(io::Error::other(failure.fact.clone()));
        }
        let limit = self.store.shared.limits.spills.max_bytes;
        if self.written_bytes.saturating_add(bytes as u64) <= limit {
            return Ok(());
        }
        let failure = StoreError::new(
            StoreErrorKind::Full,
            format!("The text is longer than the {limit} bytes that may be spilled."),
            "Send the output to a file instead, and read that.",
        );
        Err(self.fail(failure, io::ErrorKind::FileTooLarge))
    }
}

impl Write for SpillWriter {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        self.admit(chunk.len())?;
        match self.file.write(chunk) {
            Ok(taken) => {
                self.written_bytes = self.written_bytes.saturating_add(taken as u64);
                Ok(taken)
            }
            Err(err) if err.kind() == io::ErrorKind::Interrupted => Err(err),
            Err(err) => {
                let kind = err.kind();
                let failure = StoreError::io("write", self.file.get_ref().path(), err);
                Err(self.fail(failure, kind))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.admit(0)?;
        self.file.flush().map_err(|err| {
            let kind = err.kind();
            let failure = StoreError::io("write", self.file.get_ref().path(), err);
            self.fail(failure, kind)
        })
    }
}

impl Store {
    fn own_spill(&self, id: &SpillId, session: &str) -> Result<()> {
        self.database().with(|database| {
            let sql = "INSERT INTO spill (id, session) VALUES (?1, ?2)";
            database
                .prepare_cached(sql)?
                .execute([id.as_str(), session])
        })?;
        Ok(())
    }

    /// Adds a spill to what is there, and prunes when that no longer fits, or was not looked at for an hour. The time is
    /// that of the file just written, so that ages are measured by one clock.
    fn count_spill(&self, bytes: u64, path: &Path) -> Result<()> {
        let now = fs::metadata(path)
            .and_then(|metadata| metadata.modified())
            .map_err(|err| StoreError::io("look at", path, err))?;
        let mut tally = Tally::lock(self.root(), FOLDER)?;
        tally.add(bytes)?;
        if tally.is_due(0, self.shared.limits.spills.max_bytes, now) {
            self.prune_spills_under(&mut tally, Some(now))?;
        }
        Ok(())
    }
}
