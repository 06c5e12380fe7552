//! What code mentions: names and paths, within macros too. Words of comments and texts are none.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;

/// A name or a path in the code: `std::fs::read`, `unsafe`, `println!`, `#[ignore]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// What stands there.
    pub(super) name: String,
    /// The line.
    pub(super) line: usize,
}

impl Mention {
    fn new(name: impl Into<String>, span: Span) -> Self {
        Self {
            name: name.into(),
            line: span.start().line,
        }
    }

    fn of_ignored(line: usize) -> Self {
        Self {
            name: "#[ignore]".to_owned(),
            line,
        }
    }
}

/// Every path that a `use` brings in, written out. A new name for a thing is mentioned as `Thing as`.
pub(super) fn in_imports(tree: &syn::UseTree, before: &str, found: &mut Vec<Mention>) {
    let joined = |ident: &Ident| match before {
        "" => ident.to_string(),
        before => format!("{before}::{ident}"),
    };
    match tree {
        syn::UseTree::Path(path) => in_imports(&path.tree, &joined(&path.ident), found),
        syn::UseTree::Group(group) => {
            let parts = group.items.iter();
            parts.for_each(|part| in_imports(part, before, found));
        }
        syn::UseTree::Name(name) => found.push(Mention::new(joined(&name.ident), name.span())),
        syn::UseTree::Rename(rename) => {
            found.push(Mention::new(joined(&rename.ident), rename.span()));
            found.push(Mention::new(format!("{} as", rename.ident), rename.span()));
        }
        syn::UseTree::Glob(glob) => found.push(Mention::new(format!("{before}::*"), glob.span())),
    }
}

/// Every path of a stream of tokens.
pub(super) fn in_tokens(tokens: TokenStream, found: &mut Vec<Mention>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rest = tokens.as_slice();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            TokenTree::Ident(ident) => {
                let (name, behind) = path(ident, after);
                found.push(Mention::new(name, ident.span()));
                rest = behind;
            }
            TokenTree::Group(group) => in_tokens(group.stream(), found),
            TokenTree::Punct(sign) if sign.as_char() == '#' && leaves_out(after) => {
                found.push(Mention::of_ignored(sign.span().start().line));
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The path that begins with a name, with a `!` when it is called as a macro, and what stands behind it.
fn path<'a>(first: &Ident, mut rest: &'a [TokenTree]) -> (String, &'a [TokenTree]) {
    let mut name = first.to_string();
    while let [one, other, TokenTree::Ident(next), behind @ ..] = rest
        && is_sign(one, ':')
        && is_sign(other, ':')
    {
        name.push_str("::");
        name.push_str(&next.to_string());
        rest = behind;
    }
    if let [sign, TokenTree::Group(_), ..] = rest
        && is_sign(sign, '!')
    {
        name.push('!');
    }
    (name, rest)
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// Whether an attribute, seen from behind its `#`, leaves a test out: `ignore`, `cfg_attr(…, ignore)`.
fn leaves_out(attribute: &[TokenTree]) -> bool {
    let Some(TokenTree::Group(group)) = attribute.first() else {
        return false;
    };
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    let is_attribute = group.delimiter() == Delimiter::Bracket;
    is_attribute
        && match inside.as_slice() {
            [TokenTree::Ident(name), ..] if name == "ignore" => true,
            [TokenTree::Ident(name), TokenTree::Group(parts), ..] if name == "cfg_attr" => {
                let is_ignore = |token| matches!(token, TokenTree::Ident(word) if word == "ignore");
                parts.stream().into_iter().any(is_ignore)
            }
            _ => false,
        }
}

/// Examples in documentation that are marked as not to be run.
pub(super) fn of_ignored_examples(text: &str, found: &mut Vec<Mention>) {
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or(line.strip_prefix("//!"));
        let fence = comment.and_then(|comment| comment.trim_start().strip_prefix("```"));
        if fence.is_some_and(|words| words.split(',').any(|word| word.trim() == "ignore")) {
            found.push(Mention::of_ignored(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::repo::TextFile;
    use crate::tidy::source::Source;

    #[test]
    fn mentions_are_code_not_words() {
        let check = |text: &str, expected: &[&str]| {
            let source = Source::read(&TextFile::new("crates/x/src/lib.rs", text)).unwrap();
            let names: Vec<&str> = source
                .mentions()
                .iter()
                .map(|one| one.name.as_str())
                .collect();
            for name in expected {
                let (wanted, name) = match name.strip_prefix('-') {
                    Some(name) => (false, name),
                    None => (true, *name),
                };
                assert_eq!(names.contains(&name), wanted, "{name} in {names:?}");
            }
        };
        check("fn a() { std::fs::read(x); }", &["std::fs::read", "fn"]);
        check(
            "use std::{fs, io::Read as R};",
            &["std::fs", "std::io::Read", "Read as"],
        );
        check(
            "// std::fs::read\nconst A: &str = \"std::fs\";",
            &["-std::fs::read", "-std::fs"],
        );
        check(
            "fn a() { println!(\"{}\", Permit::issue()); }",
            &["println!", "Permit::issue"],
        );
        check(
            "m! { #[ignore] fn a() { b(Permit::issue) } }",
            &["#[ignore]", "Permit::issue"],
        );
        check("#[cfg_attr(miri, ignore)]\nfn a() {}", &["#[ignore]"]);
        check("#[derive(A)]\nstruct B { ignore: u8 }", &["-#[ignore]"]);
        check("/// ```rust,ignore\n/// ```\nfn a() {}", &["#[ignore]"]);
        check(
            "fn a(b: std::fs::File) -> bool { !c }",
            &["std::fs::File", "-a!"],
        );
    }
}
