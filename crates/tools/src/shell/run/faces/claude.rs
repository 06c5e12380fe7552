//! `Bash`: a command that fails is shown as an error.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, Number, Tone, ToolError, Words};

use super::super::{Input, Output, ShellRun};
use crate::dialects::CLAUDE;
use crate::faces::count;

/// The `Bash` face.
pub(crate) struct Claude;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The command line.
    command: String,
    /// How long it may run, in milliseconds; 120,000 when left out, 600,000 at the most.
    timeout: Option<Number>,
    /// What the command does, in a few words.
    #[schemars(required)]
    description: Option<String>,
    /// Whether it is to run on in the background.
    run_in_background: Option<bool>,
}

/// The longest time that the family asks for, in milliseconds.
const CAP_MS: u64 = 600_000;

impl Face<ShellRun> for Claude {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("cmd", "command"),
            ("timeout_ms", "timeout"),
            ("background", "run_in_background"),
            ("is_background", "run_in_background"),
        ],
        courtesy: &["description"],
        card: Some(
            "Runs a command in bash and gives what it printed, both streams in order. Each call is a shell of its own: \
             `cd` and variables do not last. Standard input is empty. It ends after `timeout` milliseconds (120,000 unless \
             set, 600,000 at the most); of long output head and tail are given. To look for files or text, to read and to \
             edit, use the tools for that.",
        ),
        ..FaceAbout::new(CLAUDE, "Bash")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            command: args.command,
            timeout_ms: count("timeout", args.timeout)?.map(|ms| ms.min(CAP_MS)),
            background: args.run_in_background.unwrap_or_default(),
            description: args.description,
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let head = if output.timed_out() {
            Some(format!(
                "Command timed out after {}ms\n",
                output.deadline_ms
            ))
        } else if output.cancelled() {
            Some("Interrupted by user\n".to_owned())
        } else if let Some(signal) = output.signal() {
            Some(format!("Exit code: {}\n", 128 + signal))
        } else {
            let code = output.exit_code().filter(|code| *code != 0);
            code.map(|code| format!("Exit code: {code}\n"))
        };
        let mut words = Words::default();
        if let Some(head) = head {
            words = words.and_own(head).tone(Tone::Error);
        }
        words = if output.captured.is_empty() && words.segments.is_empty() {
            words.and_own("(Command completed with no output)")
        } else {
            words.and_captured(output.captured.clone())
        };
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
