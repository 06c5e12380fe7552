//! The door for everybody else: the program's own coprocess, a line in and a line out.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolpost::Dialect;
use toolpost::core::{Code, Shape};

use crate::disk::{self, Place};
use crate::door::{Door, DoorError, Replied, Visit, environment};
use crate::story::{Args, Call, Ending, Policy};
use crate::words::named;

/// How long a line may take before the program is given up, in seconds: far longer than any story.
const PATIENCE_S: u64 = 120;

/// The program, driven by lines.
#[derive(Debug, Clone)]
pub struct Binary {
    program: PathBuf,
}

impl Binary {
    /// The program at this path.
    #[must_use]
    pub fn new(program: &Path) -> Self {
        let program = program.to_owned();
        Self { program }
    }
}

/// A session that outlives the processes that serve it: a process speaks one dialect.
struct Served<'a> {
    program: &'a Path,
    place: &'a Place,
    policy: &'a Policy,
    running: Option<Coprocess>,
}

struct Coprocess {
    dialect: Dialect,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Door for Binary {
    fn name(&self) -> &'static str {
        "through the binary"
    }

    fn start<'a>(
        &'a self,
        place: &'a Place,
        policy: &'a Policy,
    ) -> Result<Box<dyn Visit + 'a>, DoorError> {
        Ok(Box::new(Served {
            program: &self.program,
            place,
            policy,
            running: None,
        }))
    }
}

impl Visit for Served<'_> {
    fn batch(&mut self, dialect: Dialect, calls: &[Call]) -> Result<Vec<Replied>, DoorError> {
        let other = |running: &mut Coprocess| running.dialect != dialect;
        if let Some(running) = self.running.take_if(other) {
            self.end(running)?;
        }
        let running = match &mut self.running {
            Some(running) => running,
            none => {
                let command = command(self.program, self.place, self.policy, dialect);
                none.insert(launch(command, self.place, dialect)?)
            }
        };
        let asked = running.ask(&batch_line(dialect, calls));
        let replies = asked.and_then(|()| calls.iter().map(|call| running.reply(call)).collect());
        replies.map_err(|err| self.with_complaints(err))
    }

    fn leave(mut self: Box<Self>) -> Result<(), DoorError> {
        match self.running.take() {
            Some(running) => self.end(running),
            None => Ok(()),
        }
    }
}

impl Served<'_> {
    fn end(&self, running: Coprocess) -> Result<(), DoorError> {
        running.end().map_err(|err| self.with_complaints(err))
    }

    fn with_complaints(&self, DoorError(fact): DoorError) -> DoorError {
        let complaints = disk::text_or_nothing(&self.place.complaints());
        DoorError(format!("{fact}\n{complaints}").trim_end().to_owned())
    }
}

/// The command line that serves a session in one dialect.
#[expect(
    clippy::disallowed_methods,
    reason = "the program is started as any other program would start it"
)]
fn command(program: &Path, place: &Place, policy: &Policy, dialect: Dialect) -> Command {
    let mut command = Command::new(program);
    command
        .args(["run", "--wire", "plain", "--session", "story"])
        .args(["--dialect", dialect.0, "--mode", policy.mode.name()])
        .arg("--cwd")
        .arg(place.workspace());
    for setting in &policy.settings {
        command.args(["-c", setting]);
    }
    command
        .current_dir(place.home())
        .env_clear()
        .envs(environment(place))
        .env("TOOLPOST_HOME", place.state());
    command
}

fn launch(mut command: Command, place: &Place, dialect: Dialect) -> Result<Coprocess, DoorError> {
    let failed = |err| DoorError::because("The program cannot be started", err);
    let complaints = disk::create(&place.complaints()).map_err(failed)?;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(complaints)
        .spawn()
        .map_err(failed)?;
    let input = child.stdin.take();
    let lines = child.stdout.take().map(lines);
    let lines = lines.ok_or_else(|| DoorError("The program has no output.".to_owned()))?;
    Ok(Coprocess {
        dialect,
        child,
        input,
        lines,
    })
}

