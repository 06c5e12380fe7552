//! The list of tools that goes out with a request.

use serde_json::{Value, json};
use toolpost_runtime::Toolset;
use toolpost_wire::{Listed, Lowered, Wire, lower};

use crate::Toolpost;

/// The list of tools that goes out with a request.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The toolset's id, to be named when the reply is run.
    pub toolset: String,
    /// The list in the provider's format.
    pub tools: Value,
    /// What belongs into the system prompt.
    pub prompt: String,
    /// What was changed or left out for this provider.
    pub warnings: Vec<String>,
}

/// What every model should know of the runtime, whichever tools it has.
const PROMPT: &str = "\
Call several tools in one reply when they do not depend on one another; calls that touch the same files run in the \
order you give. Every call is answered once, in order. A result that was cut says how much is missing. An error says \
what to do next; do not repeat a call that was denied.";

impl Toolpost {
    /// Lowers a toolset to a provider's format.
    #[must_use]
    pub fn list(&self, toolset: &Toolset, wire: Wire) -> Listing {
        let listed: Vec<Listed> = toolset
            .entries()
            .iter()
            .map(|entry| Listed {
                name: entry.offer.name.clone().into_owned(),
                card: entry.offer.card.trim().to_owned(),
                shape: entry.offer.shape(),
            })
            .collect();
        let Lowered {
            tools, warnings, ..
        } = lower(wire, &listed);
        let prompt = if listed.is_empty() {
            String::new()
        } else {
            PROMPT.to_owned()
        };
        Listing {
            toolset: toolset.id().to_owned(),
            tools,
            prompt,
            warnings,
        }
    }
}

impl Listing {
    /// The list as one document.
    #[must_use]
    pub fn document(&self) -> Value {
        let Self {
            toolset,
            tools,
            prompt,
            warnings,
        } = self;
        json!({ "toolset": toolset, "tools": tools, "prompt": prompt, "warnings": warnings })
    }
}
