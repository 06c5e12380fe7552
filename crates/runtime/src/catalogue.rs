//! All tools there are, in the order shown.

use std::sync::Arc;

use toolpost_core::AnyTool;

/// All tools there are, in the order shown. Where two have one id, the later one is shadowed.
#[derive(Clone, Default)]
pub struct Catalogue(Vec<Arc<dyn AnyTool>>);

impl Catalogue {
    /// Makes a catalogue of tools in the order shown.
    #[must_use]
    pub fn new(tools: Vec<Arc<dyn AnyTool>>) -> Self {
        Self(tools)
    }

    /// Adds a tool at the end.
    #[must_use]
    pub fn and(mut self, tool: impl AnyTool + 'static) -> Self {
        self.0.push(Arc::new(tool));
        self
    }

    /// The tools.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn AnyTool>> {
        self.0.iter()
    }

    /// Finds a tool by its canonical id, or an older one.
    #[must_use]
    pub fn tool(&self, id: &str) -> Option<&Arc<dyn AnyTool>> {
        let by_id = self.iter().find(|tool| tool.about().id == id);
        by_id.or_else(|| self.iter().find(|tool| tool.about().aliases.contains(&id)))
    }
}
