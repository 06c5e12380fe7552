//! Being asked to end.

use toolpost::host::{Stop, Why};

/// Listens from now on; the result is raised once the process is asked to end, by an interrupt, a termination or a terminal that closes.
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
        let (terminate, hangup) = (
            signal(SignalKind::terminate()),
            signal(SignalKind::hangup()),
        );
        if let (Ok(mut terminate), Ok(mut hangup), Ok(mut quit)) =
            (terminate, hangup, signal(SignalKind::quit()))
        {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = hangup.recv() => return,
                _ = quit.recv() => return,
                _ = tokio::signal::ctrl_c() => return,
            }
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
