//! What running promises. Several tests look at processes of the whole machine by their arguments, so each has its own.

use std::ffi::OsString;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{End, Ended, Limits, Orphans, Spec, run, run_within, shell};
use crate::{Fault, Permit, Sink, Stop, Why};

fn sh(command: &str) -> Spec {
    Spec {
        program: shell(),
        args: vec!["-c".into(), command.into()],
        cwd: std::env::temp_dir(),
        env: vec![("PATH".into(), std::env::var_os("PATH").unwrap())],
    }
}

async fn ran(spec: &Spec) -> (Ended, String) {
    let mut output = Vec::new();
    let ended = run(&Permit::issue(), spec, &mut output, &Stop::new())
        .await
        .unwrap();
    (ended, String::from_utf8(output).unwrap())
}

/// Processes that sleep for exactly so many seconds: the figure names the test.
fn sleepers(seconds: u32) -> usize {
    let wanted = format!("sleep\0{seconds}\0");
    let command = |pid: &Path| std::fs::read(pid.join("cmdline")).unwrap_or_default();
    std::fs::read_dir("/proc")
        .unwrap()
        .filter(|entry| command(&entry.as_ref().unwrap().path()) == wanted.as_bytes())
        .count()
}

/// Raises a stop when the output holds as many lines as are waited for.
struct StopAfter {
    lines: usize,
    stop: Stop,
    seen: Vec<u8>,
}

impl Sink for StopAfter {
    fn write(&mut self, chunk: &[u8]) {
        self.seen.extend_from_slice(chunk);
        if self.seen.iter().filter(|byte| **byte == b'\n').count() >= self.lines {
            self.stop.raise(Why::Deadline);
        }
    }
}

async fn stopped(command: &str, lines: usize, grace_ms: u64) -> (Ended, String) {
    let stop = Stop::new();
    let mut sink = StopAfter {
        lines,
        stop: stop.clone(),
        seen: Vec::new(),
    };
    let limits = Limits {
        grace_ms,
        ..Limits::default()
    };
    let ended = run_within(&Permit::issue(), &sh(command), limits, &mut sink, &stop)
        .await
        .unwrap();
    (ended, String::from_utf8(sink.seen).unwrap())
}

#[tokio::test]
async fn endings_are_told() {
    let check = async |command: &str, end: End, text: &str| {
        let (ended, output) = ran(&sh(command)).await;
        assert_eq!((ended.end, output.as_str()), (end, text), "{command}");
        assert_eq!(
            (ended.stopped, ended.left.len(), ended.pids.len()),
            (None, 0, 1)
        );
    };
    check("true", End::Exited(0), "").await;
    check("exit 3", End::Exited(3), "").await;
    check("kill -9 $$", End::Signalled(9), "").await;
    check(
        "echo a; echo b >&2; echo c; echo d >&2",
        End::Exited(0),
        "a\nb\nc\nd\n",
    )
    .await;
    check("cat; echo no input", End::Exited(0), "no input\n").await;
    check("exec >&- 2>&-; exit 4", End::Exited(4), "").await;
    check(
        "pwd",
        End::Exited(0),
        &format!("{}\n", std::env::temp_dir().display()),
    )
    .await;
    check(
        "read -r _ _ _ _ group session _ < /proc/$$/stat; echo $((group - $$)) $((session - $$))",
        End::Exited(0),
        "0 0\n",
    )
    .await;
}

#[tokio::test]
async fn nothing_is_inherited() {
    let mut spec = sh("env | cut -d= -f1 | sort | tr '\\n' ' '");
    spec.env.push(("ONE".into(), "1".into()));
    let (_, output) = ran(&spec).await;
    let names: Vec<&str> = output
        .split_whitespace()
        .filter(|name| *name != "_")
        .collect();
    assert_eq!(names, ["ONE", "PATH", "PWD", "SHLVL", "TOOLPOST_RUN"]);
}

#[tokio::test]
async fn what_cannot_start_is_told() {
    let check = async |program: &str, cwd: &Path, fault: Fault, path: &Path| {
        let spec = Spec {
            program: program.into(),
            cwd: cwd.into(),
            args: vec![],
            env: vec![],
        };
        let result = run(&Permit::issue(), &spec, &mut Vec::new(), &Stop::new()).await;
        let err = result.unwrap_err();
        assert_eq!((err.fault, err.path.as_path()), (fault, path));
    };
    let root = Path::new("/");
    check(
        "no-such-program",
        root,
        Fault::NotFound,
        Path::new("no-such-program"),
    )
    .await;
    check(
        "/etc/passwd",
        root,
        Fault::Permission,
        Path::new("/etc/passwd"),
    )
    .await;
    let gone = PathBuf::from("/no/such/folder");
    check("true", &gone, Fault::Gone, &gone).await;
    let file = Path::new("/etc/passwd");
    check("true", file, Fault::NotAFolder, file).await;
    let huge = OsString::from("x".repeat(4 << 20));
    let spec = Spec {
        args: vec![huge],
        ..sh("")
    };
    let result = run(&Permit::issue(), &spec, &mut Vec::new(), &Stop::new()).await;
    let err = result.unwrap_err();
    assert_eq!(err.fault, Fault::TooLarge);
    assert_eq!(
        err.detail,
        "the command line is too long for the system; put it into a file and run that file"
    );
}

