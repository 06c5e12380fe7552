//! The command line of toolpost: the only place that prints.
//!
//! **Invariant:** standard output carries results only; everything else goes to standard error.

mod args;
mod commands;
mod coprocess;
mod exit;
mod place;
mod print;
mod signals;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Arguments, Command};
use crate::exit::Exit;

fn main() -> ExitCode {
    quiet_panics();
    // Whatever a command leaves behind ends with this process.
    let _orphans = toolpost::host::Orphans::here().watch();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(err) => {
            let asked = !err.use_stderr();
            let _ = err.print();
            return if asked { Exit::Done } else { Exit::Usage }.into();
        }
    };
    let Arguments { common, command } = arguments;
    let ended = match command {
        Command::Tools(args) => commands::tools::run(&common, &args),
        Command::Run(args) => commands::run::run(&common, &args),
        Command::Call(args) => commands::call::run(&common, &args),
        Command::Log(args) => commands::log::run(&common, &args),
        Command::Undo(args) => commands::undo::run(&common, &args),
        Command::Try(args) => commands::try_stage::run(&args),
        Command::Demo(args) => commands::demo::run(&args),
        Command::Doctor => commands::doctor::run(&common),
        Command::Completions(args) => commands::completions::run(&args),
    };
    ended.unwrap_or_else(|err| exit::report(&err)).into()
}

/// A panic says where it was and nothing else: its message may hold what a model wrote.
fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        print::note(&format!("a bug in toolpost or in a tool, at {place}"));
    }));
}
