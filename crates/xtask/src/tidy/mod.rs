//! The checks of the house: each is one function over text or plain data, and gives what it found.

mod arrows;
mod call_sites;
mod fresh;
mod licences;
mod mentions;
mod names;
mod paths;
mod sizes;
mod source;
mod spdx;
mod stories;
mod tool_folders;

use std::fmt;

use anyhow::{Result, bail};

use self::source::Source;
use crate::metadata::Metadata;
use crate::repo::{Repo, TextFile};
use crate::step::step;

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    /// Where: a path, or a path and a line.
    place: String,
    /// What is wrong, in one sentence.
    fact: String,
}

impl Finding {
    fn new(place: impl Into<String>, fact: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            fact: fact.into(),
        }
    }

    fn at(path: &str, line: usize, fact: impl Into<String>) -> Self {
        Self::new(format!("{path}:{line}"), fact)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.fact)
    }
}

/// What the checks look at.
struct House<'a> {
    repo: &'a Repo,
    files: Vec<TextFile>,
    sources: Vec<Source>,
    metadata: Metadata,
}

/// A check by its name.
struct Check {
    name: &'static str,
    look: fn(&House) -> Result<Vec<Finding>>,
}

/// Every check, in the order in which they run. The last needs no look at our own files and has a step of its own.
const CHECKS: &[Check] = &[
    Check {
        name: "sizes",
        look: |house| Ok(sizes::check(&house.sources)),
    },
    Check {
        name: "names",
        look: |house| Ok(names::check(&house.sources)),
    },
    Check {
        name: "tool-folders",
        look: |house| Ok(tool_folders::check(&house.files)),
    },
    Check {
        name: "arrows",
        look: |house| Ok(arrows::check(&house.metadata)),
    },
    Check {
        name: "call-sites",
        look: |house| Ok(call_sites::check(&house.sources)),
    },
    Check {
        name: "paths",
        look: |house| Ok(paths::check(&house.files)),
    },
    Check {
        name: "pages",
        look: |house| fresh::check(house.repo),
    },
    Check {
        name: LICENCES,
        look: |house| Ok(licences::check(&house.metadata)),
    },
];

const LICENCES: &str = "licences";

/// Runs the named checks, or all, and fails when one finds something.
pub(crate) fn run(repo: &Repo, names: &[String]) -> Result<()> {
    let chosen = chosen(names)?;
    let files = repo.text_files()?;
    let sources: Result<Vec<Source>> = files
        .iter()
        .filter(|file| file.path.starts_with("crates/") && file.path.ends_with(".rs"))
        .map(Source::read)
        .collect();
    let house = House {
        repo,
        sources: sources?,
        files,
        metadata: Metadata::load(repo)?,
    };
    let mut total = 0;
    for check in chosen {
        let found = (check.look)(&house)?;
        println!("   tidy {}: {}", check.name, told(found.len()));
        found.iter().for_each(|finding| println!("     {finding}"));
        total += found.len();
    }
    if total > 0 {
        bail!("tidy: {}", told(total));
    }
    Ok(())
}

/// Runs the tidy checks as two steps: those of our own files, and that of other people's licences.
pub(crate) fn steps(repo: &Repo) -> Result<()> {
    let (own, others): (Vec<&str>, Vec<&str>) = CHECKS
        .iter()
        .map(|check| check.name)
        .partition(|name| *name != LICENCES);
    for (title, names) in [("tidy", own), (LICENCES, others)] {
        let repeat = format!("cargo xtask tidy {}", names.join(" "));
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        step(title, &repeat, || run(repo, &names))?;
    }
    Ok(())
}

fn chosen(names: &[String]) -> Result<Vec<&'static Check>> {
    if names.is_empty() {
        return Ok(CHECKS.iter().collect());
    }
    let find = |name: &String| CHECKS.iter().find(|check| check.name == name);
    names
        .iter()
        .map(|name| match find(name) {
            Some(check) => Ok(check),
            None => bail!("no check is called `{name}`; there are {}", all_names()),
        })
        .collect()
}

fn all_names() -> String {
    let names: Vec<_> = CHECKS.iter().map(|check| check.name).collect();
    names.join(", ")
}

fn told(count: usize) -> String {
    match count {
        0 => "nothing found".to_owned(),
        1 => "1 finding".to_owned(),
        more => format!("{more} findings"),
    }
}

#[cfg(test)]
mod tests {
    use super::{CHECKS, Finding, chosen, told};

    #[test]
    fn checks_are_chosen_by_name() {
        let check = |names: &[&str], expected: Option<usize>| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let got = chosen(&names).ok().map(|chosen| chosen.len());
            assert_eq!(got, expected, "{names:?}");
        };
        check(&[], Some(CHECKS.len()));
        check(&["sizes", "paths"], Some(2));
        check(&["sizes", "beauty"], None);
    }

    #[test]
    fn a_finding_says_where_and_what() {
        let finding = Finding::at("a.rs", 3, "It is wrong.");
        assert_eq!(finding.to_string(), "a.rs:3: It is wrong.");
        assert_eq!(
            [told(0), told(1), told(2)].join("|"),
            "nothing found|1 finding|2 findings"
        );
    }
}