#[tokio::test]
async fn much_output_arrives_whole() {
    let mut output = Vec::new();
    let spec = sh("head -c 20000000 /dev/zero | tr '\\0' x; echo end");
    run(&Permit::issue(), &spec, &mut output, &Stop::new())
        .await
        .unwrap();
    assert_eq!(output.len(), 20_000_004);
    assert!(output.ends_with(b"xend\n"));
}

#[tokio::test]
async fn a_child_that_holds_the_pipe_does_not_hold_the_call() {
    let begin = Instant::now();
    let (ended, output) = ran(&sh("sleep 7101 & echo done")).await;
    assert_eq!((ended.end, output.as_str()), (End::Exited(0), "done\n"));
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert_eq!((ended.left.len(), sleepers(7101)), (1, 1));
    let listed = Orphans::here().list();
    assert!(
        listed
            .iter()
            .any(|one| one.pid == ended.left[0] && one.started_by == ended.pids[0])
    );
    let left = Orphans::here().end(&Permit::issue(), ended.pids[0]).await;
    assert_eq!((left.len(), sleepers(7101)), (0, 0));
    assert!(
        Orphans::here()
            .list()
            .iter()
            .all(|one| one.started_by != ended.pids[0])
    );
}

#[tokio::test]
async fn descendants_that_hide_are_found() {
    let hiding = "setsid sleep 7102 >/dev/null 2>&1 & (setsid setsid sleep 7102 &) & nohup sleep 7102 >/dev/null 2>&1 &";
    let (ended, _) = ran(&sh(&format!(
        "{hiding} until [ $(grep -als '^sleep.7102.$' /proc/[0-9]*/cmdline | wc -l) = 3 ]; do :; done"
    )))
    .await;
    assert_eq!((ended.left.len(), sleepers(7102)), (3, 3));
    Orphans::here().end(&Permit::issue(), ended.pids[0]).await;
    assert_eq!(sleepers(7102), 0);
}

#[tokio::test]
async fn a_stop_ends_the_whole_tree() {
    let tree = "for i in $(seq 30); do
        sleep 7103 & setsid sleep 7103 & (setsid setsid sleep 7103 &) & (trap '' TERM HUP; sleep 7103) &
    done
    until [ $(grep -als '^sleep.7103.$' /proc/[0-9]*/cmdline | wc -l) = 120 ]; do :; done
    echo ready; wait; sleep 7103";
    let (ended, output) = stopped(tree, 1, 300).await;
    assert_eq!(output, "ready\n");
    assert_eq!(
        (ended.stopped, ended.end),
        (Some(Why::Deadline), End::Signalled(15))
    );
    assert_eq!((ended.left.len(), sleepers(7103)), (0, 0));
}

#[tokio::test]
async fn a_process_may_say_goodbye() {
    let (ended, output) = stopped(
        "trap 'echo bye; exit 7' TERM; echo up; while :; do :; done",
        1,
        5_000,
    )
    .await;
    assert_eq!((ended.end, output.as_str()), (End::Exited(7), "up\nbye\n"));
}

#[tokio::test]
async fn a_deaf_process_is_killed() {
    let (ended, _) = stopped("trap '' TERM; echo up; while :; do :; done", 1, 50).await;
    assert_eq!(ended.end, End::Signalled(9));
    let (ended, _) = stopped("echo up; kill -STOP $$", 1, 5_000).await;
    assert_eq!(ended.end, End::Signalled(15));
}

#[tokio::test]
async fn a_stop_before_the_beginning_starts_nothing() {
    let place = tempfile::tempdir().unwrap();
    let stop = Stop::new();
    stop.raise(Why::Cancelled);
    let spec = Spec {
        cwd: place.path().into(),
        ..sh("touch here")
    };
    let ended = run(&Permit::issue(), &spec, &mut Vec::new(), &stop)
        .await
        .unwrap();
    assert_eq!((ended.stopped, ended.pids.len()), (Some(Why::Cancelled), 0));
    assert!(!place.path().join("here").exists());
}

#[tokio::test]
async fn dropping_the_future_ends_all() {
    let stop = Stop::new();
    let mut sink = StopAfter {
        lines: 1,
        stop: stop.clone(),
        seen: Vec::new(),
    };
    let permit = Permit::issue();
    let spec = sh(
        "setsid sleep 7104 & until [ $(grep -als '^sleep.7104.$' /proc/[0-9]*/cmdline | wc -l) = 1 ]; do :; done; echo up; sleep 7104",
    );
    let unstopped = Stop::new();
    let mut running = Box::pin(run(&permit, &spec, &mut sink, &unstopped));
    let up = tokio::select! {
        _ = &mut running => false,
        _ = stop.raised() => true,
    };
    assert!(up);
    drop(running);
    assert_eq!(sleepers(7104), 0);
}

#[tokio::test]
async fn no_zombie_of_the_family_stays() {
    let (ended, _) = stopped(
        "(sleep 7106 &) ; (sleep 7106 &); echo up; sleep 7106",
        1,
        2_000,
    )
    .await;
    let leader = ended.pids[0];
    let own = std::process::id().to_string();
    let of_family = |stat: &str| {
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .collect();
        fields[1] == own && fields[3] == leader.to_string()
    };
    let left = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path().join("stat")).ok())
        .filter(|stat| of_family(stat))
        .count();
    assert_eq!(left, 0);
}

#[test]
fn a_run_can_move_between_threads() {
    fn movable(_: &(impl Future + Send)) {}
    let (permit, stop, spec) = (Permit::issue(), Stop::new(), sh(""));
    let mut sink = Vec::new();
    movable(&run(&permit, &spec, &mut sink, &stop));
}
