//! Walking folders by the rules that all searches share.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::{Hidden, Ignored, Rules, SearchError};

/// The rules, ready to be asked.
#[derive(Debug, Clone)]
pub(super) struct Filter {
    root: PathBuf,
    include: Option<GlobSet>,
    exclude: GlobSet,
    types: Option<Types>,
    git: Hidden,
}

impl Filter {
    pub(super) fn new(root: &Path, rules: &Rules) -> Result<Self, SearchError> {
        let (exclude, include): (Vec<&String>, Vec<&String>) =
            rules.globs.iter().partition(|glob| glob.starts_with('!'));
        let exclude = exclude.iter().filter_map(|glob| glob.strip_prefix('!'));
        let include_set = glob_set(include.iter().map(|glob| glob.as_str()))?;
        Ok(Self {
            root: root.to_path_buf(),
            include: (!include.is_empty()).then_some(include_set),
            exclude: glob_set(exclude)?,
            types: types(&rules.types)?,
            git: rules.hidden,
        })
    }

    /// Whether a folder is to be entered. What git keeps for itself is shown to those who ask for all that is hidden.
    fn enters(&self, folder: &Path) -> bool {
        let is_git = folder.file_name().is_some_and(|name| name == ".git");
        let passes = !is_git || self.git == Hidden::Show;
        passes && !self.exclude.is_match(self.below_root(folder))
    }

    /// Whether a file is to be looked at.
    pub(super) fn takes(&self, file: &Path) -> bool {
        let below = self.below_root(file);
        let included = self
            .include
            .as_ref()
            .is_none_or(|include| include.is_match(below));
        let of_type = self
            .types
            .as_ref()
            .is_none_or(|types| types.matched(file, false).is_whitelist());
        included && of_type && !self.exclude.is_match(below)
    }

    fn below_root<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }
}

/// Prepares a walk. It enters no folder that the rules exclude; whether a file counts, [`Filter::takes`] says.
pub(super) fn walk(root: &Path, rules: &Rules, filter: &Filter) -> WalkBuilder {
    let honour = rules.ignored == Ignored::Skip;
    let mut builder = WalkBuilder::new(root);
    builder
        .hidden(rules.hidden == Hidden::Skip)
        .parents(honour)
        .ignore(honour)
        .git_ignore(honour)
        .git_exclude(honour)
        // What a person ignores on all their machines is no property of the project.
        .git_global(false)
        .require_git(false)
        .follow_links(false)
        .max_depth(rules.depth);
    if honour {
        builder.add_custom_ignore_filename(".rgignore");
    }
    let filter = filter.clone();
    builder.filter_entry(move |entry| {
        entry.depth() == 0 || !is_folder(entry) || filter.enters(entry.path())
    });
    builder
}

pub(super) fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn glob_set<'a>(globs: impl Iterator<Item = &'a str>) -> Result<GlobSet, SearchError> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(glob_of(&anywhere(glob))?);
    }
    set.build().map_err(|err| glob_error(&err))
}

/// Makes a glob in which `*` does not match a slash and braces hold alternatives.
pub(super) fn glob_of(pattern: &str) -> Result<globset::Glob, SearchError> {
    GlobBuilder::new(pattern)
        .literal_separator(true)
        .backslash_escape(true)
        .empty_alternates(true)
        .build()
        .map_err(|err| glob_error(&err))
}

/// A glob without a slash counts at any depth; one that ends with a slash means all that is below.
pub(super) fn anywhere(glob: &str) -> String {
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    let folder = glob.ends_with('/');
    let whole = glob.trim_end_matches('/');
    let from_root = whole.strip_prefix('/').unwrap_or(whole);
    let head = if whole.contains('/') { "" } else { "**/" };
    let tail = if folder { "/**" } else { "" };
    format!("{head}{from_root}{tail}")
}

fn glob_error(err: &globset::Error) -> SearchError {
    let glob = err.glob().unwrap_or_default();
    SearchError::pattern(format!(
        "the glob `{glob}` is not understood: {}",
        err.kind()
    ))
}

/// The file types of these names; `None` when there are no names.
fn types(names: &[String]) -> Result<Option<Types>, SearchError> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for name in names {
        builder.select(name);
    }
    match builder.build() {
        Ok(types) => Ok(Some(types)),
        Err(ignore::Error::UnrecognizedFileType(name)) => Err(SearchError::pattern(format!(
            "the file type `{name}` is not known"
        ))),
        Err(err) => Err(SearchError::pattern(err.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::anywhere;

    #[test]
    fn globs_count_anywhere_or_from_the_root() {
        let check = |glob: &str, expected: &str| assert_eq!(anywhere(glob), expected);
        check("*.rs", "**/*.rs");
        check("./*.rs", "**/*.rs");
        check("src/*.rs", "src/*.rs");
        check("/*.rs", "*.rs");
        check("src/", "**/src/**");
        check("a/b/", "a/b/**");
        check("**", "**/**");
    }
}
