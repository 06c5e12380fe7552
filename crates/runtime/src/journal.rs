//! Writing the steps of a call down, as steps of its way.

use toolpost_core::RawCall;
use toolpost_store::{Step, StepKind};

use crate::stages::Scene;

impl Scene<'_> {
    /// Writes a step into the journal before the way goes on.
    ///
    /// A journal that cannot be written does not stop a call: the person learns of it from `doctor`, and the batch goes on.
    pub(crate) async fn write_down(&self, call: &RawCall, what: StepKind) {
        let parts = &self.shared.parts;
        let (store, at) = (parts.store.clone(), parts.clock.wall());
        let (session, batch, call) = (
            self.session.kept.name.clone(),
            self.batch.clone(),
            call.id.to_string(),
        );
        let write = move || {
            let step = Step {
                call: &call,
                session: session.as_deref(),
                batch: &batch,
                at,
                what,
            };
            store.step(&step)
        };
        let _ = tokio::task::spawn_blocking(write).await;
    }
}
