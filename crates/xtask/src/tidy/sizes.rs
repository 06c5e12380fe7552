//! No file and no function is longer than a reader can hold. Clippy counts the arguments.

use super::Finding;
use super::source::Source;

const FILE_LINES: usize = 400;
const FUNCTION_LINES: usize = 60;

/// Files over 400 lines without their tests, and functions over 60.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    if source.own_lines > FILE_LINES {
        let fact = format!(
            "The file has {} lines without its tests, more than {FILE_LINES}.",
            source.own_lines
        );
        found.push(Finding::new(&source.path, fact));
    }
    for function in &source.functions {
        if function.lines > FUNCTION_LINES {
            let fact = format!(
                "The function `{}` has {} lines, more than {FUNCTION_LINES}.",
                function.name, function.lines
            );
            found.push(Finding::at(&source.path, function.line, fact));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::repo::TextFile;
    use crate::tidy::source::Source;

    fn found(text: &str) -> Vec<String> {
        let source = Source::read(&TextFile::new("crates/x/src/a.rs", text)).unwrap();
        check(&[source]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn long_functions_are_found() {
        let function =
            |lines: usize| format!("\nfn a() {{\n{}}}\n", "    b();\n".repeat(lines - 2));
        assert_eq!(found(&function(60)), [""; 0]);
        assert_eq!(
            found(&function(61)),
            ["crates/x/src/a.rs:2: The function `a` has 61 lines, more than 60."]
        );
        let method = format!("impl A {{{}}}", function(61));
        assert_eq!(found(&method).len(), 1);
    }

    #[test]
    fn long_files_are_found() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "use a;\n".repeat(200));
        let file = |lines: usize| format!("{}{tests}", "use a;\n".repeat(lines));
        assert_eq!(found(&file(400)), [""; 0]);
        assert_eq!(
            found(&file(401)),
            ["crates/x/src/a.rs: The file has 401 lines without its tests, more than 400."]
        );
    }
}
