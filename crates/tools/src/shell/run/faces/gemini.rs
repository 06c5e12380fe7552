//! `run_shell_command`: labelled lines, marked as not to be trusted.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Captured, Face, FaceAbout, Failure, ToolError, Words};

use super::super::{Input, Output, ShellRun};
use crate::dialects::GEMINI;

/// The `run_shell_command` face.
pub(crate) struct Gemini;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// The command line.
    command: String,
    /// What the command does, in a sentence.
    description: Option<String>,
    /// The folder to run it in; the working directory when left out.
    dir_path: Option<String>,
    /// Whether it is to run on in the background.
    #[serde(default)]
    is_background: bool,
    /// How long a background call waits for first output, in milliseconds.
    #[serde(default = "moment")]
    #[expect(dead_code, reason = "only background commands wait")]
    delay_ms: u64,
}

fn moment() -> u64 {
    200
}

impl Face<ShellRun> for Gemini {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("cmd", "command"),
            ("cwd", "dir_path"),
            ("workdir", "dir_path"),
            ("directory", "dir_path"),
            ("background", "is_background"),
            ("run_in_background", "is_background"),
        ],
        card: Some(
            "Runs a command in bash and gives its output, and its exit code where that is not 0. Each call is a shell of \
             its own: set `dir_path` instead of writing `cd`. Standard input is empty. It ends after two minutes; of long \
             output head and tail are given.",
        ),
        ..FaceAbout::new(GEMINI, "run_shell_command")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input {
            command: args.command,
            cwd: args.dir_path,
            background: args.is_background,
            description: args.description,
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let mut words = Words::own("<untrusted_context>\nOutput: ");
        words = if output.captured.is_empty() {
            words.and_own("(empty)")
        } else {
            words.and_captured(framed(&output.captured))
        };
        let mut tail = vec![];
        if output.timed_out() {
            tail.push(format!(
                "Error: Command timed out after {} ms.",
                output.deadline_ms
            ));
        } else if output.cancelled() {
            tail.push("Error: Command was cancelled.".to_owned());
        }
        if let Some(code) = output.exit_code().filter(|code| *code != 0) {
            tail.push(format!("Exit Code: {code}"));
        }
        if let Some(signal) = output.signal() {
            tail.push(format!("Signal: {signal}"));
        }
        if let Some(pids) = output.left() {
            tail.push(format!("Background PIDs: {pids}"));
        }
        if let Some(group) = output.ended.pids.first() {
            tail.push(format!("Process Group PGID: {group}"));
        }
        tail.push("</untrusted_context>".to_owned());
        let line_break = if output.captured.is_empty() {
            "\n"
        } else {
            output.line_break()
        };
        words.and_own(format!("{line_break}{}", tail.join("\n")))
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<ShellRun, Self>(failure)
    }
}

/// The output with what would close its frame taken apart, so that no command's output ends it early.
fn framed(captured: &Captured) -> Captured {
    let harmless = |text: &str| text.replace("</untrusted_context", "< /untrusted_context");
    Captured {
        head: harmless(&captured.head),
        tail: harmless(&captured.tail),
        ..captured.clone()
    }
}
