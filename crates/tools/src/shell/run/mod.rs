//! `shell.run`: one command, to its end.

mod command;
mod faces;
mod instead;
mod view;

use std::collections::BTreeMap;
use std::ffi::OsString;

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{
    About, Captured, Claim, Code, Command, Cx, Effects, Extent, Faces, Hints, Keep, Kind, Look,
    Plan, Planned, Present, Set, State, Tool, ToolError, View, Words,
};
use toolpost_host::{End, Ended, Spec, Why};

use crate::fault;

/// How many characters of output are kept, head and tail.
const OUTPUT_CHARS: usize = 30_000;

/// Runs a command in a shell.
pub(crate) struct ShellRun {
    environment: Vec<(OsString, OsString)>,
}

impl ShellRun {
    /// Makes the tool; its commands inherit from this environment, by host's rule.
    pub(crate) fn new(environment: Vec<(OsString, OsString)>) -> Self {
        Self { environment }
    }
}

/// What to run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The command line, as bash reads it.
    pub(crate) command: String,
    /// The folder to run it in; the session's working directory when left out.
    pub(crate) cwd: Option<String>,
    /// How long it may run, in milliseconds; 120,000 when left out.
    #[schemars(range(min = 1))]
    pub(crate) timeout_ms: Option<u64>,
    /// Whether it is to run on in the background.
    #[serde(default)]
    pub(crate) background: bool,
    /// Environment variables for this command.
    pub(crate) env: Option<BTreeMap<String, String>>,
    /// What the command is for, in a few words.
    pub(crate) description: Option<String>,
    /// Which kind of shell reads it.
    #[serde(skip)]
    pub(crate) shell: ShellKind,
}

/// Which kind of shell reads a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ShellKind {
    /// One that reads no profile.
    #[default]
    Plain,
    /// A login shell, which reads the person's profile.
    Login,
}

/// A checked call.
pub(crate) struct Ready {
    command: String,
    cwd: String,
    spec: Spec,
}

/// What the command did.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The command line.
    pub(crate) command: String,
    /// The folder it ran in, as a person writes it.
    pub(crate) cwd: String,
    /// What it printed, both streams in order of arrival.
    pub(crate) captured: Captured,
    /// How it ended.
    pub(crate) ended: Ended,
    /// How long it was allowed to run.
    pub(crate) deadline_ms: u64,
}

impl Tool for ShellRun {
    type Input = Input;
    type Ready = Ready;
    type Output = Output;

    const ABOUT: About<'static> = About {
        kind: Kind::Execute,
        hints: Hints::UNKNOWN,
        budget_chars: OUTPUT_CHARS,
        keep: Keep::Both,
        sets: &[Set::Coding],
        spellings: &[
            ("cmd", "command"),
            ("script", "command"),
            ("workdir", "cwd"),
            ("dir_path", "cwd"),
            ("directory", "cwd"),
            ("timeout", "timeout_ms"),
            ("run_in_background", "background"),
            ("is_background", "background"),
        ],
        ..About::new("shell.run", include_str!("card.md"))
    };

    fn faces() -> Faces<Self> {
        Faces::new()
            .and::<faces::Claude>()
            .and::<faces::Codex>()
            .and::<faces::Gemini>()
    }

    async fn plan(&self, input: Input, look: &Look) -> Result<Planned<Ready>, ToolError> {
        command::check(&input)?;
        let cwd = command::folder(input.cwd.as_deref(), look)?;
        if let Some(args) = instead::patch(&input, &cwd, &look.cwd)? {
            return Ok(Planned::Instead {
                id: "fs.apply_patch".to_owned(),
                args,
                why: "The command was a patch and nothing else, so it was made as a call of `fs.apply_patch`.".to_owned(),
            });
        }
        let everywhere = || vec![Claim::tree("/")];
        let plan = Plan {
            title: command::title(&input.command),
            effects: Effects {
                reads: everywhere(),
                writes: everywhere(),
                runs: Some(Command {
                    text: input.command.clone(),
                    cwd: cwd.clone(),
                }),
                reaches: Vec::new(),
                asks: false,
                extent: Extent::Stated,
            },
            preview: view::before(&input),
            wish_ms: input.timeout_ms,
        };
        let ready = Ready {
            cwd: look.show(&cwd),
            spec: command::spec(&input, cwd, &self.environment),
            command: input.command,
        };
        Ok(Planned::Ready(plan, ready))
    }

    async fn run(&self, ready: Ready, cx: &Cx) -> Result<Output, ToolError> {
        let mut capture = cx.captures.open(OUTPUT_CHARS);
        let ended = toolpost_host::run(&cx.permit, &ready.spec, &mut *capture, &cx.stop)
            .await
            .map_err(|err| {
                fault::told(&err, &cx.look.show(&err.path), "used to run the command")
                    .hint("Name a folder that is there as the working directory.")
            })?;
        Ok(Output {
            command: ready.command,
            cwd: ready.cwd,
            captured: capture.finish(),
            ended,
            deadline_ms: cx.deadline_ms,
        })
    }
}