/// Reads lines on a thread of its own, so that waiting for one can end.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        let read = BufReader::new(output).lines().map_while(Result::ok);
        // Whoever no longer listens has had enough.
        read.map_while(|line| send.send(line).ok()).for_each(drop);
    });
    lines
}

impl Coprocess {
    fn ask(&mut self, line: &Value) -> Result<(), DoorError> {
        let input = self.input.as_mut();
        let input = input.ok_or_else(|| DoorError("The program has no input.".to_owned()))?;
        writeln!(input, "{line}")
            .and_then(|()| input.flush())
            .map_err(|err| DoorError::because("The program takes no line", err))
    }

    fn reply(&mut self, call: &Call) -> Result<Replied, DoorError> {
        let line = self.next_line()?;
        let line =
            line.ok_or_else(|| DoorError("The program ended before it answered.".to_owned()))?;
        let read = serde_json::from_str::<Line>(&line).ok();
        let read = read.filter(|line| line.id == id(call));
        let replied = read.and_then(Line::replied);
        replied.ok_or_else(|| {
            DoorError(format!(
                "This is no reply to the call `{}`: {line}",
                id(call)
            ))
        })
    }

    /// The next line; `None` at the end.
    fn next_line(&mut self) -> Result<Option<String>, DoorError> {
        match self.lines.recv_timeout(Duration::from_secs(PATIENCE_S)) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(DoorError(format!(
                "The program said nothing for {PATIENCE_S} seconds."
            ))),
        }
    }

    /// Closes the input and waits for the end.
    fn end(mut self) -> Result<(), DoorError> {
        drop(self.input.take());
        if let Some(line) = self.next_line()? {
            return Err(DoorError(format!(
                "The program said more than it was asked: {line}"
            )));
        }
        let ended = self.child.wait();
        let ended =
            ended.map_err(|err| DoorError::because("The program cannot be waited for", err))?;
        if ended.success() {
            return Ok(());
        }
        Err(DoorError(format!("The program ended with {ended}.")))
    }
}

