//! Writing the steps of a call down, as steps of its way.

use std::sync::{MutexGuard, PoisonError};

use toolpost_core::{Plan, RawCall};
use toolpost_store::{NewChange, Step, StepKind};

use crate::stages::Scene;
use crate::undo::before::Before;

impl Scene<'_> {
    /// Writes a step into the journal before the way goes on.
    ///
    /// A journal that cannot be written does not stop a call; a reply of the batch says so.
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
        if let Ok(Err(err)) = tokio::task::spawn_blocking(write).await {
            *self.trouble() = Some(format!("The journal could not be written: {err}"));
        }
    }

    /// What is to be told of the journal, once a batch.
    pub(crate) fn journal_notice(&self) -> Option<String> {
        self.trouble().take()
    }

    fn trouble(&self) -> MutexGuard<'_, Option<String>> {
        self.unwritten
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what a call is about to change, so that it can be undone.
    pub(crate) async fn keep_before(&self, plan: &Plan) -> Option<Before> {
        if plan.effects.writes.is_empty() || plan.effects.runs.is_some() {
            return None;
        }
        let (store, effects) = (self.shared.parts.store.clone(), plan.effects.clone());
        let keep = move || Before::keep(&store, &effects);
        tokio::task::spawn_blocking(keep).await.ok()
    }

    /// Records what a call changed; gives what is to be noticed of it.
    pub(crate) async fn record_change(
        &self,
        call: &RawCall,
        plan: &Plan,
        before: Option<Before>,
    ) -> Vec<String> {
        let Some(mut before) = before else {
            return Vec::new();
        };
        let mut notices = std::mem::take(&mut before.notices);
        let parts = &self.shared.parts;
        let (store, at) = (parts.store.clone(), parts.clock.wall());
        let (session, batch, call) = (
            self.session.kept.name.clone(),
            self.batch.clone(),
            call.id.to_string(),
        );
        let title = self.session.gate().text(plan.title.clone()).to_string();
        let record = move || {
            before.record(
                &store,
                NewChange {
                    call: &call,
                    session: session.as_deref(),
                    batch: &batch,
                    at,
                    title: &title,
                    files: &[],
                    undoes: None,
                },
            )
        };
        if let Ok(Err(err)) = tokio::task::spawn_blocking(record).await {
            notices.push(format!("This change cannot be undone: {err}"));
        }
        notices
    }
}
