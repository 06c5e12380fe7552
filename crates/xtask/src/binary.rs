//! The `toolpost` program that this checkout builds.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::metadata::Metadata;
use crate::repo::Repo;
use crate::step::Line;

/// Builds the program as developers run it and says where it lies.
pub(crate) fn build(repo: &Repo) -> Result<PathBuf> {
    Line::of("cargo build --package toolpost-cli --bin toolpost").run(&repo.root)?;
    let path = Metadata::load(repo)?.target.join("debug/toolpost");
    if !path.is_file() {
        bail!("cargo has built no `{}`", path.display());
    }
    Ok(path)
}
