//! `shell_command`: a header of exit code and wall time before the output.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpost_core::{Face, FaceAbout, Failure, Number, ToolError, Words};

use super::super::{Input, Output, ShellKind, ShellRun};
use crate::dialects::CODEX;
use crate::faces::at_least_one;

/// What the family reports as the exit code of a command whose time was out.
const TIMED_OUT_CODE: i32 = 124;

/// The `shell_command` face.
pub(crate) struct Codex;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The command line.
    command: String,
    /// The folder to run it in; the working directory when left out.
    workdir: Option<String>,
    /// How long it may run, in milliseconds.
    #[serde(default = "ten_seconds")]
    timeout_ms: Number,
    /// Whether a login shell runs it; not unless asked for.
    login: Option<bool>,
    /// How the command wishes to run. What it may do is decided by the policy, whatever is asked for here.
    #[serde(default)]
    #[expect(dead_code, reason = "a wish that widens nothing")]
    sandbox_permissions: Permissions,
    /// Why the command needs to run outside the sandbox, as a question to the person.
    justification: Option<String>,
    /// The beginning of commands that a person might allow from now on.
    #[expect(dead_code, reason = "a wish that widens nothing")]
    prefix_rule: Option<Vec<String>>,
}

/// How a command wishes to run.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Permissions {
    #[default]
    UseDefault,
    RequireEscalated,
}

fn ten_seconds() -> Number {
    Number(10_000)
}

impl Face<ShellRun> for Codex {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("cmd", "command"),
            ("cwd", "workdir"),
            ("dir_path", "workdir"),
            ("timeout", "timeout_ms"),
        ],
        card: Some(
            "Runs a command in bash and gives its exit code, how long it took, and what it printed. Each call is a shell \
             of its own: set `workdir` instead of writing `cd`. Standard input is empty. It ends after `timeout_ms` \
             (10,000 unless set): give builds and tests more. To change files, use `apply_patch`.",
        ),
        ..FaceAbout::new(CODEX, "shell_command")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            command: args.command,
            cwd: args.workdir,
            timeout_ms: at_least_one("timeout_ms", Some(args.timeout_ms))?,
            description: args.justification,
            shell: if args.login == Some(true) {
                ShellKind::Login
            } else {
                ShellKind::Plain
            },
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let code = match (output.exit_code(), output.signal()) {
            _ if output.timed_out() => TIMED_OUT_CODE,
            (Some(code), _) => code,
            (None, Some(signal)) => 128 + signal,
            (None, None) => 130,
        };
        let mut head = format!(
            "Exit code: {code}\nWall time: {}.{} seconds\n",
            output.ended.duration_ms / 1000,
            output.ended.duration_ms % 1000 / 100
        );
        if output.captured.omitted_chars > 0 {
            head += &format!("Total output lines: {}\n", output.captured.total_lines);
        }
        head += "Output:\n";
        if output.timed_out() {
            head += &format!(
                "command timed out after {} milliseconds\n",
                output.deadline_ms
            );
        } else if output.cancelled() {
            head += "command was cancelled\n";
        }
        let words = Words::own(head).and_captured(output.captured.clone());
        match output.left() {
            Some(pids) => words.and_own(format!(
                "{}[Still running in the background: PID {pids}]",
                output.line_break()
            )),
            None => words,
        }
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<ShellRun, Self>(failure)
    }
}
