//! A Rust file as the checks see it: its functions, what it mentions, and which of its lines are tests.

use std::ops::RangeInclusive;

use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::mentions::{self, Mention};
use crate::repo::TextFile;

/// A Rust file, read.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// Its path from the root.
    pub(super) path: String,
    /// How many lines it has without its tests.
    pub(super) own_lines: usize,
    /// Its functions, those of tests too.
    pub(super) functions: Vec<Function>,
    /// The names of the types that it makes, with their lines.
    pub(super) types: Vec<(String, usize)>,
    mentions: Vec<Mention>,
    tests: Vec<RangeInclusive<usize>>,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Function {
    /// Its name.
    pub(super) name: String,
    /// Its first line, after documentation and attributes.
    pub(super) line: usize,
    /// How many lines it has.
    pub(super) lines: usize,
    /// Its arguments that are a bare `bool`, when all the world may call it.
    pub(super) open_bools: Vec<String>,
}

impl Source {
    /// Reads a file.
    pub(super) fn read(file: &TextFile) -> Result<Self> {
        let parsed = syn::parse_file(&file.text)
            .with_context(|| format!("`{}` does not parse", file.path))?;
        let tokens: TokenStream = file
            .text
            .parse()
            .map_err(|err| anyhow::anyhow!("`{}` does not parse: {err}", file.path))?;
        let lines = file.text.lines().count();
        let mut reader = Reader::default();
        reader.visit_file(&parsed);
        mentions::in_tokens(tokens, &mut reader.source.mentions);
        mentions::of_ignored_examples(&file.text, &mut reader.source.mentions);
        let mut source = reader.source;
        if is_test_path(&file.path) {
            source.tests = std::iter::once(1..=lines).collect();
        }
        source.mentions.dedup();
        source.own_lines = (1..=lines).filter(|line| !source.is_test(*line)).count();
        source.path.clone_from(&file.path);
        Ok(source)
    }

    /// The crate's folder name.
    pub(super) fn room(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }

    /// Whether a line belongs to a test.
    pub(super) fn is_test(&self, line: usize) -> bool {
        self.tests.iter().any(|range| range.contains(&line))
    }

    /// What the file mentions, tests too.
    pub(super) fn mentions(&self) -> &[Mention] {
        &self.mentions
    }

    /// What the file mentions outside its tests.
    pub(super) fn own_mentions(&self) -> impl Iterator<Item = &Mention> {
        self.mentions
            .iter()
            .filter(|mention| !self.is_test(mention.line))
    }
}

/// Whether all of a file is for tests: integration tests, test modules in a file of their own, benches, examples.
fn is_test_path(path: &str) -> bool {
    let folders = ["/tests/", "/benches/", "/examples/"];
    folders.iter().any(|folder| path.contains(folder)) || path.ends_with("/tests.rs")
}

#[derive(Default)]
struct Reader {
    source: Source,
}

impl Reader {
    fn function(&mut self, sig: &syn::Signature, end: proc_macro2::Span, reach: Reach) {
        let line = sig.span().start().line;
        self.source.functions.push(Function {
            name: sig.ident.to_string(),
            line,
            lines: end.end().line.saturating_sub(line) + 1,
            open_bools: match reach {
                Reach::Open => bare_bools(sig),
                Reach::Closed => Vec::new(),
            },
        });
    }

    fn tests(&mut self, attrs: &[syn::Attribute], item: &impl Spanned) {
        if attrs.iter().any(is_test_attribute) {
            let span = item.span();
            self.source.tests.push(span.start().line..=span.end().line);
        }
    }

    fn made(&mut self, ident: &syn::Ident) {
        let line = ident.span().start().line;
        self.source.types.push((ident.to_string(), line));
    }
}

/// Who may call a function.
#[derive(Clone, Copy)]
enum Reach {
    Open,
    Closed,
}

