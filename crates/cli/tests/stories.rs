//! Every tool's stories, through every door: in process through the library, and through the built binary.
//!
//! Each is a test of its own, named after its file, its heading and its door. With `TOOLPOST_UPDATE=1` those that are
//! run are brought up to date first; the diff is then read like code.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use toolpost_story::{Binary, Book, BookError, Door, InProcess, Story, books, run};

const TOOLS: &str = "crates/tools/src";

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let base = base();
    let mut found = books(&base.join(TOOLS), &base);
    if wants_update() && !args.list {
        found = found
            .into_iter()
            .map(|book| refresh(book?, &args))
            .collect();
    }
    let trials = found.into_iter().flat_map(trials).collect();
    libtest_mimic::run(&args, trials).exit_code()
}

/// The folder of the whole project.
fn base() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let base = here.parent().and_then(Path::parent);
    base.unwrap_or(here).to_owned()
}

fn wants_update() -> bool {
    let environment = toolpost::host::environment();
    environment
        .iter()
        .any(|(key, value)| key == "TOOLPOST_UPDATE" && value == "1")
}

/// Brings the stories up to date whose tests are asked for.
fn refresh(book: Book, args: &Arguments) -> Result<Book, BookError> {
    let name = book.name.clone();
    let asked = |name: String| match &args.filter {
        Some(filter) if args.exact => &name == filter,
        Some(filter) => name.contains(filter),
        None => true,
    };
    let wanted = |story: &Story| {
        doors()
            .iter()
            .any(|door| asked(title(&name, story, door.name())))
    };
    book.refresh(&InProcess, &wanted)
}

fn doors() -> [Arc<dyn Door>; 2] {
    let program = Path::new(env!("CARGO_BIN_EXE_toolpost"));
    [Arc::new(InProcess), Arc::new(Binary::new(program))]
}

/// The tests of a file: each story through each door. A file that cannot be read fails as one.
fn trials(book: Result<Book, BookError>) -> Vec<Trial> {
    let Book { name, stories, .. } = match book {
        Ok(book) => book,
        Err(err) => {
            let fact = err.to_string();
            return vec![Trial::test(err.name, move || Err(Failed::from(fact)))];
        }
    };
    let of_story = |story: Story| {
        let name = name.clone();
        doors()
            .into_iter()
            .map(move |door| trial(&name, story.clone(), door))
    };
    stories.into_iter().flat_map(of_story).collect()
}

fn trial(book: &str, story: Story, door: Arc<dyn Door>) -> Trial {
    let title = title(book, &story, door.name());
    Trial::test(title, move || run(&story, &*door).map_err(Failed::from))
}

/// A test's name: the tool's folder and the file, the heading, the door.
fn title(book: &str, story: &Story, door: &str) -> String {
    let short = book.trim_start_matches(TOOLS).trim_start_matches('/');
    let short = short.trim_end_matches(".md").replace("stories/", "");
    format!("{short}: {} ({door})", story.heading)
}
