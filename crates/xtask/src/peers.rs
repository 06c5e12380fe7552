//! Other people's software beside toolpost, each group in a folder of its own under the build folder.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::binary;
use crate::metadata::Metadata;
use crate::repo::Repo;
use crate::step::{Line, step};

/// A group of peers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    /// The providers' own Python packages: their request types, and what they make of a reply.
    Sdks,
}

/// What is pinned, and the program that runs it.
const PINNED: &str = "crates/xtask/peers/sdks.txt";
const PROGRAM: &str = "crates/xtask/peers/sdk_types.py";

/// Installs a group where it is missing and runs it. A peer that should be there and is not, is a failure.
pub(crate) fn run(repo: &Repo, group: Group) -> Result<()> {
    match group {
        Group::Sdks => sdks(repo),
    }
}

fn sdks(repo: &Repo) -> Result<()> {
    let folder = Metadata::load(repo)?.target.join("peers/sdks");
    let python = installed(repo, &folder)?;
    let python = || {
        Line::new([python.display().to_string()])
            .and("-B")
            .and(PROGRAM)
    };
    let selftest = python().and("--selftest");
    step("sdks: the checker itself", &selftest.typed(), || {
        selftest.run(&repo.root)
    })?;
    let program = binary::build(repo)?;
    let mut line = python()
        .and("--bin")
        .and(program.display().to_string())
        .and("--out")
        .and(folder.join("requests").display().to_string());
    match repo.shared("TOOLPOST_PEERS", "shared/peers", "scripted_model.py")? {
        Some(kit) => line = line.and("--peers").and(kit.display().to_string()),
        None => println!(
            "sdks: the scripted model is not there, requests are not checked by it (set TOOLPOST_PEERS)"
        ),
    }
    step("sdks", &line.typed(), || line.run(&repo.root))?;
    Ok(())
}

/// The Python of a folder where the pinned packages are installed; installs them when they are not the pinned ones.
fn installed(repo: &Repo, folder: &Path) -> Result<PathBuf> {
    let python = folder.join("bin/python");
    let wanted = std::fs::read_to_string(repo.join(PINNED))
        .with_context(|| format!("{PINNED} cannot be read"))?;
    let stamp = folder.join("installed.txt");
    if python.is_file() && std::fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(python);
    }
    let place = folder.display().to_string();
    let venv = Line::of("python3 -m venv --clear").and(&place);
    step("sdks: a folder for Python", &venv.typed(), || {
        venv.run(&repo.root)
    })?;
    let pip = Line::new([python.display().to_string()])
        .and("-m")
        .and("pip")
        .and("install")
        .and("--quiet")
        .and("--disable-pip-version-check")
        .and("--requirement")
        .and(PINNED);
    step("sdks: installing", &pip.typed(), || pip.run(&repo.root))?;
    std::fs::write(&stamp, wanted)?;
    Ok(python)
}
