//! The command line's grammar.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use toolpost::Mode;

/// The tool runtime of AI agents: a model's tool calls in, bounded and well-formed results out.
#[derive(Debug, Parser)]
#[command(
    name = "toolpost",
    version,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes, before or after its name.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Work in this folder [default: the current one].
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        help_heading = "Common options"
    )]
    pub(crate) cwd: Option<PathBuf>,
    /// Keep state between runs under this name: working directory, what was seen, toolset.
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        help_heading = "Common options"
    )]
    pub(crate) session: Option<String>,
    /// What passes without a question.
    #[arg(long, global = true, value_name = "MODE", default_value = "manual", value_parser = mode, help_heading = "Common options")]
    pub(crate) mode: Mode,
    /// How commands are confined. This version has no sandbox: only `off` is there.
    #[arg(
        long,
        global = true,
        value_name = "LEVEL",
        help_heading = "Common options"
    )]
    pub(crate) sandbox: Option<Sandbox>,
    /// Trust this folder's own rules, hooks and servers for this run.
    #[arg(long, global = true, help_heading = "Common options")]
    pub(crate) trust: bool,
    /// Print JSON for programs.
    #[arg(long, global = true, help_heading = "Common options")]
    pub(crate) json: bool,
    /// Read this configuration file in place of the user's own.
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        help_heading = "Common options"
    )]
    pub(crate) config: Option<PathBuf>,
    /// Set one configuration key.
    #[arg(
        short = 'c',
        global = true,
        value_name = "KEY=VALUE",
        help_heading = "Common options"
    )]
    pub(crate) settings: Vec<String>,
}

/// How commands are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sandbox {
    /// Not at all.
    Off,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the list of tools to send to a model.
    #[command(after_help = "Example: toolpost tools --model claude-sonnet-4-5 --wire anthropic")]
    Tools(ToolsArgs),
    /// Run the tool calls in a model's reply and print what to append to the conversation.
    #[command(after_help = "Example: toolpost run reply.json --model gpt-5 --mode auto")]
    Run(RunArgs),
    /// Make one call.
    #[command(after_help = "Example: toolpost call fs.read '{\"path\": \"Cargo.toml\"}'")]
    Call(CallArgs),
    /// Print the journal: which calls were made, decided how, and how they ended.
    #[command(after_help = "Example: toolpost log --limit 20")]
    Log(LogArgs),
    /// Put back what calls changed in files.
    #[command(after_help = "Example: toolpost undo --last 2 --preview")]
    Undo(UndoArgs),
    /// Run one stage alone, JSON on standard input, JSON out.
    #[command(
        after_help = "Example: echo '{\"raw\": \"{}\", \"schema\": {\"type\": \"object\"}}' | toolpost try decode"
    )]
    Try(TryArgs),
    /// Watch recorded models of each family fix a small project; every call runs for real.
    #[command(after_help = "Example: toolpost demo claude --fast")]
    Demo(crate::commands::demo::DemoArgs),
    /// Check that everything toolpost needs on this machine is there.
    #[command(after_help = "Example: toolpost doctor --json")]
    Doctor,
    /// Print a completion script for a shell.
    #[command(
        after_help = "Example: toolpost completions bash > ~/.local/share/bash-completion/completions/toolpost"
    )]
    Completions(CompletionsArgs),
}

/// Which tools, in which words.
#[derive(Debug, Args)]
pub(crate) struct Offering {
    /// The model, which picks the dialect and the wire.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The dialect, whatever the model is.
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<String>,
    /// The provider's format.
    #[arg(long, value_name = "WIRE")]
    pub(crate) wire: Option<String>,
    /// A set of tools: coding, read-only, chat, all, none.
    #[arg(long, value_name = "SET", conflicts_with = "tools")]
    pub(crate) set: Option<String>,
    /// These tools, by id or by the dialect's names.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) tools: Option<Vec<String>>,
    /// Never these tools.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) deny: Vec<String>,
}

/// `toolpost tools`.
#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    #[command(flatten)]
    pub(crate) offering: Offering,
    /// Print what belongs into the system prompt instead.
    #[arg(long)]
    pub(crate) prompt: bool,
}

/// `toolpost run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The reply; `-` or nothing is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) offering: Offering,
    /// Answer to the toolset whose list went out under this id.
    #[arg(long, value_name = "ID", conflicts_with_all = ["model", "dialect", "set", "tools", "deny"])]
    pub(crate) toolset: Option<String>,
    /// Names that the caller runs itself: they are named on standard error and not answered.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) leave: Vec<String>,
    /// One document a line in, one out, until the input ends.
    #[arg(long)]
    pub(crate) follow: bool,
}

/// `toolpost call`.
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The tool: a canonical id, or with --dialect one of the dialect's names.
    #[arg(value_name = "TOOL")]
    pub(crate) tool: String,
    /// Its arguments as JSON; `-` reads them from standard input.
    #[arg(value_name = "JSON")]
    pub(crate) arguments: Option<String>,
    /// The dialect of the name and the arguments.
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<String>,
}

/// `toolpost log`.
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// The newest so many steps.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) limit: usize,
    /// Only this call.
    #[arg(long, value_name = "ID")]
    pub(crate) call: Option<String>,
}

/// `toolpost undo`.
#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// The call, or the number of a change; an undoing has a number too, and can be undone.
    #[arg(value_name = "CALL|CHANGE", conflicts_with = "last")]
    pub(crate) id: Option<String>,
    /// The latest so many changes, the newest first [default: 1].
    #[arg(long, value_name = "N")]
    pub(crate) last: Option<usize>,
    /// Only show what would be done.
    #[arg(long)]
    pub(crate) preview: bool,
}

/// `toolpost try`.
#[derive(Debug, Args)]
pub(crate) struct TryArgs {
    /// The stage.
    #[arg(value_name = "STAGE")]
    pub(crate) stage: Stage,
}

/// A stage that can be run alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// Argument text and a schema → arguments.
    Decode,
    /// An MCP server's tools → tools as models see them.
    Import,
    /// Tools → a provider's list.
    Lower,
}

/// `toolpost completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

fn mode(name: &str) -> Result<Mode, String> {
    let names = || {
        Mode::ALL
            .iter()
            .map(|mode| mode.name())
            .collect::<Vec<_>>()
            .join(", ")
    };
    Mode::named(name).ok_or_else(|| format!("the modes are {}", names()))
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory as _;

    #[test]
    fn the_grammar_is_sound() {
        Arguments::command().debug_assert();
    }
}
