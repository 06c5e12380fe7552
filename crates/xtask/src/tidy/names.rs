//! Names say what a thing is, and a public function names what it is asked for.

use super::Finding;
use super::source::Source;

/// Endings that say nothing of what a type is.
const TYPE_ENDINGS: &[&str] = &["Manager", "Helper", "Helpers", "Util", "Utils"];
/// Beginnings that say nothing of what a function does.
const FUNCTION_BEGINNINGS: &[&str] = &["handle_", "do_"];

/// Types and functions with empty names, and public functions that take a bare `bool`.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    for (name, line) in &source.types {
        if TYPE_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            let fact = format!("The type's name `{name}` does not say what it is.");
            found.push(Finding::at(&source.path, *line, fact));
        }
    }
    for function in &source.functions {
        let name = &function.name;
        if FUNCTION_BEGINNINGS
            .iter()
            .any(|word| name.starts_with(word))
        {
            let fact = format!("The function's name `{name}` does not say what it does.");
            found.push(Finding::at(&source.path, function.line, fact));
        }
        for argument in &function.open_bools {
            let fact = format!("The public `{name}` takes a bare `bool` as `{argument}`.");
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

    #[test]
    fn empty_names_are_found() {
        let check = |text: &str, expected: usize| {
            let source = Source::read(&TextFile::new("crates/x/src/a.rs", text)).unwrap();
            assert_eq!(check(&[source]).len(), expected, "{text}");
        };
        check("struct ToolManager;", 1);
        check("enum PathUtils {}", 1);
        check("struct Tools; enum Path {}", 0);
        check("fn handle_call() {} fn do_it() {}", 2);
        check("fn call() {} fn domain() {}", 0);
        check("pub fn a(force: bool) {}", 1);
        check("impl A { pub fn a(&self, force: bool, all: bool) {} }", 2);
        check("pub(crate) fn a(force: bool) -> bool {}", 0);
    }
}
