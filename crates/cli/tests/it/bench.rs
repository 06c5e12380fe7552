//! The binary in a workspace and with a home of its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// A workspace and a home, both fresh.
pub(crate) struct Bench {
    workspace: tempfile::TempDir,
    home: tempfile::TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Standard output as one JSON document.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|err| panic!("{err}: {self:?}"))
    }

    /// Standard output as JSON lines.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self {
            workspace: tempfile::tempdir().unwrap(),
            home: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.workspace.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Runs the binary with words and an input.
    pub(crate) fn run(&self, words: &[&str], input: &str) -> Ran {
        self.run_at(&self.home.path().join("toolpost"), words, input)
    }

    /// The same, with toolpost's own places elsewhere.
    pub(crate) fn run_at(&self, own: &Path, words: &[&str], input: &str) -> Ran {
        let mut child = self.start_at(own, words);
        // A process that has seen enough closes its input; what it says then is what counts.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let Output {
            status,
            stdout,
            stderr,
        } = child.wait_with_output().unwrap();
        Ran {
            code: status.code().unwrap_or(-1),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        }
    }

    /// Starts the binary with its input open.
    pub(crate) fn start(&self, words: &[&str]) -> Child {
        self.start_at(&self.home.path().join("toolpost"), words)
    }

    fn start_at(&self, own: &Path, words: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_toolpost"))
            .args(words)
            .current_dir(self.workspace.path())
            .env("HOME", self.home.path())
            .env("TOOLPOST_HOME", own)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}
