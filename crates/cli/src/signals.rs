//! Being asked to end.

use toolpost::host::{Stop, Why};

/// Listens from now on; the result is raised once the process is asked to end, by an interrupt or a termination.
pub(crate) fn ending() -> Stop {
    let ending = Stop::new();
    let raised = ending.clone();
    tokio::spawn(async move {
        asked().await;
        raised.raise(Why::Cancelled);
    });
    ending
}

async fn asked() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = tokio::signal::ctrl_c() => return,
            }
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
