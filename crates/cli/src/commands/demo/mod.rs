//! `toolpost demo`: recorded replies of each family, whose calls run for real on a small sample project.

mod checks;
mod family;
mod play;
mod project;
mod screen;
mod workshop;

use std::collections::BTreeMap;
use std::fmt;

use anyhow::Context as _;
use clap::Args;
use toolpost::host::{Stop, resolve};

use crate::exit::Exit;
use crate::print::note;

use checks::Checks;
use family::Family;
use screen::{Pace, Screen};
use workshop::Workshop;

/// `toolpost demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The families to play [default: all].
    #[arg(value_name = "FAMILY")]
    families: Vec<Family>,
    /// Do not pause between the steps.
    #[arg(long)]
    fast: bool,
    /// Keep the folder with the projects and the journal, and name it at the end.
    #[arg(long)]
    keep: bool,
}

/// How a family's part of the demo went.
struct Score {
    family: Family,
    turns: usize,
    calls: usize,
    ending: Ending,
}

/// How a family's part of the demo ended.
enum Ending {
    /// The project's own test was run.
    Tested {
        checks: Checks,
        /// The project's files, path to content.
        files: BTreeMap<String, Vec<u8>>,
    },
    /// A step failed, for this reason.
    Failed(String),
}

/// A person asked the demo to end.
#[derive(Debug)]
struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("The demo was interrupted.")
    }
}

impl std::error::Error for Interrupted {}

pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<Exit> {
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let ended = threads.block_on(in_own_folder(args));
    threads.shutdown_background();
    match ended {
        Err(err) if err.is::<Interrupted>() => {
            note(&err.to_string());
            Ok(Exit::Cancelled)
        }
        ended => ended,
    }
}

/// Plays in a folder of its own, which is gone afterwards however it ended.
async fn in_own_folder(args: &DemoArgs) -> anyhow::Result<Exit> {
    // Listened to before there is anything to clean up.
    let ending = crate::signals::ending();
    let folder = tempfile::Builder::new()
        .prefix("toolpost-demo-")
        .tempdir()
        .context("there is no place for the demo's folder")?;
    let screen = Screen::new(if args.fast { Pace::Fast } else { Pace::Watched });
    let workshop = Workshop::new(&resolve(folder.path(), "")?);
    let ended = play_all(args, &workshop, &screen, &ending).await;
    workshop.close().await;
    drop(workshop);
    let removed = if args.keep {
        let kept = folder.keep();
        note(&format!("The demo's folder is kept: {}", kept.display()));
        Ok(())
    } else {
        folder.close()
    };
    let exit = ended?;
    removed.context("the demo's folder could not be removed")?;
    Ok(exit)
}

async fn play_all(
    args: &DemoArgs,
    workshop: &Workshop,
    screen: &Screen,
    ending: &Stop,
) -> anyhow::Result<Exit> {
    screen.welcome(if args.keep { "kept" } else { "removed" })?;
    let wanted = |family: &&Family| args.families.is_empty() || args.families.contains(family);
    let mut scores = Vec::new();
    for family in Family::ALL.iter().filter(wanted) {
        scores.push(play::play(*family, workshop, screen, ending).await?);
    }
    let agree = agreement(&scores);
    screen.heading("Summary", &[])?;
    for score in &scores {
        screen.result(score.passes(), &score.to_string())?;
    }
    if let Some(agreement) = &agree {
        let (Ok(words) | Err(words)) = agreement;
        screen.result(agreement.is_ok(), words)?;
    }
    screen.farewell()?;
    let good = scores.iter().all(Score::passes) && !matches!(agree, Some(Err(_)));
    Ok(if good { Exit::Done } else { Exit::Error })
}

/// Whether the families that came to the end left the same files; nothing when there are not two to compare.
fn agreement(scores: &[Score]) -> Option<Result<String, String>> {
    let tested = scores.iter().filter_map(|score| match &score.ending {
        Ending::Tested { files, .. } => Some((score.family, files)),
        Ending::Failed(_) => None,
    });
    let tested: Vec<_> = tested.collect();
    let ((first, files), others) = tested.split_first()?;
    if others.is_empty() {
        return None;
    }
    for (family, theirs) in others {
        let mut paths = files.keys().chain(theirs.keys());
        if let Some(path) = paths.find(|path| files.get(*path) != theirs.get(*path)) {
            let (first, family) = (first.name(), family.name());
            return Some(Err(format!("{first} and {family} left `{path}` unlike.")));
        }
    }
    let (families, files) = (tested.len(), files.len());
    Some(Ok(format!(
        "The {families} families left the same {files} files, byte for byte."
    )))
}

impl Score {
    /// Whether every step was done and every check passes.
    fn passes(&self) -> bool {
        matches!(&self.ending, Ending::Tested { checks, .. } if checks.all_pass())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            family,
            turns,
            calls,
            ending,
        } = self;
        let name = family.name();
        match ending {
            Ending::Tested { checks, .. } => {
                write!(out, "{name:<8} {turns} turns, {calls} calls, {checks}")
            }
            Ending::Failed(why) => write!(out, "{name:<8} {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checks, Ending, Family, Score, agreement};

    fn score(family: Family, ending: Ending) -> Score {
        Score {
            family,
            turns: 5,
            calls: 9,
            ending,
        }
    }

    fn left(text: &str) -> Ending {
        Ending::Tested {
            checks: Checks::read("ok 1 - it is there\n", Some(0)),
            files: [("a.sh".to_owned(), text.as_bytes().to_vec())].into(),
        }
    }

    #[test]
    fn a_score_is_a_line() {
        let check = |ending: Ending, passes: bool, line: &str| {
            let score = score(Family::Codex, ending);
            assert_eq!((score.passes(), score.to_string().as_str()), (passes, line));
        };
        check(
            left("x"),
            true,
            "codex    5 turns, 9 calls, 1 of 1 checks pass",
        );
        check(
            Ending::Failed("stopped".to_owned()),
            false,
            "codex    stopped",
        );
        let failing = Ending::Tested {
            checks: Checks::read("ok 1 - a\nnot ok 2 - b\n", Some(1)),
            files: [].into(),
        };
        check(
            failing,
            false,
            "codex    5 turns, 9 calls, 1 of 2 checks pass",
        );
    }

    #[test]
    fn files_are_compared() {
        let check = |endings: Vec<Ending>, expected: Option<Result<&str, &str>>| {
            let scores: Vec<Score> = Family::ALL
                .iter()
                .zip(endings)
                .map(|(family, ending)| score(*family, ending))
                .collect();
            let got = agreement(&scores);
            let got = got
                .as_ref()
                .map(|said| said.as_deref().map_err(String::as_str));
            assert_eq!(got, expected);
        };
        let failed = || Ending::Failed(String::new());
        check(vec![], None);
        check(vec![left("x")], None);
        check(vec![left("x"), failed()], None);
        let same = Some(Ok("The 2 families left the same 1 files, byte for byte."));
        check(vec![left("x"), failed(), left("x")], same);
        let unlike = Some(Err("claude and gemini left `a.sh` unlike."));
        check(vec![left("x"), left("x"), left("y")], unlike);
    }
}
