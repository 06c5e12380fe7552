//! A step of a longer way: a command or a function, told, timed, and repeated by the line it prints.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A command as a person would type it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    variables: Vec<(String, String)>,
    words: Vec<String>,
}

impl Line {
    /// A command from its words.
    pub(crate) fn new(words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            variables: Vec::new(),
            words: words.into_iter().map(Into::into).collect(),
        }
    }

    /// A command from one text, its words parted by spaces.
    pub(crate) fn of(text: &str) -> Self {
        Self::new(text.split_whitespace())
    }

    /// Adds a word.
    pub(crate) fn and(mut self, word: impl Into<String>) -> Self {
        self.words.push(word.into());
        self
    }

    /// Sets a variable of its environment.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// What a person types to do the same, in a shell.
    pub(crate) fn typed(&self) -> String {
        let variables = self
            .variables
            .iter()
            .map(|(name, value)| format!("{name}={}", quoted(value)));
        let words = self.words.iter().map(|word| quoted(word));
        variables.chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Runs it in a folder, with this program's own output, and fails when it does.
    pub(crate) fn run(&self, folder: &Path) -> Result<()> {
        let status = self
            .command(folder)?
            .stdin(Stdio::null())
            .status()
            .with_context(|| format!("`{}` could not be started", self.typed()))?;
        if !status.success() {
            bail!("`{}` ended with {status}", self.typed());
        }
        Ok(())
    }

    /// Runs it in a folder and gives what it prints on standard output.
    pub(crate) fn output(&self, folder: &Path) -> Result<String> {
        let made = self
            .command(folder)?
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("`{}` could not be started", self.typed()))?;
        if !made.status.success() {
            bail!("`{}` ended with {}", self.typed(), made.status);
        }
        String::from_utf8(made.stdout).with_context(|| format!("`{}` prints no text", self.typed()))
    }

    fn command(&self, folder: &Path) -> Result<Command> {
        let (program, words) = self.words.split_first().context("a command has no words")?;
        let mut command = Command::new(program);
        command
            .args(words)
            .envs(self.variables.iter().cloned())
            .current_dir(folder);
        Ok(command)
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Does a step: says its name, does it, says how long it took. A failure names the command that repeats it.
pub(crate) fn step(
    name: &str,
    repeat: &str,
    work: impl FnOnce() -> Result<()>,
) -> Result<Duration> {
    println!("── {name}: {repeat}");
    let start = Instant::now();
    let done = work();
    let took = start.elapsed();
    match done {
        Ok(()) => {
            println!("   {name} passed in {}", seconds(took));
            Ok(took)
        }
        Err(err) => {
            println!("   {name} FAILED after {}", seconds(took));
            Err(err.context(format!("{name} failed; repeat it with `{repeat}`")))
        }
    }
}

/// A duration as people read it.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::{Line, seconds, step};
    use std::time::Duration;

    #[test]
    fn a_command_is_typed_as_a_shell_takes_it() {
        let check = |line: Line, expected: &str| assert_eq!(line.typed(), expected);
        check(Line::of("cargo fmt  --all"), "cargo fmt --all");
        check(Line::new(["a b", "it's", ""]), r"'a b' 'it'\''s' ''");
        check(
            Line::of("cargo doc")
                .with("RUSTDOCFLAGS", "-D warnings")
                .and("x"),
            "RUSTDOCFLAGS='-D warnings' cargo doc x",
        );
    }

    #[test]
    fn a_command_that_fails_is_an_error() {
        let folder = std::path::Path::new(".");
        assert!(Line::of("true").run(folder).is_ok());
        let err = Line::of("false").run(folder).unwrap_err().to_string();
        assert!(err.starts_with("`false` ended with"), "{err}");
        assert!(Line::of("no-such-program-here").run(folder).is_err());
        assert!(Line::of("").run(folder).is_err());
        assert_eq!(Line::of("echo one").output(folder).unwrap(), "one\n");
    }

    #[test]
    fn a_step_that_fails_says_how_it_is_repeated() {
        assert!(step("good", "do it", || Ok(())).is_ok());
        let err = step("bad", "do it again", || anyhow::bail!("broken")).unwrap_err();
        assert_eq!(
            format!("{err:#}"),
            "bad failed; repeat it with `do it again`: broken"
        );
    }

    #[test]
    fn times_are_short() {
        assert_eq!(seconds(Duration::from_millis(1234)), "1.2 s");
    }
}
