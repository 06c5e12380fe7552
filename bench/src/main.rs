//! Measures toolpost beside what the machine can do at best, in one run: `cargo run --release -p toolpost-bench -- files`.
//!
//! Every workload is timed in turn with its physical limit, so that both meet the same machine, and is told as a
//! ratio of medians. A module holds the workloads of one area; a new area is a module and a line in [`area`].
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a program that measures the machine speaks to it directly, and prints what it found"
)]

mod files;
mod measure;
mod report;

use std::error::Error;
use std::process::ExitCode;

use measure::Measured;

/// What can go wrong while measuring; it is printed and ends the program.
type Fallible<T> = Result<T, Box<dyn Error>>;

const USAGE: &str = "usage: toolpost-bench files [--json] [--dir FOLDER]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("{err}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: impl Iterator<Item = String>) -> Fallible<()> {
    let mut args = args;
    let (mut name, mut json, mut folder) = (None, false, std::env::temp_dir());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--json" => json = true,
            "--dir" => folder = args.next().ok_or(USAGE)?.into(),
            _ if name.is_none() => name = Some(arg),
            _ => return Err(USAGE.into()),
        }
    }
    let place = tempfile::tempdir_in(folder)?;
    let measured = area(&name.ok_or(USAGE)?, place.path())?;
    if json {
        println!("{:#}", report::json(&measured));
    } else {
        print!("{}", report::table(&measured));
    }
    Ok(())
}

/// Measures the workloads of an area.
fn area(name: &str, place: &std::path::Path) -> Fallible<Vec<Measured>> {
    match name {
        "files" => files::all(place),
        _ => Err(USAGE.into()),
    }
}