impl Drop for Coprocess {
    fn drop(&mut self) {
        // Nothing happens to a program that has ended and been waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A reply as the program writes it.
#[derive(Deserialize)]
struct Line {
    id: String,
    status: String,
    text: String,
    #[serde(default)]
    state: Map<String, Value>,
    error: Option<LineError>,
}

#[derive(Deserialize)]
struct LineError {
    code: String,
}

impl Line {
    fn replied(self) -> Option<Replied> {
        let code: Option<Code> = match &self.error {
            Some(error) => Some(named(&error.code)?),
            None => None,
        };
        Some(Replied {
            ending: Ending::new(named(&self.status)?, code),
            text: self.text,
            state: self.state,
            view: None,
        })
    }
}

fn id(call: &Call) -> String {
    call.line.to_string()
}

/// The line that asks for calls: one call, or an array of them.
fn batch_line(dialect: Dialect, calls: &[Call]) -> Value {
    let line =
        |call: &Call| json!({ "id": id(call), "tool": call.name, "args": args(dialect, call) });
    match calls {
        [only] => line(only),
        _ => calls.iter().map(line).collect(),
    }
}

/// Arguments as a line holds them. The line has no free form: its text goes into the parameter that is there for it.
fn args(dialect: Dialect, call: &Call) -> Value {
    match &call.args {
        Args::Json(map) => map.clone().into(),
        Args::Raw(text) => text.clone().into(),
        Args::Free(text) => json!({ free_field(dialect, &call.name): text }),
    }
}

fn free_field(dialect: Dialect, name: &str) -> &'static str {
    let tools = toolpost::tools::catalogue(Vec::new());
    let mut offers = tools.iter().flat_map(|tool| tool.offers());
    let offer = offers.find(|offer| offer.dialect == dialect && offer.answers_to(name));
    match offer.map(|offer| offer.shape()) {
        Some(Shape::Free { field, .. }) => field,
        _ => "input",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolpost::Dialect;

    use super::{Command, Line, Served, batch_line, launch};
    use crate::disk::Place;
    use crate::door::Visit as _;
    use crate::story::{Args, Call, Policy};

    fn call(args: Args, line: usize) -> Call {
        let name = "a".to_owned();
        Call { name, args, line }
    }

    #[test]
    fn a_batch_is_one_line() {
        let object = Args::Json(json!({"b": 1}).as_object().unwrap().clone());
        let (first, second) = (call(object, 3), call(Args::Raw("{".to_owned()), 7));
        let third = call(Args::Free("text".to_owned()), 9);
        let check = |calls: &[Call], expected: serde_json::Value| {
            assert_eq!(batch_line(Dialect::PLAIN, calls), expected);
        };
        let one = json!({"id": "3", "tool": "a", "args": {"b": 1}});
        check(std::slice::from_ref(&first), one.clone());
        check(
            &[first, second],
            json!([one, {"id": "7", "tool": "a", "args": "{"}]),
        );
        check(
            &[third],
            json!({"id": "9", "tool": "a", "args": {"input": "text"}}),
        );
    }

    #[test]
    fn a_line_is_a_reply_only_with_known_words() {
        let check = |line: serde_json::Value, expected: Option<&str>| {
            let line: Line = serde_json::from_value(line).unwrap();
            let ending = line.replied().map(|replied| replied.ending.to_string());
            assert_eq!(ending.as_deref(), expected);
        };
        check(json!({"id": "1", "status": "ok", "text": ""}), Some("ok"));
        check(json!({"id": "1", "status": "fine", "text": ""}), None);
        let error =
            |code: &str| json!({"id": "1", "status": "error", "text": "", "error": {"code": code}});
        check(error("no_match"), Some("error no_match"));
        check(error("nothing"), None);
    }

    /// Makes one call, with the id 3, to a shell script instead of the program; tells how it ended, or what went wrong.
    #[expect(
        clippy::disallowed_methods,
        reason = "a script stands in for the program"
    )]
    fn served(script: &str) -> String {
        let (place, policy) = (Place::new().unwrap(), Policy::default());
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(script);
        let running = launch(command, &place, Dialect::PLAIN).unwrap();
        let mut served = Box::new(Served {
            program: std::path::Path::new("unused"),
            place: &place,
            policy: &policy,
            running: Some(running),
        });
        let call = call(Args::Raw("x".to_owned()), 3);
        let replies = served.batch(Dialect::PLAIN, &[call]);
        let text = |replies: Vec<super::Replied>| replies[0].text.clone();
        match replies.and_then(|replies| served.leave().map(|()| text(replies))) {
            Ok(text) => text,
            Err(err) => format!("! {err}"),
        }
    }

    #[test]
    fn a_program_that_fails_is_told() {
        const REPLY: &str = r#"{"id":"3","status":"ok","text":"done"}"#;
        let check = |script: &str, expected: &str| {
            let served = served(&format!("read -r line; {script}"));
            assert_eq!(served, expected, "{script}");
        };
        check(&format!("echo '{REPLY}'"), "done");
        check(
            &format!(
                "test \"$line\" = '{}' && echo '{REPLY}'",
                r#"{"id":"3","tool":"a","args":"x"}"#
            ),
            "done",
        );
        check(
            "echo why >&2",
            "! The program ended before it answered.\nwhy",
        );
        check("echo no", "! This is no reply to the call `3`: no");
        check(
            "echo '{\"id\":\"4\",\"status\":\"ok\",\"text\":\"\"}'",
            "! This is no reply to the call `3`: {\"id\":\"4\",\"status\":\"ok\",\"text\":\"\"}",
        );
        check(
            &format!("echo '{REPLY}'; echo more"),
            "! The program said more than it was asked: more",
        );
        check(
            &format!("echo '{REPLY}'; exit 3"),
            "! The program ended with exit status: 3.",
        );
    }
}
