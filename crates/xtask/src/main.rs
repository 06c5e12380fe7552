//! The house's own work: its checks, its generated pages, and other people's software beside toolpost.
//!
//! **Invariant:** a check is one function over text or plain data, and its tests show it failing on a bad sample.
//! **Invariant:** whatever stops says with which command it is repeated.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program for developers: it reads the checkout, starts programs and prints"
)]

mod binary;
mod cases;
mod ci;
mod format;
mod metadata;
mod pages;
mod peers;
mod repo;
mod step;
mod tidy;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::repo::Repo;

/// The house's own work.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Everything that must hold: format, clippy, tests, documentation, tidy, licences.
    Ci,
    /// Formats every Rust file.
    Fmt {
        /// Change nothing; a difference is a failure.
        #[arg(long)]
        check: bool,
    },
    /// The checks of the house itself.
    Tidy {
        /// Only these checks; all when none is named.
        checks: Vec<String>,
    },
    /// Writes the generated pages.
    Docs,
    /// Runs toolpost beside other people's software.
    Peers {
        /// Which software.
        group: peers::Group,
    },
    /// Runs the case book where it is there.
    Cases {
        /// Its areas; those of cases-areas.txt when none is named.
        areas: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(&Args::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            println!("xtask: {err:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &Task) -> Result<()> {
    let repo = Repo::find()?;
    match task {
        Task::Ci => ci::run(&repo),
        Task::Fmt { check: true } => format::run(&repo, format::Touch::Check),
        Task::Fmt { check: false } => format::run(&repo, format::Touch::Write),
        Task::Tidy { checks } => tidy::run(&repo, checks),
        Task::Docs => pages::write_all(&repo),
        Task::Peers { group } => peers::run(&repo, *group),
        Task::Cases { areas } => cases::run(&repo, areas),
    }
}
