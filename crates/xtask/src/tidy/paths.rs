//! No file holds a path of somebody's machine, the host of a package registry, or a note to be dealt with later.

use super::Finding;
use crate::repo::TextFile;

/// Folders that only exist on the machine of whoever wrote them down. Written in two parts so that this file holds none.
const FOLDERS: &[&str] = &[concat!("/ro", "ot/"), concat!("/wo", "rk/")];
/// The folder of people's homes.
const HOMES: &str = concat!("/ho", "me/");
/// People who stand for anybody in examples.
const ANYBODY: &[&str] = &["you", "me", "user", "ada"];
/// Notes that are not left behind.
const NOTES: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("HA", "CK"),
    concat!("XX", "X"),
];
/// Settings that name a package registry's host.
const REGISTRIES: &[&str] = &[
    concat!("index", "-url"),
    concat!("trusted", "-host"),
    concat!("replace", "-with"),
];
/// Where Cargo.lock says that a package comes from, when it comes from the public registry.
const PUBLIC_SOURCE: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

/// Machine paths, registry hosts and notes.
pub(super) fn check(files: &[TextFile]) -> Vec<Finding> {
    files.iter().flat_map(of_file).collect()
}

fn of_file(file: &TextFile) -> Vec<Finding> {
    let lines = file.text.lines().enumerate();
    let mut found = Vec::new();
    for (at, line) in lines {
        let facts = [
            machine_path(line),
            note(line),
            registry(line),
            foreign_source(&file.path, line),
        ];
        let finding = |fact| Finding::at(&file.path, at + 1, fact);
        found.extend(facts.into_iter().flatten().map(finding));
    }
    found
}

fn machine_path(line: &str) -> Option<String> {
    let folder = FOLDERS
        .iter()
        .find(|folder| rests_after(line, folder).next().is_some());
    if let Some(folder) = folder {
        return Some(format!("A path of one machine stands here: `{folder}`."));
    }
    rests_after(line, HOMES).find_map(|rest| {
        let is_letter = |letter: &char| letter.is_ascii_lowercase();
        let name: String = rest.chars().take_while(is_letter).collect();
        let is_folder = rest.strip_prefix(name.as_str())?.starts_with('/');
        let is_somebody = !name.is_empty() && !ANYBODY.contains(&name.as_str());
        (is_folder && is_somebody).then(|| format!("Somebody's home stands here: `{HOMES}{name}`."))
    })
}

/// What follows each place where an absolute path begins with the folder.
fn rests_after<'a>(line: &'a str, folder: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(folder).filter_map(move |(at, _)| {
        let before = line.get(..at)?.chars().next_back();
        let continues =
            before.is_some_and(|letter| letter.is_alphanumeric() || "._-~}])*$/".contains(letter));
        (!continues)
            .then(|| line.get(at + folder.len()..))
            .flatten()
    })
}

fn note(line: &str) -> Option<String> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = line.split(|letter| !is_word(letter));
    let note = words.find(|word| NOTES.contains(word))?;
    Some(format!("A note was left behind: `{note}`."))
}

fn registry(line: &str) -> Option<String> {
    let setting = REGISTRIES.iter().find(|setting| line.contains(**setting))?;
    Some(format!("A package registry is set here: `{setting}`."))
}

fn foreign_source(path: &str, line: &str) -> Option<String> {
    let is_foreign =
        path.ends_with("Cargo.lock") && line.starts_with("source = ") && line != PUBLIC_SOURCE;
    is_foreign.then(|| "The package comes from elsewhere than the public registry.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{HOMES, PUBLIC_SOURCE, check};
    use crate::repo::TextFile;

    #[test]
    fn what_belongs_to_one_machine_is_found() {
        let check = |path: &str, text: &str, expected: usize| {
            let found = check(&[TextFile::new(path, text)]);
            assert_eq!(found.len(), expected, "{path} {text:?} {found:?}");
        };
        let path = "a.md";
        check(path, concat!("in /ro", "ot/a"), 1);
        check(path, concat!("`/wo", "rk/a`"), 1);
        check(path, concat!("our/wo", "rk/a and $HOME/wo", "rk/a"), 0);
        check(path, concat!("echo a >/ro", "ot/a"), 1);
        check(path, "the homework/roots of /rooted/ /working/", 0);
        check(path, &format!("{HOMES}{}/x", "somebody"), 1);
        check(path, &format!("{HOMES}you/x {HOMES}ada/y"), 0);
        check(path, &format!("{HOMES}you/x {HOMES}{}/y", "somebody"), 1);
        check(path, &format!("under {HOMES}"), 0);
        check(path, concat!("// TO", "DO: later"), 1);
        check(path, concat!("FIX", "ME\nHA", "CK\nXX", "X"), 3);
        check(path, "mktemp XXXXXX, TODOS, TodoWrite", 0);
        check(path, concat!("pip --index", "-url u"), 1);
        check("Cargo.lock", PUBLIC_SOURCE, 0);
        check(
            "Cargo.lock",
            "source = \"registry+https://mirror.example/index\"",
            1,
        );
    }

    #[test]
    fn a_finding_names_its_line() {
        let found = check(&[TextFile::new("a.md", concat!("one\ntwo XX", "X"))]);
        assert_eq!(found[0].place, "a.md:2");
    }
}
