//! The case book: real mishaps of agents' tools, run over the program from outside.

use anyhow::{Result, bail};

use crate::binary;
use crate::repo::Repo;
use crate::step::{Line, step};

/// The list of areas that are done.
const AREAS: &str = "cases-areas.txt";

/// Runs the given areas, or those of the list, where the case book is there.
pub(crate) fn run(repo: &Repo, areas: &[String]) -> Result<()> {
    let Some(book) = repo.shared("TOOLPOST_CASES", "shared/cases", "run.py")? else {
        println!("cases: skipped, the case book is not there (set TOOLPOST_CASES to its folder)");
        return Ok(());
    };
    let areas = match areas {
        [] => listed(&std::fs::read_to_string(repo.join(AREAS))?),
        named => named.to_vec(),
    };
    if areas.is_empty() {
        bail!("{AREAS} names no area");
    }
    let program = binary::build(repo)?;
    let line = Line::of("python3 -B")
        .and(book.join("run.py").display().to_string())
        .and("--bin")
        .and(program.display().to_string())
        .and("--area")
        .and(areas.join(","))
        .and("--jobs")
        .and("2");
    step("cases", &line.typed(), || line.run(&repo.root))?;
    Ok(())
}

/// The areas of a list: one a line, `#` begins a remark.
fn listed(text: &str) -> Vec<String> {
    let bare = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    text.lines()
        .map(bare)
        .filter(|line| !line.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn areas_stand_one_a_line() {
        let check = |text: &str, expected: &[&str]| assert_eq!(listed(text), expected, "{text:?}");
        check("args\n", &["args"]);
        check("# done\nargs  # first\n\nedit", &["args", "edit"]);
        check("", &[]);
    }
}
