//! Host calls that block, kept off the threads that serve others.

use tokio::runtime::{Handle, RuntimeFlavor};
use toolpost_core::{Code, ToolError};

/// Runs work that blocks on a thread of its own.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ToolError> {
    tokio::task::spawn_blocking(work).await.map_err(|err| {
        ToolError::new(
            Code::Internal,
            format!("The work on the call broke off: {err}."),
        )
    })
}

/// Runs short work that blocks and borrows a permit, which cannot leave its call.
pub(crate) fn here<T>(work: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
    if matches!(flavor, Ok(RuntimeFlavor::MultiThread)) {
        tokio::task::block_in_place(work)
    } else {
        work()
    }
}
