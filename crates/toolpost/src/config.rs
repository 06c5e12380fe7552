//! Configuration: keys with a type, in layers, each value with its source.

use std::fmt;
use std::path::Path;

use toml::{Table, Value};
use toolpost_core::{PriorRead, Settings};
use toolpost_govern::Limits;

/// All settings, with what the layers so far have said.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// What tools may know.
    pub settings: Settings,
    /// How much may go back.
    pub limits: Limits,
}

/// A layer that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, or the flag.
    pub source: String,
    /// What is wrong, in one sentence.
    pub fact: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.source, self.fact)
    }
}

impl std::error::Error for ConfigError {}

/// How much a layer is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layer {
    /// The person's own: it may say anything.
    Own,
    /// A project's, which may come from anybody: security keys only tighten.
    Project,
}

impl Config {
    /// Reads the person's file and the project's, where they are there.
    ///
    /// # Errors
    /// A file that is no TOML, an unknown key, a value of the wrong type.
    pub fn load(user_folder: &Path, project: &Path) -> Result<Self, ConfigError> {
        Self::layered(&user_folder.join("config.toml"), project)
    }

    /// Reads this file in place of the person's own, and the project's where it is there.
    ///
    /// # Errors
    /// As [`Config::load`]; and the file must be there.
    pub fn load_file(file: &Path, project: &Path) -> Result<Self, ConfigError> {
        if let Err(err) = toolpost_host::stat(file) {
            return Err(ConfigError {
                source: file.display().to_string(),
                fact: format!("{err}."),
            });
        }
        Self::layered(file, project)
    }

    fn layered(own: &Path, project: &Path) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        config.add_file(own, Layer::Own)?;
        config.add_file(
            &project.join(".toolpost").join("config.toml"),
            Layer::Project,
        )?;
        Ok(config)
    }

    /// Adds a setting from a flag: `key=value`, the value as TOML or as a bare word.
    ///
    /// # Errors
    /// No `=`, an unknown key, a value of the wrong type.
    pub fn add_flag(&mut self, flag: &str) -> Result<(), ConfigError> {
        let wrong = |fact: String| ConfigError {
            source: format!("-c {flag}"),
            fact,
        };
        let (key, value) = flag
            .split_once('=')
            .ok_or_else(|| wrong("It must be `key=value`.".to_owned()))?;
        let value = read_value(value.trim());
        self.set(key.trim(), &value, Layer::Own).map_err(wrong)
    }

    fn add_file(&mut self, path: &Path, layer: Layer) -> Result<(), ConfigError> {
        const MOST_BYTES: u64 = 1_000_000;
        let wrong = |fact: String| ConfigError {
            source: path.display().to_string(),
            fact,
        };
        let content = match toolpost_host::read_whole(path, MOST_BYTES) {
            Ok(content) => content,
            Err(err) if err.fault == toolpost_host::Fault::NotFound => return Ok(()),
            Err(err) => return Err(wrong(format!("It cannot be read: {err}."))),
        };
        let text =
            String::from_utf8(content.bytes).map_err(|_| wrong("It is not UTF-8.".to_owned()))?;
        let table: Table = text
            .parse()
            .map_err(|err| wrong(format!("It is not TOML: {err}")))?;
        for (key, value) in flat("", &table) {
            self.set(&key, &value, layer).map_err(wrong)?;
        }
        Ok(())
    }

    /// Sets one key.
    fn set(&mut self, key: &str, value: &Value, layer: Layer) -> Result<(), String> {
        match key {
            "files.prior_read" => self.settings.prior_read = self.prior_read(value, layer)?,
            "limits.reply_chars" => {
                self.limits.reply_chars = chars(key, value, self.limits.reply_chars, layer)?
            }
            "limits.batch_chars" => {
                self.limits.batch_chars = chars(key, value, self.limits.batch_chars, layer)?
            }
            _ => {
                return Err(format!(
                    "There is no key `{key}`. Keys: {}.",
                    KEYS.join(", ")
                ));
            }
        }
        Ok(())
    }

    fn prior_read(&self, value: &Value, layer: Layer) -> Result<PriorRead, String> {
        let strictness = |setting: PriorRead| match setting {
            PriorRead::Off => 0,
            PriorRead::Evidence => 1,
            PriorRead::Strict => 2,
        };
        let wanted = match value.as_str() {
            Some("evidence") => PriorRead::Evidence,
            Some("strict") => PriorRead::Strict,
            Some("off") => PriorRead::Off,
            _ => return Err("`files.prior_read` is `evidence`, `strict` or `off`.".to_owned()),
        };
        let now = self.settings.prior_read;
        let looser = layer == Layer::Project && strictness(wanted) < strictness(now);
        Ok(if looser { now } else { wanted })
    }
}

const KEYS: &[&str] = &[
    "files.prior_read",
    "limits.reply_chars",
    "limits.batch_chars",
];

/// A number of characters within sense. A project may only lower it.
fn chars(key: &str, value: &Value, now: usize, layer: Layer) -> Result<usize, String> {
    const LEAST: i64 = 1_000;
    const MOST: i64 = 10_000_000;
    let wrong = || format!("`{key}` is a whole number from {LEAST} to {MOST}.");
    let number = value
        .as_integer()
        .filter(|number| (LEAST..=MOST).contains(number))
        .ok_or_else(wrong)?;
    let number = usize::try_from(number).map_err(|_| wrong())?;
    Ok(if layer == Layer::Project {
        number.min(now)
    } else {
        number
    })
}

/// A value as TOML has it, else a bare word.
fn read_value(text: &str) -> Value {
    let parsed: Option<Table> = format!("value = {text}").parse().ok();
    let value = parsed.and_then(|mut table| table.remove("value"));
    value.unwrap_or_else(|| Value::String(text.to_owned()))
}

/// The keys of a table and all below it, joined by dots.
fn flat(prefix: &str, table: &Table) -> Vec<(String, Value)> {
    let entries = table.iter().flat_map(|(key, value)| {
        let key = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
        match value {
            Value::Table(inner) => flat(&key, inner),
            _ => vec![(key, value.clone())],
        }
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::{Config, Layer};
    use toolpost_core::PriorRead;

    #[test]
    fn flags_are_toml_or_bare_words() {
        let check = |flag: &str, expected: Result<(), &str>| {
            let mut config = Config::default();
            let got = config.add_flag(flag).map_err(|err| err.to_string());
            match (got, expected) {
                (Ok(()), Ok(())) => {}
                (Err(got), Err(part)) => assert!(got.contains(part), "{got}"),
                (got, _) => panic!("{flag}: {got:?}"),
            }
        };
        check("files.prior_read=strict", Ok(()));
        check("files.prior_read=\"off\"", Ok(()));
        check(
            "files.prior_read = maybe",
            Err("`evidence`, `strict` or `off`"),
        );
        check("limits.reply_chars=5000", Ok(()));
        check("limits.reply_chars=5", Err("from 1000"));
        check("files.priorread=off", Err("no key `files.priorread`"));
        check("files.prior_read", Err("key=value"));
    }

    #[test]
    fn a_project_only_tightens() {
        let set = |layer, text: &str| {
            let mut config = Config::default();
            config
                .set(
                    "files.prior_read",
                    &toml::Value::String(text.to_owned()),
                    layer,
                )
                .unwrap();
            config.settings.prior_read
        };
        assert_eq!(set(Layer::Own, "off"), PriorRead::Off);
        assert_eq!(set(Layer::Project, "off"), PriorRead::Evidence);
        assert_eq!(set(Layer::Project, "strict"), PriorRead::Strict);
    }
}
