//! Generated pages are as the program would make them now.

use anyhow::Result;

use super::Finding;
use crate::pages;
use crate::repo::Repo;

/// Pages that are missing or differ from what would be written.
pub(super) fn check(repo: &Repo) -> Result<Vec<Finding>> {
    let made = pages::make_all(repo)?;
    let findings = made.iter().filter_map(|page| {
        let there = std::fs::read_to_string(repo.join(page.path)).ok();
        compare(page.path, there.as_deref(), &page.text)
    });
    Ok(findings.collect())
}

fn compare(path: &str, there: Option<&str>, made: &str) -> Option<Finding> {
    let fact = match there {
        None => "The page is missing; `cargo xtask docs` writes it.",
        Some(there) if there != made => {
            "The page is out of date; `cargo xtask docs` writes it anew."
        }
        Some(_) => return None,
    };
    Some(Finding::new(path, fact))
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn pages_that_differ_are_found() {
        let check = |there: Option<&str>, made: &str, expected: bool| {
            assert_eq!(
                compare("a.md", there, made).is_some(),
                expected,
                "{there:?}"
            );
        };
        check(Some("a\n"), "a\n", false);
        check(Some("a\n"), "b\n", true);
        check(None, "a\n", true);
    }
}