fn reach(visibility: &syn::Visibility) -> Reach {
    match visibility {
        syn::Visibility::Public(_) => Reach::Open,
        _ => Reach::Closed,
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Mod(part) => self.tests(&part.attrs, item),
            syn::Item::Fn(part) => self.tests(&part.attrs, item),
            syn::Item::Impl(part) => self.tests(&part.attrs, item),
            syn::Item::Use(part) => self.tests(&part.attrs, item),
            syn::Item::Struct(part) => self.made(&part.ident),
            syn::Item::Enum(part) => self.made(&part.ident),
            syn::Item::Trait(part) => self.made(&part.ident),
            syn::Item::Type(part) => self.made(&part.ident),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, item.block.span(), reach(&item.vis));
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.tests(&item.attrs, item);
        self.function(&item.sig, item.block.span(), reach(&item.vis));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block.span(), Reach::Closed);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        mentions::in_imports(&item.tree, "", &mut self.source.mentions);
    }
}

fn bare_bools(sig: &syn::Signature) -> Vec<String> {
    let is_bool = |ty: &syn::Type| match ty {
        syn::Type::Path(path) => path.path.is_ident("bool"),
        _ => false,
    };
    let name = |pattern: &syn::Pat| match pattern {
        syn::Pat::Ident(name) => name.ident.to_string(),
        _ => "_".to_owned(),
    };
    sig.inputs
        .iter()
        .filter_map(|input| match input {
            syn::FnArg::Typed(typed) if is_bool(&typed.ty) => Some(name(&typed.pat)),
            _ => None,
        })
        .collect()
}

/// Whether an attribute makes something a test, or part of one: `#[test]`, `#[tokio::test]`, `#[cfg(test)]`.
fn is_test_attribute(attr: &syn::Attribute) -> bool {
    let last = attr.path().segments.last();
    if last.is_some_and(|segment| segment.ident == "test") {
        return true;
    }
    let syn::Meta::List(list) = &attr.meta else {
        return false;
    };
    attr.path().is_ident("cfg") && asks_for_test(list.tokens.clone())
}

/// Whether a condition holds for tests alone: `test`, `all(test, …)`; not `any(test, …)`, not `not(test)`.
fn asks_for_test(condition: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => ident == "test",
        TokenTree::Group(group) => {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            matches!(before, Some(TokenTree::Ident(word)) if word == "all")
                && asks_for_test(group.stream())
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::Source;
    use crate::repo::TextFile;

    fn read(path: &str, text: &str) -> Source {
        Source::read(&TextFile::new(path, text)).unwrap()
    }

    #[test]
    fn tests_are_told_apart() {
        let check = |path: &str, text: &str, expected: usize| {
            assert_eq!(read(path, text).own_lines, expected, "{path} {text:?}");
        };
        let path = "crates/x/src/lib.rs";
        check(
            path,
            "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n",
            1,
        );
        check(
            path,
            "fn a() {}\n#[cfg(all(test, unix))]\nmod tests {}\n",
            1,
        );
        check(path, "fn a() {}\n#[cfg(not(test))]\nmod b {}\n", 3);
        check(path, "fn a() {}\n#[cfg(any(test, unix))]\nmod b {}\n", 3);
        check(path, "#[tokio::test]\nasync fn a() {}\n", 0);
        check("crates/x/tests/it/main.rs", "fn a() {}\n", 0);
        check("crates/x/src/a/tests.rs", "fn a() {}\n", 0);
    }

    #[test]
    fn functions_are_measured() {
        let text =
            "/// Docs.\n#[inline]\npub fn a(b: bool,\n) {\n}\nimpl X {\n  fn c(d: bool) {}\n}\n";
        let source = read("crates/x/src/lib.rs", text);
        let told: Vec<_> = source
            .functions
            .iter()
            .map(|one| (one.name.as_str(), one.line, one.lines, one.open_bools.len()))
            .collect();
        assert_eq!(told, [("a", 3, 3, 1), ("c", 7, 1, 0)]);
    }

    #[test]
    fn a_file_that_does_not_parse_is_an_error() {
        assert!(Source::read(&TextFile::new("a.rs", "fn (")).is_err());
    }
}
