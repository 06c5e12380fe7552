//! The folders in which a person's programs keep their things.

use std::ffi::OsString;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::At;
use crate::{Fault, HostError};

/// Where toolpost keeps what is its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dirs {
    /// What has to outlive a run: sessions, the journal.
    pub state: PathBuf,
    /// What a person has written for it.
    pub config: PathBuf,
    /// What can be made again.
    pub cache: PathBuf,
}

impl Dirs {
    /// Finds the folders from an environment: `TOOLPOST_HOME` holds all three when it is set, else the XDG variables
    /// count, else their defaults below `HOME`. `None` when not even `HOME` is known.
    #[must_use]
    pub fn from_env(env: &impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        let absolute = |name: &str| {
            env(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        if let Some(home) = absolute("TOOLPOST_HOME") {
            return Some(Self {
                state: home.join("state"),
                config: home.join("config"),
                cache: home.join("cache"),
            });
        }
        let home = absolute("HOME");
        let place = |name: &str, default: &str| {
            let folder = absolute(name).or_else(|| home.as_ref().map(|home| home.join(default)))?;
            Some(folder.join("toolpost"))
        };
        Some(Self {
            state: place("XDG_STATE_HOME", ".local/state")?,
            config: place("XDG_CONFIG_HOME", ".config")?,
            cache: place("XDG_CACHE_HOME", ".cache")?,
        })
    }
}

/// Makes a folder, and those above it, that only this user can enter; one that is open to others is closed.
pub fn ensure_private_folder(path: &Path) -> Result<(), HostError> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .at(path)?;
    let meta = std::fs::symlink_metadata(path).at(path)?;
    if !meta.is_dir() {
        return Err(HostError::new(
            Fault::NotAFolder,
            path,
            "it is a link or a file where a private folder is to be",
        ));
    }
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(HostError::new(
            Fault::Permission,
            path,
            "the folder belongs to another user",
        ));
    }
    if meta.mode() & 0o077 == 0 {
        return Ok(());
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).at(path)
}

#[cfg(test)]
mod tests {
    use super::{Dirs, ensure_private_folder};
    use std::ffi::OsString;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    #[test]
    fn the_environment_decides() {
        let check = |vars: &[(&str, &str)], expected: Option<[&str; 3]>| {
            let env = |name: &str| {
                let found = vars.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| OsString::from(value))
            };
            let expected = expected.map(|[state, config, cache]| Dirs {
                state: state.into(),
                config: config.into(),
                cache: cache.into(),
            });
            assert_eq!(Dirs::from_env(&env), expected, "{vars:?}");
        };
        check(&[], None);
        check(
            &[("HOME", "/h")],
            Some([
                "/h/.local/state/toolpost",
                "/h/.config/toolpost",
                "/h/.cache/toolpost",
            ]),
        );
        check(
            &[
                ("HOME", "/h"),
                ("XDG_STATE_HOME", "/s"),
                ("XDG_CONFIG_HOME", "relative"),
            ],
            Some(["/s/toolpost", "/h/.config/toolpost", "/h/.cache/toolpost"]),
        );
        check(
            &[("HOME", "/h"), ("TOOLPOST_HOME", "/t")],
            Some(["/t/state", "/t/config", "/t/cache"]),
        );
    }

    #[test]
    fn a_private_folder_is_closed_to_others() {
        let place = tempfile::tempdir().unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        let folder = place.path().join("a/b");
        ensure_private_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        ensure_private_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
        let file = place.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(ensure_private_folder(&file).is_err());
    }
}
