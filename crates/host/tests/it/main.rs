//! What the crate promises to a whole process, through its public face.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test makes what it looks at, and fails where it cannot"
)]

mod abandoned;
mod nobody;

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use toolpost_host::{
    Change, ContentHash, End, Expect, GrepQuery, Orphans, Pattern, Permit, Rules, Sink, Spec,
    Splice, Stop, Text, apply, command_environment, environment, grep, read_whole, resolve, run,
    shell,
};

/// How many processes of this user sleep for exactly so many seconds: the figure names the test, and the same test may
/// run for another user.
fn sleepers(seconds: u32) -> usize {
    let wanted = format!("sleep\0{seconds}\0").into_bytes();
    let command = |process: &Path| std::fs::read(process.join("cmdline")).unwrap_or_default();
    let user = rustix::process::geteuid().as_raw();
    let is_ours = |process: &Path| std::fs::metadata(process).is_ok_and(|meta| meta.uid() == user);
    std::fs::read_dir("/proc")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|process| is_ours(process) && command(process) == wanted)
        .count()
}

fn sh(command: &str) -> Spec {
    Spec {
        program: shell(),
        args: vec!["-c".into(), command.into()],
        cwd: std::env::temp_dir(),
        env: command_environment(environment().into_iter()),
    }
}

/// The list of orphans is one for the process, so this is one test.
#[tokio::test]
async fn what_commands_leave_ends_with_the_process() {
    let permit = Permit::issue();
    let watch = Orphans::here().watch();
    for _ in 0..2 {
        let spec = sh("sleep 7201 & setsid sleep 7201 & echo done");
        let mut output = Vec::new();
        let ended = run(&permit, &spec, &mut output, &Stop::new())
            .await
            .unwrap();
        assert_eq!(
            (ended.end, output.as_slice()),
            (End::Exited(0), b"done\n".as_slice())
        );
        assert_eq!(ended.left.len(), 2);
    }
    assert_eq!(Orphans::here().list().len(), 4);
    assert!(Orphans::here().end_all(&permit).await.is_empty());
    assert_eq!((Orphans::here().list().len(), sleepers(7201)), (0, 0));

    run(
        &permit,
        &sh("sleep 7202 & exit 0"),
        &mut Vec::new(),
        &Stop::new(),
    )
    .await
    .unwrap();
    drop(watch);
    assert_eq!(sleepers(7202), 0);

    // What ends by itself leaves the list by itself.
    let spec = sh("(read -r _; exit 0) < \"$PIPE\" & echo up");
    let place = tempfile::tempdir().unwrap();
    let pipe = place.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
    let mut spec = spec;
    spec.env.push(("PIPE".into(), pipe.clone().into()));
    let ended = run(&permit, &spec, &mut Vec::new(), &Stop::new())
        .await
        .unwrap();
    assert_eq!(Orphans::here().list().len(), ended.left.len());
    std::fs::write(&pipe, "\n").unwrap();
    let gone = async {
        while !Orphans::here().list().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone)
        .await
        .unwrap();
}

/// Looks, edits two files of different encodings at once, and finds the new text.
#[test]
fn files_are_found_and_changed_together() {
    let place = tempfile::tempdir().unwrap();
    let root = resolve(place.path(), "").unwrap();
    std::fs::write(root.join("latin.txt"), b"caf\xe9 old\r\n").unwrap();
    std::fs::write(root.join("plain.txt"), "old\n").unwrap();
    let query = |text: &str| GrepQuery {
        root: root.clone(),
        pattern: Pattern {
            text: text.into(),
            ..Pattern::default()
        },
        rules: Rules::default(),
        before: 0,
        after: 0,
        line_chars: 100,
        max_hits: 100,
    };
    let found = grep(&query("old"), &Stop::new()).unwrap();
    let change = |path: &Path| {
        let content = read_whole(path, 1_000).unwrap();
        let text = Text::decode(&content.bytes).unwrap();
        let start = text.as_str().find("old").unwrap();
        let edit = Splice {
            range: start..start + 3,
            with: "new".into(),
        };
        Change::Write {
            path: path.to_path_buf(),
            bytes: text.replace(&[edit]).unwrap(),
            expect: Expect::Content(content.hash),
            mode: None,
        }
    };
    let changes: Vec<Change> = found.files.iter().map(|file| change(&file.path)).collect();
    let written = apply(&Permit::issue(), &changes).unwrap();
    assert_eq!(written.len(), 2);
    let latin = std::fs::read(root.join("latin.txt")).unwrap();
    assert_eq!(latin, b"caf\xe9 new\r\n");
    assert!(
        written
            .iter()
            .any(|one| one.hash == ContentHash::of(&latin))
    );
    assert!(grep(&query("old"), &Stop::new()).unwrap().files.is_empty());
}
