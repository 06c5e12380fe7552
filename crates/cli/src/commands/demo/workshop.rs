//! Where the demo works: a runtime with a private state of its own, and a project for each family.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::bail;
use serde_json::{Value, json};
use toolpost::core::{CallId, Completeness, Form, Kind, RawArgs, RawCall};
use toolpost::host::{Clock, environment};
use toolpost::{
    Controls, Dialect, Mode, Order, Selection, Session, SessionSpec, Status, Toolpost, Toolset,
    Wanted,
};

use super::family::Family;
use super::project::FILES;

/// What programs say must not depend on the person's language.
const LANGUAGE: (&str, &str) = ("LC_ALL", "C");

/// A runtime with a private state of its own, in a folder of its own. The person's configuration is not read.
pub(super) struct Workshop {
    pub(super) toolpost: Toolpost,
    pub(super) clock: Clock,
    folder: PathBuf,
}

impl Workshop {
    /// Sets everything up in a folder.
    pub(super) fn new(folder: &Path) -> Self {
        let (name, value) = LANGUAGE;
        let mut environment: Vec<(OsString, OsString)> = environment();
        environment.retain(|(other, _)| other != name);
        environment.push((name.into(), value.into()));
        let clock = Clock::real();
        let toolpost = Toolpost::builder(&folder.join("state"))
            .environment(environment)
            .clock(clock.clone())
            .build();
        Self {
            toolpost,
            clock,
            folder: folder.to_owned(),
        }
    }

    /// Where a family works.
    pub(super) fn project(&self, family: Family) -> PathBuf {
        self.folder.join(family.name()).join("almanac")
    }

    /// Writes the sample project for a family, with `fs.write` itself.
    pub(super) async fn unpack(&self, family: Family) -> anyhow::Result<()> {
        let project = self.project(family);
        let write = |(path, content): &(&str, &str)| {
            let whole = project.join(path).to_string_lossy().into_owned();
            call(
                path,
                "fs.write",
                json!({ "path": whole, "content": content }),
            )
        };
        // Not the conversation's session: the model has seen none of these files.
        let session = self.session(&self.folder)?;
        let toolset = self.own_toolset()?;
        // Searches show the newest file first: written backwards, one after the other, they come in the table's order.
        let calls = FILES.iter().rev().map(write).collect();
        let controls = Controls::new().order(Order::Sequential);
        let answering = self.toolpost.batch(&session, &toolset, calls, &controls);
        for reply in answering.await.replies {
            if reply.status != Status::Ok {
                bail!("the sample project could not be unpacked: {}", reply.text());
            }
        }
        Ok(())
    }

    /// Starts a session in a folder. A project's session has seen nothing.
    pub(super) fn session(&self, folder: &Path) -> anyhow::Result<Session> {
        Ok(self
            .toolpost
            .session(SessionSpec::new(folder, Mode::Auto))?)
    }

    /// All tools by their canonical ids: for the demo's own calls.
    pub(super) fn own_toolset(&self) -> anyhow::Result<Toolset> {
        let selection = Selection {
            wanted: Wanted::All,
            ..Selection::usual(Dialect::PLAIN)
        };
        Ok(self.toolpost.toolset(&selection)?)
    }

    /// Says which kind a tool's id is.
    pub(super) fn kinds(&self) -> impl Fn(&str) -> Kind + Send + 'static {
        let runtime = self.toolpost.runtime().clone();
        move |id: &str| {
            let tool = runtime.catalogue().tool(id);
            tool.map_or(Kind::Other, |tool| tool.about().kind)
        }
    }

    /// Ends what calls have left running.
    pub(super) async fn close(&self) {
        self.toolpost.runtime().close().await;
    }
}

/// A call of the demo's own.
pub(super) fn call(id: &str, tool: &str, args: Value) -> RawCall {
    RawCall {
        id: CallId(id.to_owned()),
        name: tool.to_owned(),
        args: RawArgs::Value(args),
        completeness: Completeness::Whole,
        form: Form::Function,
    }
}
