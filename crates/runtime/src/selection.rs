//! Which tools a model is offered, in which dialect.

use std::fmt;
use std::sync::Arc;

use toolpost_core::{AnyTool, Dialect, Offer, Offered, Set};

use crate::Catalogue;
use crate::toolset::Entry;

/// Which tools a model is offered.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The family whose names and shapes are used.
    pub dialect: Dialect,
    /// Which tools are wanted.
    pub wanted: Wanted,
    /// Canonical ids or names that are never offered, whatever is wanted.
    pub denied: Vec<String>,
    /// Names that the caller runs itself: they are never answered and never unknown.
    pub left: Vec<String>,
}

/// Which tools are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// What the family offers by default.
    Usual,
    /// The tools of a set.
    Of(Set),
    /// Every tool, those on request too.
    All,
    /// None.
    None,
    /// These, by canonical id or by the family's name, out of everything.
    Named(Vec<String>),
}

impl Wanted {
    /// Reads the name of a set as the command line takes it.
    #[must_use]
    pub fn set_named(name: &str) -> Option<Self> {
        let sets = [Set::Coding, Set::ReadOnly, Set::Chat];
        match name {
            "all" => Some(Self::All),
            "none" => Some(Self::None),
            _ => sets
                .into_iter()
                .find(|set| set.name() == name)
                .map(Self::Of),
        }
    }
}

/// A name in a selection that no tool has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectionError {
    /// The name.
    pub name: String,
    /// Names that are there and look alike.
    pub near: Vec<String>,
}

impl fmt::Display for SelectionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "There is no tool `{}`.", self.name)?;
        if self.near.is_empty() {
            return Ok(());
        }
        write!(out, " Near names: {}.", self.near.join(", "))
    }
}

impl std::error::Error for SelectionError {}

impl Selection {
    /// What a family offers by default.
    #[must_use]
    pub fn usual(dialect: Dialect) -> Self {
        Self {
            dialect,
            wanted: Wanted::Usual,
            denied: Vec::new(),
            left: Vec::new(),
        }
    }

    /// The tools that exist for this selection at all, and the faces that are offered.
    pub(crate) fn choose(&self, catalogue: &Catalogue) -> Result<Chosen, SelectionError> {
        let names = match &self.wanted {
            Wanted::Named(names) => names.as_slice(),
            _ => &[],
        };
        for name in names.iter().chain(&self.denied) {
            if !catalogue.iter().any(|tool| is_named(tool, name)) {
                return Err(unknown(catalogue, name));
            }
        }
        let is_denied =
            |tool: &Arc<dyn AnyTool>| self.denied.iter().any(|name| is_named(tool, name));
        let reachable: Vec<_> = catalogue
            .iter()
            .filter(|tool| self.admits(tool) && !is_denied(tool))
            .cloned()
            .collect();
        let entries = reachable.iter().flat_map(|tool| self.faces(tool)).collect();
        Ok(Chosen { reachable, entries })
    }

    fn admits(&self, tool: &Arc<dyn AnyTool>) -> bool {
        match &self.wanted {
            Wanted::Usual | Wanted::All => true,
            Wanted::Of(set) => tool.about().sets.contains(set),
            Wanted::None => false,
            Wanted::Named(names) => names.iter().any(|name| is_named(tool, name)),
        }
    }

    /// The faces under which a tool is offered. A tool that was asked for and has no face in the family shows its
    /// plain one.
    fn faces(&self, tool: &Arc<dyn AnyTool>) -> Vec<Entry> {
        let entry = |(face, offer): (usize, Offer)| Entry {
            tool: tool.clone(),
            face,
            offer,
        };
        let offers = || tool.offers().into_iter().enumerate();
        let of_family = || offers().filter(|(_, offer)| offer.dialect == self.dialect);
        let chosen: Vec<Entry> = match &self.wanted {
            Wanted::Usual => {
                return of_family()
                    .filter(|(_, offer)| offer.offered == Offered::ByDefault)
                    .map(entry)
                    .collect();
            }
            Wanted::Named(names) => {
                let named = |offer: &Offer| names.iter().any(|name| offer.answers_to(name));
                let exact: Vec<Entry> = of_family()
                    .filter(|(_, offer)| named(offer))
                    .map(entry)
                    .collect();
                if exact.is_empty() {
                    of_family().map(entry).collect()
                } else {
                    exact
                }
            }
            _ => of_family().map(entry).collect(),
        };
        if chosen.is_empty() {
            offers().take(1).map(entry).collect()
        } else {
            chosen
        }
    }
}

/// What a selection comes to.
pub(crate) struct Chosen {
    /// The tools that exist for it, offered or not.
    pub(crate) reachable: Vec<Arc<dyn AnyTool>>,
    /// What is offered, in order.
    pub(crate) entries: Vec<Entry>,
}

/// Whether a tool is meant by a name: its id, an older id, or a name in any family.
fn is_named(tool: &Arc<dyn AnyTool>, name: &str) -> bool {
    let about = tool.about();
    about.id == name
        || about.aliases.contains(&name)
        || tool.offers().iter().any(|offer| offer.answers_to(name))
}

fn unknown(catalogue: &Catalogue, name: &str) -> SelectionError {
    let ids = catalogue.iter().map(|tool| tool.about().id.to_owned());
    SelectionError {
        name: name.to_owned(),
        near: near(name, ids),
    }
}

/// Up to three of `names` that look like `name`, the nearest first.
pub(crate) fn near(name: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    const ENOUGH: f64 = 0.7;
    const MOST: usize = 3;
    let lower = name.to_lowercase();
    let scored = names.map(|other| (strsim::jaro_winkler(&lower, &other.to_lowercase()), other));
    let mut alike: Vec<(f64, String)> = scored.filter(|(score, _)| *score >= ENOUGH).collect();
    alike.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then_with(|| left.1.cmp(&right.1))
    });
    alike.dedup_by(|left, right| left.1 == right.1);
    alike.into_iter().take(MOST).map(|(_, name)| name).collect()
}
