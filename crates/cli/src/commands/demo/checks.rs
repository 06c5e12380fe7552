//! What the sample project's test says.

use std::fmt;

/// How many checks the project's test made, and how many of them pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Checks {
    passed: usize,
    made: usize,
    exit_code: Option<i64>,
}

impl Checks {
    /// Reads what the test printed, a line a check: `ok 1 - …` or `not ok 1 - …`.
    pub(super) fn read(printed: &str, exit_code: Option<i64>) -> Self {
        let begin = |with: &str| {
            printed
                .lines()
                .filter(|line| line.starts_with(with))
                .count()
        };
        let (passed, failed) = (begin("ok "), begin("not ok "));
        Self {
            passed,
            made: passed + failed,
            exit_code,
        }
    }

    /// Whether there were checks, all of them pass, and the test itself says so.
    pub(super) fn all_pass(self) -> bool {
        self.made > 0 && self.passed == self.made && self.exit_code == Some(0)
    }
}

impl fmt::Display for Checks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            made,
            exit_code,
        } = self;
        write!(out, "{passed} of {made} checks pass")?;
        match exit_code {
            Some(code) if *code != 0 && passed == made => {
                write!(out, ", but the test exits {code}")
            }
            None => write!(out, ", but the test did not end"),
            Some(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Checks;

    #[test]
    fn checks_are_counted() {
        let check = |printed: &str, exit_code: Option<i64>, passes: bool, words: &str| {
            let checks = Checks::read(printed, exit_code);
            assert_eq!(
                (checks.all_pass(), checks.to_string().as_str()),
                (passes, words),
                "{printed:?}"
            );
        };
        let good = "ok 1 - a\nok 2 - b\nAll 2 checks passed.\n";
        check(good, Some(0), true, "2 of 2 checks pass");
        check(
            good,
            Some(2),
            false,
            "2 of 2 checks pass, but the test exits 2",
        );
        check(
            good,
            None,
            false,
            "2 of 2 checks pass, but the test did not end",
        );
        let bad = "ok 1 - a\nnot ok 2 - b\n#   got: ok 3\n1 of 2 checks failed.\n";
        check(bad, Some(1), false, "1 of 2 checks pass");
        check(bad, Some(0), false, "1 of 2 checks pass");
        check("", Some(0), false, "0 of 0 checks pass");
    }
}
