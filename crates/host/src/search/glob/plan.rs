//! How a glob is looked for: where the walk begins, and what is compared.

use std::path::{Path, PathBuf};

use globset::GlobMatcher;

use super::super::walk::{anywhere, glob_of};
use super::super::{Hidden, Rules, SearchError};
use crate::paths;

/// A glob, ready to be looked for.
pub(super) struct Plan {
    /// Where the walk begins.
    pub(super) start: PathBuf,
    /// What an entry's path below the start is compared with.
    pub(super) matcher: GlobMatcher,
    /// The rules, with hidden entries shown if the pattern names some.
    pub(super) rules: Rules,
}

impl Plan {
    pub(super) fn new(root: &Path, pattern: &str, rules: &Rules) -> Result<Self, SearchError> {
        let (start, rest) = glob_root(root, pattern);
        require_inside(root, &start)?;
        let names_hidden = rest.split('/').any(|part| part.starts_with('.'));
        let mut rules = rules.clone();
        if names_hidden {
            rules.hidden = Hidden::Show;
        }
        Ok(Self {
            start,
            matcher: glob_of(&rest)?.compile_matcher(),
            rules,
        })
    }
}

/// Splits a glob into the folder that it begins in and what is looked for below. Leading parts that are plain names,
/// or names of folders that are there, belong to the folder; it may lie outside the root, and links are not resolved.
#[must_use]
pub fn glob_root(root: &Path, pattern: &str) -> (PathBuf, String) {
    let mut start = root.to_path_buf();
    let mut rest = pattern;
    if let Some(below) = pattern.strip_prefix('/') {
        start = PathBuf::from("/");
        rest = below;
    }
    let mut led = false;
    while let Some((part, after)) = rest.split_once('/')
        && !after.trim_matches('/').is_empty()
    {
        let plain = part.is_empty() || part == ".";
        if !plain && has_signs(part) && !start.join(part).is_dir() {
            break;
        }
        if !plain {
            start.push(part);
            led = true;
        }
        rest = after;
    }
    let anchored = led || pattern.starts_with('/');
    let rest = match (rest.trim_matches('/'), anchored) {
        ("" | ".", _) => "**".to_owned(),
        (name, true) if rest.ends_with('/') => format!("{name}/**"),
        (name, true) => name.to_owned(),
        (_, false) => anywhere(rest),
    };
    (start, rest)
}

/// Whether a text holds signs that mean something in a glob.
pub(super) fn has_signs(text: &str) -> bool {
    text.contains(['*', '?', '[', ']', '{', '}', '\\'])
}

/// Refuses a place outside a folder, with links resolved.
pub(super) fn require_inside(root: &Path, place: &Path) -> Result<(), SearchError> {
    if paths::follow(place)?.starts_with(paths::follow(root)?) {
        return Ok(());
    }
    Err(SearchError::pattern(
        "the pattern leads out of the folder that is searched",
    ))
}

#[cfg(test)]
mod tests {
    use super::glob_root;
    use std::path::Path;

    #[test]
    fn a_glob_begins_where_its_names_end() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(place.path().join("app/[id]")).unwrap();
        let check = |pattern: &str, start: &str, rest: &str| {
            let expected = (place.path().join(start), rest.to_owned());
            let (found, looked_for) = glob_root(place.path(), pattern);
            assert_eq!(
                (found.as_path(), looked_for.as_str()),
                (trimmed(&expected.0), rest),
                "{pattern}"
            );
        };
        check("*.rs", "", "**/*.rs");
        check("name", "", "**/name");
        check("./name", "", "**/name");
        check("**/*.rs", "", "**/*.rs");
        check("src/*.rs", "src", "*.rs");
        check("src/a/**/b", "src/a", "**/b");
        check("app/[id]/*.ts", "app/[id]", "*.ts");
        check("{a,b/c}/d", "", "{a,b/c}/d");
        check("../x/*", "../x", "*");
        check("/etc/*.conf", "/etc", "*.conf");
        check("/*", "/", "*");
        check("src/", "", "**/src/**");
        check("a/b/", "a", "b/**");
        check("", "", "**");
        check(".", "", "**");
    }

    fn trimmed(path: &Path) -> &Path {
        path.to_str().map_or(path, |text| {
            Path::new(if text.len() > 1 {
                text.trim_end_matches('/')
            } else {
                text
            })
        })
    }
}
