//! `toolpost doctor`: is everything there that toolpost needs?

use serde_json::json;
use toolpost::core::{CallId, Completeness, Form, RawArgs, RawCall};
use toolpost::{Controls, Dialect, Selection};

use crate::args::Common;
use crate::exit::Exit;
use crate::place::Place;
use crate::print::line;

/// One thing that was looked at.
struct Finding {
    what: &'static str,
    grade: Grade,
    words: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Grade {
    Good,
    Missing,
    Broken,
}

impl Grade {
    fn name(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Missing => "missing",
            Self::Broken => "broken",
        }
    }
}

pub(crate) fn run(common: &Common) -> anyhow::Result<Exit> {
    let place = Place::new(common)?;
    let findings = [version(), state(&place), shell(&place)?, sandbox()];
    for finding in &findings {
        let Finding { what, grade, words } = finding;
        if common.json {
            line(&json!({ "check": what, "result": grade.name(), "words": words }).to_string())?;
        } else {
            line(&format!("{:<8} {what:<10} {words}", grade.name()))?;
        }
    }
    let broken = findings
        .iter()
        .any(|finding| finding.grade == Grade::Broken);
    Ok(if broken { Exit::Error } else { Exit::Done })
}

fn version() -> Finding {
    Finding {
        what: "version",
        grade: Grade::Good,
        words: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// The private state can be read and written.
fn state(place: &Place) -> Finding {
    let folder = place.dirs.state.display();
    let kept = place
        .toolpost
        .toolset(&Selection::usual(Dialect::PLAIN))
        .map_err(|err| err.to_string());
    let kept = kept.and_then(|toolset| {
        let runtime = place.toolpost.runtime();
        runtime
            .keep(&toolset)
            .and_then(|()| runtime.store().unfinished())
            .map_err(|err| err.to_string())
    });
    match kept {
        Ok(unfinished) => {
            let count = unfinished.len();
            let words = format!("{folder}; {count} calls without an end in the journal");
            Finding {
                what: "state",
                grade: Grade::Good,
                words,
            }
        }
        Err(err) => Finding {
            what: "state",
            grade: Grade::Broken,
            words: format!("{folder}: {err}"),
        },
    }
}

/// A command really runs.
fn shell(place: &Place) -> anyhow::Result<Finding> {
    let spec = toolpost::SessionSpec::new(&place.cwd, toolpost::Mode::Auto);
    let session = place.toolpost.session(spec)?;
    let toolset = place.toolpost.toolset(&Selection::usual(Dialect::PLAIN))?;
    let call = RawCall {
        id: CallId("doctor".to_owned()),
        name: "shell.run".to_owned(),
        args: RawArgs::Value(json!({ "command": "echo well" })),
        completeness: Completeness::Whole,
        form: Form::Function,
    };
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let answer = threads.block_on(place.toolpost.batch(
        &session,
        &toolset,
        vec![call],
        &Controls::new(),
    ));
    let text = answer
        .replies
        .first()
        .map(toolpost::Reply::text)
        .unwrap_or_default();
    let good = text.contains("well");
    let words = if good {
        "commands run".to_owned()
    } else {
        text
    };
    Ok(Finding {
        what: "shell",
        grade: if good { Grade::Good } else { Grade::Broken },
        words,
    })
}

fn sandbox() -> Finding {
    let words = "this version has none: commands can do what you can".to_owned();
    Finding {
        what: "sandbox",
        grade: Grade::Missing,
        words,
    }
}
