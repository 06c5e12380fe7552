//! Processes that a command abandons with nothing by which they could be known. The test looks at all children of a
//! process, so it has one of its own.

use std::path::Path;
use std::process::{Child, Command};

use super::{Orphans, Permit, Sink, Spec, Stop, run, sh};
use toolpost_host::{Ended, Why};

/// Tells the test that it is in the process of its own.
const ALONE: &str = "HOST_TEST_ALONE";

#[tokio::test]
async fn whatever_a_command_abandons_is_its_own() {
    if std::env::var_os(ALONE).is_some() {
        return alone().await;
    }
    let ended = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "abandoned::whatever_a_command_abandons_is_its_own",
        ])
        .arg("--nocapture")
        .env(ALONE, "1")
        .output()
        .unwrap();
    let words = [ended.stdout, ended.stderr].concat();
    assert!(
        ended.status.success(),
        "{}",
        String::from_utf8_lossy(&words)
    );
}

async fn alone() {
    let mut earlier = own_child(&["setsid", "sleep", &figure(7215)]);
    until(|| sleepers(7215) == 1);
    let watch = Orphans::here().watch();
    it_is_told_and_ended().await;
    it_is_stopped().await;
    let mut later = own_child(&["sleep", &figure(7216)]);
    it_ends_with_the_holder(watch).await;
    // What this process started for itself is not touched.
    for child in [&mut earlier, &mut later] {
        assert!(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

async fn it_is_told_and_ended() {
    let commands = [
        "setsid -f env -i sleep SLEEP",
        "setsid -f env -i sleep SLEEP; UP",
        "(setsid env -u TOOLPOST_RUN sleep SLEEP &); UP",
        "env -i setsid -f setsid -f sleep SLEEP; UP",
        "env -i setsid -f sh -c '(setsid sleep SLEEP &) ; exit'; UP",
    ];
    for command in commands {
        let ended = ran(&sleeping(command, 7211)).await;
        until(|| sleepers(7211) == 1);
        assert_eq!(ended.left.len(), 1, "{command}");
        let listed = Orphans::here().list();
        assert_eq!(listed.len(), 1, "{command}");
        assert_eq!(
            (listed[0].pid, listed[0].started_by),
            (ended.left[0], ended.pids[0])
        );
        let stuck = Orphans::here().end(&Permit::issue(), ended.pids[0]).await;
        assert_eq!((stuck.len(), sleepers(7211)), (0, 0), "{command}");
    }
    // The next command has nothing to do with the last one's.
    let first = ran(&sleeping("setsid -f env -i sleep SLEEP; UP", 7211)).await;
    assert_eq!(
        (first.left.len(), ran(&sh("true")).await.left.len()),
        (1, 0)
    );
    Orphans::here().end_all(&Permit::issue()).await;
    assert_eq!(sleepers(7211), 0);
}

async fn it_is_stopped() {
    let stop = Stop::new();
    let mut sink = StopAtOnce(stop.clone());
    let spec = sleeping(
        "setsid -f env -i sleep SLEEP; UP; echo up; sleep SLEEP",
        7212,
    );
    let ended = run(&Permit::issue(), &spec, &mut sink, &stop)
        .await
        .unwrap();
    assert_eq!((ended.stopped, ended.left.len()), (Some(Why::Deadline), 0));
    assert_eq!(sleepers(7212), 0);
}

async fn it_ends_with_the_holder(watch: toolpost_host::OrphanWatch) {
    let place = tempfile::tempdir().unwrap();
    let pipe = place.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
    let late = format!(
        "setsid -f env -i sh -c 'read -r _ < {}; setsid -f sleep {}'",
        pipe.display(),
        figure(7213)
    );
    ran(&sh(&late)).await;
    ran(&sleeping("setsid -f env -i sleep SLEEP; UP", 7214)).await;
    std::fs::write(&pipe, "\n").unwrap();
    until(|| sleepers(7213) == 1);
    drop(watch);
    assert_eq!((sleepers(7213), sleepers(7214)), (0, 0));
}

/// How long a process sleeps: the figure names the test's part and this process, since the same test may run for
/// another user at the same time.
fn figure(seconds: u32) -> String {
    format!("{seconds}.{}", std::process::id())
}

/// How many processes of this part sleep.
fn sleepers(seconds: u32) -> usize {
    let wanted = format!("sleep\0{}\0", figure(seconds)).into_bytes();
    let command = |pid: &Path| std::fs::read(pid.join("cmdline")).unwrap_or_default();
    std::fs::read_dir("/proc")
        .unwrap()
        .filter(|entry| command(&entry.as_ref().unwrap().path()) == wanted)
        .count()
}

/// A command in which `UP` waits until one process sleeps for `SLEEP`.
fn sleeping(command: &str, seconds: u32) -> Spec {
    let sleep = figure(seconds);
    let up = format!(
        "until [ $(grep -als '^sleep.{sleep}.$' /proc/[0-9]*/cmdline | wc -l) = 1 ]; do :; done"
    );
    sh(&command.replace("UP", &up).replace("SLEEP", &sleep))
}

async fn ran(spec: &Spec) -> Ended {
    run(&Permit::issue(), spec, &mut Vec::new(), &Stop::new())
        .await
        .unwrap()
}

fn own_child(words: &[&str]) -> Child {
    Command::new(words[0]).args(&words[1..]).spawn().unwrap()
}

fn until(met: impl Fn() -> bool) {
    while !met() {
        std::thread::yield_now();
    }
}

struct StopAtOnce(Stop);

impl Sink for StopAtOnce {
    fn write(&mut self, _: &[u8]) {
        self.0.raise(Why::Deadline);
    }
}
