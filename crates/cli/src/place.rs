//! From flags and the environment to a runtime, a session, a toolset and a wire.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use toolpost::host::{Dirs, Recovered, Rolled, current_dir, environment};
use toolpost::{Config, Dialect, Selection, Session, SessionSpec, Toolpost, Toolset, Wanted, Wire};

use crate::args::{Common, Offering};
use crate::exit::Unusable;
use crate::print::note;

/// What a command works with.
pub(crate) struct Place {
    pub(crate) toolpost: Toolpost,
    pub(crate) config: Config,
    pub(crate) dirs: Dirs,
    pub(crate) cwd: PathBuf,
}

impl Place {
    /// Puts everything together.
    pub(crate) fn new(common: &Common) -> anyhow::Result<Self> {
        let environment = environment();
        let cwd = working_directory(common)?;
        let dirs = dirs(&environment)?;
        let config = config(common, &dirs, &cwd)?;
        let builder = Toolpost::builder(&dirs.state).limits(config.limits);
        let builder = own_places(&dirs).fold(builder, |builder, place| builder.own_place(place));
        let toolpost = builder.environment(environment).build();
        Ok(Self {
            toolpost,
            config,
            dirs,
            cwd,
        })
    }

    /// Starts the session that the flags name.
    pub(crate) fn session(&self, common: &Common) -> anyhow::Result<Session> {
        let spec = SessionSpec {
            name: common.session.clone(),
            settings: self.config.settings,
            ..SessionSpec::new(&self.cwd, common.mode)
        };
        let session = self.toolpost.session(spec)?;
        match session.recovered() {
            Ok(all) => all.iter().for_each(|recovered| {
                note(&format!(
                    "a process that was killed had not finished: {}",
                    words(recovered)
                ));
            }),
            Err(err) => note(&format!(
                "what killed processes left cannot be looked at: {err}"
            )),
        }
        Ok(session)
    }

    /// Freezes what the flags select.
    pub(crate) fn toolset(
        &self,
        offering: &Offering,
        left: Vec<String>,
    ) -> anyhow::Result<Toolset> {
        let dialect = dialect(offering)?;
        let wanted = match (&offering.set, &offering.tools) {
            (Some(set), _) => Wanted::set_named(set).ok_or_else(|| {
                Unusable::new(
                    format!("There is no set `{set}`."),
                    "Sets: coding, read-only, chat, all, none.",
                )
            })?,
            (None, Some(names)) => Wanted::Named(names.clone()),
            (None, None) => Wanted::Usual,
        };
        let selection = Selection {
            dialect,
            wanted,
            denied: offering.deny.clone(),
            left,
        };
        let frozen = self.toolpost.toolset(&selection);
        frozen.map_err(|err| {
            Unusable::new(err, "`toolpost tools --set all` lists all there are.").into()
        })
    }
}

/// The places that no tool may touch: toolpost's folders, and the one above them where it is all toolpost's.
fn own_places(dirs: &Dirs) -> impl Iterator<Item = &Path> {
    let above = dirs
        .state
        .parent()
        .filter(|above| dirs.state.ends_with("state") && dirs.config == above.join("config"));
    above
        .into_iter()
        .chain([dirs.config.as_path(), dirs.cache.as_path()])
}

/// What became of changes that a killed process had not finished.
fn words(recovered: &Recovered) -> String {
    let files: Vec<String> = recovered
        .files
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let how = match &recovered.rolled {
        Rolled::Back => "taken back".to_owned(),
        Rolled::Forward => "finished now".to_owned(),
        Rolled::Stuck(err) => format!("it stays so for now ({err})"),
    };
    let strange = match recovered.untouched.len() {
        0 => String::new(),
        count => format!("; {count} of them had been changed by somebody else and were left"),
    };
    format!("{}: {how}{strange}", files.join(", "))
}

/// The wire that was asked for, else the one that a dialect's models speak.
pub(crate) fn wire(offering: &Offering, dialect: Dialect) -> anyhow::Result<Wire> {
    let names = || {
        Wire::ALL
            .iter()
            .map(|wire| wire.name())
            .collect::<Vec<_>>()
            .join(", ")
    };
    if let Some(name) = &offering.wire {
        let unknown = || {
            Unusable::new(
                format!("There is no wire `{name}`."),
                format!("Wires: {}.", names()),
            )
        };
        return Ok(Wire::from_name(name).ok_or_else(unknown)?);
    }
    let about = toolpost::tools::DIALECTS
        .iter()
        .find(|about| about.dialect == dialect);
    Ok(about
        .and_then(|about| Wire::from_name(about.wire))
        .unwrap_or(Wire::Plain))
}

/// The dialect that was asked for, else the model's.
pub(crate) fn dialect(offering: &Offering) -> anyhow::Result<Dialect> {
    if let Some(name) = &offering.dialect {
        return named_dialect(name);
    }
    let Some(model) = &offering.model else {
        return Ok(Dialect::PLAIN);
    };
    Ok(toolpost::tools::dialect_of(model).unwrap_or_else(|| {
        note(&format!("`{model}` is of no family known here; it gets the plain dialect. --dialect picks another."));
        Dialect::PLAIN
    }))
}

/// Finds a dialect by its name.
pub(crate) fn named_dialect(name: &str) -> anyhow::Result<Dialect> {
    let names = || {
        toolpost::tools::DIALECTS
            .iter()
            .map(|about| about.dialect.0)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let found = toolpost::tools::dialect_named(name);
    let unknown = || {
        Unusable::new(
            format!("There is no dialect `{name}`."),
            format!("Dialects: {}.", names()),
        )
    };
    Ok(found.ok_or_else(unknown)?)
}

fn working_directory(common: &Common) -> anyhow::Result<PathBuf> {
    let here = current_dir().context("the current folder cannot be used")?;
    let given = common
        .cwd
        .as_ref()
        .map(|cwd| cwd.to_string_lossy().into_owned())
        .unwrap_or_default();
    let resolved = toolpost::host::resolve(&here, &given).and_then(|path| {
        toolpost::host::list_folder(&path)?;
        Ok(path)
    });
    Ok(resolved.map_err(|err| Unusable::new(err, "Give a folder that is there with --cwd."))?)
}

fn dirs(environment: &[(OsString, OsString)]) -> anyhow::Result<Dirs> {
    let look_up = |name: &str| {
        environment
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
    };
    let none = || {
        Unusable::new(
            "There is no folder for toolpost's state.",
            "Set HOME or TOOLPOST_HOME.",
        )
    };
    Ok(Dirs::from_env(&look_up).ok_or_else(none)?)
}

fn config(common: &Common, dirs: &Dirs, cwd: &Path) -> anyhow::Result<Config> {
    let unusable = |err: toolpost::ConfigError| Unusable::new(err, "");
    let mut config = match &common.config {
        Some(file) => Config::load_file(file, cwd),
        None => Config::load(&dirs.config, cwd),
    }
    .map_err(unusable)?;
    for flag in &common.settings {
        config.add_flag(flag).map_err(unusable)?;
    }
    Ok(config)
}
