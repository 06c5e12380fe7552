//! A frozen list of faced tools.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolpost_core::{AnyTool, Dialect, Offer};
use toolpost_store::StoreError;

use crate::{Catalogue, Runtime, Selection, SelectionError};

/// A frozen list of faced tools, as offered to one model at one moment.
///
/// A reply runs against the very toolset whose list went out with the request, whatever has been switched meanwhile.
#[derive(Clone)]
pub struct Toolset {
    id: String,
    dialect: Dialect,
    entries: Vec<Entry>,
    reachable: Vec<Arc<dyn AnyTool>>,
    left: Vec<String>,
}

/// A tool under one face.
#[derive(Clone)]
pub struct Entry {
    /// The tool.
    pub tool: Arc<dyn AnyTool>,
    /// The face's place among the tool's offers.
    pub face: usize,
    /// The face.
    pub offer: Offer,
}

/// What of a toolset is written down: enough to make it again.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    dialect: String,
    entries: Vec<RecordedEntry>,
    reachable: Vec<String>,
    left: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RecordedEntry {
    tool: String,
    dialect: String,
    name: String,
}

impl Toolset {
    /// The id: a hash of the content.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The family.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What is offered, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The names that the caller runs itself.
    #[must_use]
    pub fn left(&self) -> &[String] {
        &self.left
    }

    /// The same toolset with further names that the caller runs itself. Its id stays: the list is the same.
    #[must_use]
    pub fn leaving(mut self, names: Vec<String>) -> Self {
        self.left.extend(names);
        self
    }

    /// The tools that exist for a reply to this toolset, offered or not.
    pub(crate) fn reachable(&self) -> &[Arc<dyn AnyTool>] {
        &self.reachable
    }

    /// A reachable tool by its canonical id.
    pub(crate) fn tool(&self, id: &str) -> Option<&Arc<dyn AnyTool>> {
        self.reachable.iter().find(|tool| tool.about().id == id)
    }

    fn record(&self) -> Record {
        let entry = |entry: &Entry| RecordedEntry {
            tool: entry.tool.about().id.to_owned(),
            dialect: entry.offer.dialect.0.to_owned(),
            name: entry.offer.name.clone().into_owned(),
        };
        Record {
            dialect: self.dialect.0.to_owned(),
            entries: self.entries.iter().map(entry).collect(),
            reachable: self
                .reachable
                .iter()
                .map(|tool| tool.about().id.to_owned())
                .collect(),
            left: self.left.clone(),
        }
    }
}

/// Why a toolset cannot be had again.
#[derive(Debug, thiserror::Error)]
pub enum ThawError {
    /// No such toolset went out, or it is no longer kept.
    #[error("There is no toolset `{0}`.")]
    Unknown(String),
    /// It was written by another version, whose tools are not all there.
    #[error("The toolset `{0}` names `{1}`, which this version does not have.")]
    Missing(String, String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Runtime {
    /// Freezes a selection.
    ///
    /// # Errors
    /// A name that no tool has.
    pub fn freeze(&self, selection: &Selection) -> Result<Toolset, SelectionError> {
        let chosen = selection.choose(self.catalogue())?;
        let id = id_of(selection.dialect, &chosen.entries);
        Ok(Toolset {
            id,
            dialect: selection.dialect,
            entries: chosen.entries,
            reachable: chosen.reachable,
            left: selection.left.clone(),
        })
    }

    /// Writes a toolset down, so that a later process can answer to it.
    ///
    /// # Errors
    /// The store's.
    pub fn keep(&self, toolset: &Toolset) -> Result<(), StoreError> {
        let record = serde_json::to_value(toolset.record()).unwrap_or(Value::Null);
        self.store().put_toolset(&toolset.id, &record)
    }

    /// Makes a toolset again that was kept under this id.
    ///
    /// # Errors
    /// It is not known, or it holds what this version does not have.
    pub fn thaw(&self, id: &str) -> Result<Toolset, ThawError> {
        let unknown = || ThawError::Unknown(id.to_owned());
        let document = self.store().toolset(id)?.ok_or_else(unknown)?;
        let record: Record = serde_json::from_value(document).map_err(|_| unknown())?;
        thaw(self.catalogue(), id, record)
            .map_err(|missing| ThawError::Missing(id.to_owned(), missing))
    }
}

/// Finds everything that a record names; fails with the first name that is not there.
fn thaw(catalogue: &Catalogue, id: &str, record: Record) -> Result<Toolset, String> {
    let tool = |name: &String| catalogue.tool(name).cloned().ok_or_else(|| name.clone());
    let entry = |recorded: &RecordedEntry| {
        let tool = tool(&recorded.tool)?;
        let mut offers = tool.offers().into_iter().enumerate();
        let same =
            |offer: &Offer| offer.dialect.0 == recorded.dialect && offer.name == recorded.name;
        let (face, offer) = offers
            .find(|(_, offer)| same(offer))
            .ok_or_else(|| recorded.name.clone())?;
        Ok::<_, String>(Entry { tool, face, offer })
    };
    let entries = record
        .entries
        .iter()
        .map(entry)
        .collect::<Result<Vec<_>, _>>()?;
    let reachable = record
        .reachable
        .iter()
        .map(tool)
        .collect::<Result<Vec<_>, _>>()?;
    let known = entries.iter().map(|entry| entry.offer.dialect);
    let named = known
        .chain([Dialect::PLAIN])
        .find(|dialect| dialect.0 == record.dialect);
    let dialect = named.unwrap_or(Dialect::PLAIN);
    Ok(Toolset {
        id: id.to_owned(),
        dialect,
        entries,
        reachable,
        left: record.left,
    })
}

/// A hash over all that goes out: names, cards, shapes.
fn id_of(dialect: Dialect, entries: &[Entry]) -> String {
    const DIGITS: usize = 16;
    let tools: Vec<Value> = entries
        .iter()
        .map(|entry| {
            json!([
                entry.offer.name,
                entry.offer.card,
                entry.offer.shape().schema()
            ])
        })
        .collect();
    let content = json!([dialect.0, tools]).to_string();
    let hash = blake3::hash(content.as_bytes()).to_hex();
    format!("ts-{}", hash.get(..DIGITS).unwrap_or_default())
}
