//! A tool without its types: what toolsets and the runtime hold.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;

use crate::{About, Cx, FaceOf, Failure, Look, Offer, Output, Planned, Present, Tool, ToolError};

/// A future on the heap.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A tool as the runtime sees it. Every [`Tool`] is one; tools from elsewhere implement it themselves.
pub trait AnyTool: Send + Sync {
    /// What is fixed about the tool.
    fn about(&self) -> About<'_>;

    /// Its faces, the plain one first. Cheap: schemas are made when they are asked for.
    fn offers(&self) -> Vec<Offer>;

    /// Plans a call that came under the face at this place of `offers`, with arguments in that face's shape.
    fn plan<'a>(
        self: Arc<Self>,
        face: usize,
        args: Value,
        look: &'a Look,
    ) -> BoxFuture<'a, Result<Planned<Box<dyn AnyReady>>, ToolError>>;

    /// Words a failure as the face at this place does.
    fn failure(&self, face: usize, failure: &Failure) -> String;
}

/// A planned call that can run, once.
pub trait AnyReady: Send {
    /// Runs it and words what came out as its face does.
    fn run<'a>(self: Box<Self>, cx: &'a Cx) -> BoxFuture<'a, Result<Output, ToolError>>;
}

impl std::fmt::Debug for dyn AnyReady {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("AnyReady")
    }
}

impl<T: Tool> AnyTool for T {
    fn about(&self) -> About<'_> {
        T::ABOUT
    }

    fn offers(&self) -> Vec<Offer> {
        T::faces().offers()
    }

    fn plan<'a>(
        self: Arc<Self>,
        face: usize,
        args: Value,
        look: &'a Look,
    ) -> BoxFuture<'a, Result<Planned<Box<dyn AnyReady>>, ToolError>> {
        Box::pin(async move {
            let face = T::faces().take(face).ok_or_else(no_face::<T>)?;
            let input = face.input(args)?;
            Ok(match Tool::plan(&*self, input, look).await? {
                Planned::Instead { id, args, why } => Planned::Instead { id, args, why },
                Planned::Ready(plan, ready) => {
                    let ready: Box<dyn AnyReady> = Box::new(Typed {
                        tool: self,
                        face,
                        ready,
                    });
                    Planned::Ready(plan, ready)
                }
            })
        })
    }

    fn failure(&self, face: usize, failure: &Failure) -> String {
        T::faces()
            .take(face)
            .map_or_else(|| failure.words(), |face| face.failure(failure))
    }
}

fn no_face<T: Tool>() -> ToolError {
    ToolError::new(
        crate::Code::Internal,
        format!("`{}` has no such face.", T::ABOUT.id),
    )
}

struct Typed<T: Tool> {
    tool: Arc<T>,
    face: Box<dyn FaceOf<T>>,
    ready: T::Ready,
}

impl<T: Tool> AnyReady for Typed<T> {
    fn run<'a>(self: Box<Self>, cx: &'a Cx) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let Self { tool, face, ready } = *self;
            let made = tool.run(ready, cx).await?;
            Ok(Output {
                words: face.words(&made),
                state: made.state(),
                view: made.view(),
                changes: made.changes(),
            })
        })
    }
}
