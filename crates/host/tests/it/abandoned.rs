//! Processes that a command abandons with nothing by which they could be known. The test looks at all children of a
//! process, so it has one of its own.

use std::process::{Child, Command};

use super::{Orphans, Permit, Sink, Spec, Stop, run, sh, sleepers};
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
    let mut earlier = own_child(&["setsid", "sleep", "7215"]);
    until(|| sleepers(7215) == 1);
    let watch = Orphans::here().watch();
    it_is_told_and_ended().await;
    it_is_stopped().await;
    let mut later = own_child(&["sleep", "7216"]);
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
        "setsid -f env -i sleep 7211",
        "setsid -f env -i sleep 7211; UP",
        "(setsid env -u TOOLPOST_RUN sleep 7211 &); UP",
        "env -i setsid -f setsid -f sleep 7211; UP",
        "env -i setsid -f sh -c '(setsid sleep 7211 &) ; exit'; UP",
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
    let first = ran(&sleeping("setsid -f env -i sleep 7211; UP", 7211)).await;
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
    let spec = sleeping("setsid -f env -i sleep 7212; UP; echo up; sleep 7212", 7212);
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
        "setsid -f env -i sh -c 'read -r _ < {}; setsid -f sleep 7213'",
        pipe.display()
    );
    ran(&sh(&late)).await;
    ran(&sleeping("setsid -f env -i sleep 7214; UP", 7214)).await;
    std::fs::write(&pipe, "\n").unwrap();
    until(|| sleepers(7213) == 1);
    drop(watch);
    assert_eq!((sleepers(7213), sleepers(7214)), (0, 0));
}

/// A command in which `UP` waits until one process sleeps for so many seconds.
fn sleeping(command: &str, seconds: u32) -> Spec {
    let up = format!(
        "until [ $(grep -als '^sleep.{seconds}.$' /proc/[0-9]*/cmdline | wc -l) = 1 ]; do :; done"
    );
    sh(&command.replace("UP", &up))
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