impl Output {
    /// Its exit code; `None` when a signal ended it.
    pub(super) fn exit_code(&self) -> Option<i32> {
        match self.ended.end {
            End::Exited(code) if self.ended.stopped.is_none() => Some(code),
            _ => None,
        }
    }

    /// The signal that ended it.
    pub(super) fn signal(&self) -> Option<i32> {
        match self.ended.end {
            End::Signalled(signal) => Some(signal),
            End::Exited(_) => None,
        }
    }

    /// Whether it was stopped because its time was out.
    pub(super) fn timed_out(&self) -> bool {
        self.ended.stopped == Some(Why::Deadline)
    }

    /// Whether somebody stopped it.
    pub(super) fn cancelled(&self) -> bool {
        self.ended.stopped == Some(Why::Cancelled)
    }

    /// A line break where the output does not end in one.
    pub(super) fn line_break(&self) -> &'static str {
        let captured = &self.captured;
        let end = if captured.tail.is_empty() {
            &captured.head
        } else {
            &captured.tail
        };
        if end.is_empty() || end.ends_with('\n') {
            ""
        } else {
            "\n"
        }
    }

    /// The processes that it left running, as text.
    pub(super) fn left(&self) -> Option<String> {
        let pids: Vec<String> = self.ended.left.iter().map(u32::to_string).collect();
        (!pids.is_empty()).then(|| pids.join(", "))
    }
}

impl Present for Output {
    fn words(&self) -> Words {
        let mut told = Vec::new();
        if self.captured.is_empty() {
            told.push("[No output.]".to_owned());
        }
        if self.timed_out() {
            told.push(format!("[Timed out after {} ms.]", self.deadline_ms));
        } else if self.cancelled() {
            told.push("[Cancelled.]".to_owned());
        } else if let Some(signal) = self.signal() {
            told.push(format!("[Ended by signal {signal}.]"));
        } else if let Some(code) = self.exit_code().filter(|code| *code != 0) {
            told.push(format!("[Exit code {code}.]"));
        }
        if let Some(pids) = self.left() {
            told.push(format!("[Still running in the background: PID {pids}.]"));
        }
        let words = Words::default().and_captured(self.captured.clone());
        if told.is_empty() {
            return words;
        }
        words.and_own(format!("{}{}", self.line_break(), told.join("\n")))
    }

    fn state(&self) -> State {
        let mut state = State::new();
        let mut set = |key: &str, value: serde_json::Value| state.insert(key.to_owned(), value);
        if let Some(code) = self.exit_code() {
            set("exit_code", code.into());
        }
        if let Some(signal) = self.signal() {
            set("signal", signal.into());
        }
        set("duration_ms", self.ended.duration_ms.into());
        set("output", self.captured.text().into());
        set("timed_out", self.timed_out().into());
        set("running", false.into());
        let pids = self.ended.pids.iter().chain(&self.ended.left);
        set("pids", pids.copied().collect::<Vec<u32>>().into());
        set("cwd", self.cwd.clone().into());
        state
    }

    fn view(&self) -> View {
        view::after(self)
    }
}

/// Refuses to start what could not be told of later.
fn no_background() -> ToolError {
    ToolError::new(
        Code::Unsupported,
        "Commands cannot be started in the background yet.",
    )
    .hint("Run the command in the foreground with `timeout_ms` as long as it needs.")
}
