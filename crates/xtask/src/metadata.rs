//! What cargo says of the workspace and everything it depends on.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::repo::Repo;
use crate::step::Line;

/// What cargo says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Metadata {
    /// Every package, ours and others'.
    pub(crate) packages: Vec<Package>,
    /// Where cargo builds.
    pub(crate) target: PathBuf,
}

/// A package.
#[derive(Debug, Clone, Default)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// Its licence, as its author wrote it.
    pub(crate) licence: Option<String>,
    /// Whose it is.
    pub(crate) origin: Origin,
    /// What it depends on.
    pub(crate) dependencies: Vec<Dependency>,
}

/// Whose a package is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Origin {
    /// A member of the workspace.
    #[default]
    Ours,
    /// Somebody else's.
    Foreign,
}

/// A dependency as a manifest states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    /// The package's name.
    pub(crate) name: String,
    /// What for.
    pub(crate) purpose: Purpose,
}

/// What a dependency is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The crate itself, or its build script.
    Crate,
    /// Its tests, which are no arrow.
    Tests,
}

impl Metadata {
    /// Asks cargo.
    pub(crate) fn load(repo: &Repo) -> Result<Self> {
        let text = Line::of("cargo metadata --format-version 1 --quiet").output(&repo.root)?;
        Self::read(&serde_json::from_str(&text)?)
    }

    fn read(document: &Value) -> Result<Self> {
        let packages = document["packages"]
            .as_array()
            .context("cargo metadata names no packages")?;
        let target = document["target_directory"]
            .as_str()
            .context("cargo metadata names no target directory")?;
        Ok(Self {
            packages: packages.iter().map(package).collect(),
            target: PathBuf::from(target),
        })
    }

    /// The workspace's own packages.
    pub(crate) fn ours(&self) -> impl Iterator<Item = &Package> {
        self.packages
            .iter()
            .filter(|package| package.origin == Origin::Ours)
    }
}

fn package(value: &Value) -> Package {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let dependencies = value["dependencies"].as_array();
    Package {
        name: text("name"),
        version: text("version"),
        licence: value["license"].as_str().map(str::to_owned),
        origin: if value["source"].is_null() {
            Origin::Ours
        } else {
            Origin::Foreign
        },
        dependencies: dependencies.into_iter().flatten().map(dependency).collect(),
    }
}

fn dependency(value: &Value) -> Dependency {
    Dependency {
        name: value["name"].as_str().unwrap_or_default().to_owned(),
        purpose: if value["kind"] == "dev" {
            Purpose::Tests
        } else {
            Purpose::Crate
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Metadata, Origin, Purpose};
    use serde_json::json;

    #[test]
    fn packages_are_read() {
        let document = json!({
            "target_directory": "target",
            "packages": [
                {"name": "a", "version": "1.0.0", "license": "MIT", "source": null, "dependencies": [
                    {"name": "b", "kind": null}, {"name": "c", "kind": "dev"}, {"name": "d", "kind": "build"},
                ]},
                {"name": "b", "version": "2.0.0", "license": null, "source": "registry", "dependencies": []},
            ],
        });
        let read = Metadata::read(&document).unwrap();
        let ours: Vec<_> = read.ours().map(|package| package.name.as_str()).collect();
        assert_eq!(ours, ["a"]);
        assert_eq!(read.packages[1].origin, Origin::Foreign);
        assert_eq!(read.packages[1].licence, None);
        let purposes: Vec<_> = read.packages[0]
            .dependencies
            .iter()
            .map(|dependency| dependency.purpose)
            .collect();
        assert_eq!(purposes, [Purpose::Crate, Purpose::Tests, Purpose::Crate]);
        assert!(Metadata::read(&json!({})).is_err());
    }
}
