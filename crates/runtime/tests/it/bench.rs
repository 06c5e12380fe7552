//! A runtime with the test's tools, in a folder of its own.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Notify;
use toolpost_core::{CallId, Code, Completeness, Dialect, Form, RawArgs, RawCall, Reply};
use toolpost_govern::Limits;
use toolpost_host::{Clock, Hands};
use toolpost_policy::Mode;
use toolpost_runtime::{
    Answer, Catalogue, Controls, Parts, Runtime, Selection, Session, SessionSpec, Toolset,
};
use toolpost_store::Store;

use crate::tools::{Add, Broken, Echo, Register, See, Touch, Wait};

/// A runtime with the test's tools.
pub(crate) struct Bench {
    pub(crate) runtime: Runtime,
    pub(crate) session: Session,
    pub(crate) toolset: Toolset,
    pub(crate) register: Register,
    pub(crate) waiting: Arc<Notify>,
    pub(crate) hands: Hands,
    _folders: [tempfile::TempDir; 2],
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(Mode::Auto, &Selection::usual(Dialect::PLAIN))
    }

    pub(crate) fn with(mode: Mode, selection: &Selection) -> Self {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let (clock, hands) = Clock::manual();
        let (register, waiting) = (Register::default(), Arc::new(Notify::new()));
        let catalogue = Catalogue::default()
            .and(Echo)
            .and(Broken)
            .and(Add(register.clone()))
            .and(See(register.clone()))
            .and(Wait(waiting.clone()))
            .and(Touch);
        let state = folders[0].path();
        let runtime = Runtime::new(Parts {
            catalogue,
            store: Store::open(state),
            clock,
            limits: Limits::default(),
            own_places: vec![state.to_owned()],
        });
        let spec = SessionSpec::new(folders[1].path(), mode);
        let session = runtime.session(spec).unwrap();
        let toolset = runtime.freeze(selection).unwrap();
        Self {
            runtime,
            session,
            toolset,
            register,
            waiting,
            hands,
            _folders: folders,
        }
    }

    pub(crate) async fn run(&self, calls: Vec<RawCall>) -> Vec<Reply> {
        self.answer(calls, &Controls::new()).await.replies
    }

    pub(crate) async fn answer(&self, calls: Vec<RawCall>, controls: &Controls) -> Answer {
        self.runtime
            .batch(&self.session, &self.toolset, calls, controls)
            .await
    }
}

/// A call with a text.
pub(crate) fn call(id: &str, tool: &str, text: &str) -> RawCall {
    with(id, tool, RawArgs::Value(json!({ "text": text })))
}

/// A call with any arguments.
pub(crate) fn with(id: &str, tool: &str, args: RawArgs) -> RawCall {
    RawCall {
        id: CallId(id.to_owned()),
        name: tool.to_owned(),
        args,
        completeness: Completeness::Whole,
        form: Form::Function,
    }
}

/// A call with arguments as JSON.
pub(crate) fn json_call(id: &str, tool: &str, args: Value) -> RawCall {
    with(id, tool, RawArgs::Value(args))
}

/// Each reply's id and code, `ok` where there is none.
pub(crate) fn codes(replies: &[Reply]) -> Vec<(&str, &str)> {
    let code = |reply: &Reply| {
        reply
            .body
            .failure
            .as_ref()
            .map_or("ok", |failure| Code::name(failure.code))
    };
    replies
        .iter()
        .map(|reply| (reply.id.0.as_str(), code(reply)))
        .collect()
}
