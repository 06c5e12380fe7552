//! `toolpost completions`: a completion script for a shell.

use clap::CommandFactory as _;

use crate::args::{Arguments, CompletionsArgs};
use crate::exit::Exit;
use crate::print::line;

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut Arguments::command(),
        "toolpost",
        &mut script,
    );
    line(&String::from_utf8(script)?)?;
    Ok(Exit::Done)
}
