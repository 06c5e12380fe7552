//! A folder, a session's sight, and calls.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use toolpost_core::{
    AnyTool, CallId, Capture, Captured, Captures, Cx, Failure, Look, Output, Plan, Planned,
    PriorRead, Progress, Settings, Sight, Sighting, ToolError,
};
use toolpost_host::{Permit, Sink, Stop, Why};
use toolpost_tools::catalogue;

/// A session in a folder that goes away with it.
pub(crate) struct Bench {
    _folder: tempfile::TempDir,
    pub(crate) cwd: PathBuf,
    seen: Arc<Seen>,
    pub(crate) prior_read: PriorRead,
    pub(crate) stop: Stop,
    runtime: tokio::runtime::Runtime,
}

#[derive(Default)]
struct Seen(Mutex<HashMap<PathBuf, Sighting>>);

impl Seen {
    /// Keeps what was seen; parts of one content that touch become one.
    fn add(&self, mut sighting: Sighting) {
        let mut all = self.0.lock().unwrap();
        if let Some(earlier) = all
            .get(&sighting.path)
            .filter(|it| it.hash == sighting.hash)
        {
            sighting.lines = match (earlier.lines, sighting.lines) {
                (Some((from, to)), Some((start, end))) if from <= end && start <= to => {
                    Some((from.min(start), to.max(end)))
                }
                (Some(_), later @ Some(_)) => later,
                _ => None,
            };
        }
        all.insert(sighting.path.clone(), sighting);
    }
}

impl Sight for Seen {
    fn of(&self, path: &Path) -> Option<Sighting> {
        self.0.lock().unwrap().get(path).cloned()
    }
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cwd = folder.path().canonicalize().unwrap().join("work");
        std::fs::create_dir(&cwd).unwrap();
        Self {
            cwd,
            _folder: folder,
            seen: Arc::default(),
            prior_read: PriorRead::default(),
            stop: Stop::new(),
            runtime: tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap(),
        }
    }

    /// A session with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let bench = Self::new();
        files.iter().for_each(|(path, text)| bench.put(path, text));
        bench
    }

    pub(crate) fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.cwd.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(self.cwd.join(path)).ok()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path).unwrap()).unwrap()
    }

    /// Calls a tool by canonical id, or as `dialect name`.
    pub(crate) fn call(&self, name: &str, args: Value) -> Result<Output, ToolError> {
        let (plan, run) = self.planned(name, args)?;
        drop(plan);
        run(self)
    }

    /// What a call's text reads like, failures included.
    pub(crate) fn reads(&self, name: &str, args: Value) -> String {
        let (tool, face) = find(name);
        match self.call(name, args) {
            Ok(output) => output.words.text(),
            Err(err) => tool.failure(face, &Failure::from(err)),
        }
        .replace(self.cwd.to_str().unwrap(), "[WORKSPACE]")
    }

    /// Plans a call; what it would do, and a way to do it.
    #[expect(clippy::type_complexity, reason = "a plan and what follows it")]
    pub(crate) fn planned(
        &self,
        name: &str,
        args: Value,
    ) -> Result<(Plan, Box<dyn FnOnce(&Self) -> Result<Output, ToolError>>), ToolError> {
        let (tool, face) = find(name);
        let look = self.look();
        let planned = self.runtime.block_on(tool.plan(face, args, &look))?;
        let Planned::Ready(plan, ready) = planned else {
            panic!("no tool here asks for another one")
        };
        let run = move |bench: &Self| {
            let cx = bench.cx();
            let output = bench.runtime.block_on(ready.run(&cx))?;
            for sighting in output.changes.seen.iter().cloned() {
                bench.seen.add(sighting);
            }
            Ok(output)
        };
        Ok((plan, Box::new(run)))
    }

    fn look(&self) -> Look {
        Look {
            own_places: Vec::new(),
            cwd: self.cwd.clone(),
            roots: vec![self.cwd.clone()],
            sight: self.seen.clone(),
            settings: Settings {
                prior_read: self.prior_read,
            },
        }
    }

    fn cx(&self) -> Cx {
        Cx {
            call: CallId("1".to_owned()),
            files: toolpost_host::Transactions::unrecorded(),
            permit: Permit::issue(),
            stop: self.stop.clone(),
            deadline_ms: 120_000,
            progress: Arc::new(Quiet),
            captures: Arc::new(Quiet),
            look: self.look(),
        }
    }

    /// Raises the stop of all calls from now on.
    pub(crate) fn stopped(self, why: Why) -> Self {
        self.stop.raise(why);
        self
    }
}

/// A tool and the place of its face.
pub(crate) fn find(name: &str) -> (Arc<dyn AnyTool>, usize) {
    let (dialect, name) = name.split_once(' ').unwrap_or(("plain", name));
    let inherited = [("PATH".into(), "/usr/bin:/bin".into())];
    for tool in catalogue(inherited.to_vec()) {
        let offers = tool.offers();
        let known =
            |offer: &toolpost_core::Offer| offer.dialect.0 == dialect && offer.answers_to(name);
        if let Some(face) = offers.iter().position(known) {
            return (tool, face);
        }
    }
    panic!("no tool `{name}` in `{dialect}`")
}

struct Quiet;

impl Progress for Quiet {
    fn tell(&self, _: u64, _: Option<u64>, _: &str) {}
}

impl Captures for Quiet {
    fn open(&self, _: usize) -> Box<dyn Capture> {
        Box::new(Kept(Vec::new()))
    }
}

struct Kept(Vec<u8>);

impl Sink for Kept {
    fn write(&mut self, chunk: &[u8]) {
        self.0.extend_from_slice(chunk);
    }
}

impl Capture for Kept {
    fn finish(self: Box<Self>) -> Captured {
        let head = String::from_utf8_lossy(&self.0).into_owned();
        Captured {
            total_chars: head.chars().count() as u64,
            total_lines: head.lines().count() as u64,
            total_bytes: self.0.len() as u64,
            head,
            ..Captured::default()
        }
    }
}
