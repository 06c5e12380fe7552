//! A test that runs itself again in a child process.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

const FOLDER: &str = "TOOLPOST_STORE_TEST_FOLDER";
const READY: &str = "the child is ready";

/// In a child: the folder that its parent gave it. In a parent: nothing.
pub(crate) fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// In a child: tells the parent that it has come this far, and waits until the parent lets it go on.
pub(crate) fn ready() {
    writeln!(std::io::stdout(), "{READY}").unwrap();
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).unwrap();
}

/// A test of this binary in a process of its own.
pub(crate) struct Again {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Again {
    /// Starts the named test again, after a line of shell that sets the stage.
    pub(crate) fn start(test: &str, folder: &Path, stage: &str) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", &format!("{stage}\nexec \"$0\" \"$@\"")])
            .arg(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture"])
            .env(FOLDER, folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    /// Waits until the child is ready.
    pub(crate) fn wait_ready(&mut self) {
        let mut line = String::new();
        while !line.contains(READY) {
            line.clear();
            let read = self.output.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "the child ended before it was ready");
        }
    }

    /// Lets the child go on.
    pub(crate) fn go(&mut self) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(b"\n").unwrap();
    }

    /// Whether the child has not ended yet.
    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Kills the child where it stands.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        assert!(!self.child.wait().unwrap().success());
    }

    /// Waits for the child's end, and checks that its one test passed.
    pub(crate) fn pass(mut self) {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert!(self.child.wait().unwrap().success(), "{rest}");
        assert!(rest.contains("1 passed"), "{rest}");
    }
}
