//! What a tool is.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::{About, Cx, Faces, Look, Planned, Present, ToolError};

/// A tool: it says what it is, what a call would touch, and does it.
///
/// It never asks, cuts, redacts, logs or prints; it changes things through `toolpost-host` alone, with the permit that
/// [`Cx`] carries.
pub trait Tool: Sized + Send + Sync + 'static {
    /// The canonical arguments. The schema comes from this type.
    type Input: DeserializeOwned + JsonSchema + Send + 'static;
    /// What planning found and running needs, so that nothing is read or matched twice.
    type Ready: Send + 'static;
    /// What a call makes.
    type Output: Present;

    /// What is fixed about the tool.
    const ABOUT: About<'static>;

    /// How the model families see it. The plain face is always there.
    #[must_use]
    fn faces() -> Faces<Self> {
        Faces::new()
    }

    /// Finds out what the call would do. It looks and does not touch.
    fn plan(
        &self,
        input: Self::Input,
        look: &Look,
    ) -> impl Future<Output = Result<Planned<Self::Ready>, ToolError>> + Send;

    /// Does it. When `cx.stop` is raised it winds down and returns what it has.
    fn run(
        &self,
        ready: Self::Ready,
        cx: &Cx,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}
