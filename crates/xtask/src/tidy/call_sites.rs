//! What may stand in few places stands only there.

use super::Finding;
use super::mentions::Mention;
use super::source::Source;

const DECIDE: &str = "crates/runtime/src/stages/decide.rs";

/// Whether tests are held to a rule too.
#[derive(Clone, Copy)]
enum Extent {
    Everything,
    CodeAlone,
}

/// Something that may be mentioned only in some places.
struct Rule {
    /// Whether a mention is of the kind.
    is: fn(&str) -> bool,
    /// The crates where it may stand.
    rooms: &'static [&'static str],
    extent: Extent,
    fact: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        is: |name| ends(name, "Bounded::seal"),
        rooms: &["govern"],
        extent: Extent::CodeAlone,
        fact: "Only `govern` seals what leaves.",
    },
    Rule {
        is: |name| ["Permit as", "Bounded as"].contains(&name),
        rooms: &[],
        extent: Extent::Everything,
        fact: "`Permit` and `Bounded` keep their names, so that their call sites are found.",
    },
    Rule {
        is: |name| starts(name, "anyhow"),
        rooms: &["cli", "xtask"],
        extent: Extent::Everything,
        fact: "`anyhow` is for `cli` and `xtask`.",
    },
    Rule {
        is: |name| {
            ["println!", "eprintln!", "print!", "eprint!"]
                .iter()
                .any(|called| ends(name, called))
        },
        rooms: &["cli", "xtask"],
        extent: Extent::CodeAlone,
        fact: "Only `cli` and `xtask` print.",
    },
    Rule {
        is: |name| starts(name, "std::fs") || starts(name, "tokio::fs"),
        rooms: &["host", "store", "story", "cli", "xtask"],
        extent: Extent::CodeAlone,
        fact: "Files are `host`'s and `store`'s; `story`, which only tests use, keeps its own.",
    },
    Rule {
        is: |name| name == "unsafe",
        rooms: &["host"],
        extent: Extent::Everything,
        fact: "`unsafe` stands in one module of `host`.",
    },
    Rule {
        is: |name| name == "#[ignore]",
        rooms: &[],
        extent: Extent::Everything,
        fact: "Nothing is ignored: a test holds or goes.",
    },
];

/// Mentions out of place, permits made elsewhere than in one line, `unsafe` in more than one module.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut found: Vec<Finding> = sources.iter().flat_map(out_of_place).collect();
    found.extend(permits(sources));
    found.extend(unsafe_modules(sources));
    found
}

fn out_of_place(source: &Source) -> Vec<Finding> {
    let rules = RULES
        .iter()
        .filter(|rule| !rule.rooms.contains(&source.room()));
    let mut found = Vec::new();
    for rule in rules {
        let held = |mention: &&Mention| match rule.extent {
            Extent::Everything => true,
            Extent::CodeAlone => !source.is_test(mention.line),
        };
        let mentions = source.mentions().iter().filter(held);
        let mut lines: Vec<usize> = mentions
            .filter(|mention| (rule.is)(&mention.name))
            .map(|mention| mention.line)
            .collect();
        lines.dedup();
        let finding = |line| Finding::at(&source.path, line, rule.fact);
        found.extend(lines.into_iter().map(finding));
    }
    found
}

/// A permit is made in one line of the deciding stage; tests make their own.
fn permits(sources: &[Source]) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut there = 0;
    for source in sources {
        let made = source
            .own_mentions()
            .filter(|mention| ends(&mention.name, "Permit::issue"));
        for mention in made {
            if source.path != DECIDE {
                let fact = format!("Only {DECIDE} makes a permit.");
                found.push(Finding::at(&source.path, mention.line, fact));
            } else {
                there += 1;
            }
        }
    }
    if there != 1 {
        let fact = format!("Permits are made in {there} places of the deciding stage, not in one.");
        found.push(Finding::new(DECIDE, fact));
    }
    found
}

fn unsafe_modules(sources: &[Source]) -> Vec<Finding> {
    let has = |source: &&Source| {
        source
            .mentions()
            .iter()
            .any(|mention| mention.name == "unsafe")
    };
    let modules: Vec<&str> = sources
        .iter()
        .filter(|source| source.room() == "host")
        .filter(has)
        .map(|source| source.path.as_str())
        .collect();
    if modules.len() < 2 {
        return Vec::new();
    }
    let fact = format!("`unsafe` stands in {} modules, not in one.", modules.len());
    vec![Finding::new(modules.join(", "), fact)]
}

/// Whether a path begins with these segments.
fn starts(name: &str, segments: &str) -> bool {
    name.strip_prefix(segments)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Whether a path ends with these segments.
fn ends(name: &str, segments: &str) -> bool {
    name.strip_suffix(segments)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
}

#[cfg(test)]
mod tests {
    use super::{DECIDE, check};
    use crate::repo::TextFile;
    use crate::tidy::source::Source;

    const ISSUES: &str = "fn a() { Permit::issue(); }";

    /// What is found in one file beside a sound deciding stage.
    fn found(path: &str, text: &str) -> Vec<String> {
        let read = |path, text| Source::read(&TextFile::new(path, text)).unwrap();
        let sources = [read(DECIDE, ISSUES), read(path, text)];
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_out_of_place_is_found() {
        let check = |path: &str, text: &str, expected: usize| {
            let found = found(path, text);
            assert_eq!(found.len(), expected, "{path} {text} {found:?}");
        };
        let tools = "crates/tools/src/a.rs";
        let test = "crates/tools/tests/it/main.rs";
        check(tools, "fn a() { Bounded::seal(1); }", 1);
        check(tools, "fn a() { toolpost_core::Bounded::seal(1); }", 1);
        check("crates/govern/src/a.rs", "fn a() { Bounded::seal(1); }", 0);
        check(test, "fn a() { Bounded::seal(1); }", 0);
        check(tools, "use toolpost_host::Permit as P;", 1);
        check(tools, "use anyhow::Result;", 1);
        check(test, "use anyhow::Result;", 1);
        check("crates/cli/src/a.rs", "use anyhow::Result;", 0);
        check(tools, "fn a() { println!(); std::eprint!(); }", 1);
        check(tools, "fn a() {\n println!();\n std::eprint!();\n}", 2);
        check("crates/xtask/src/a.rs", "fn a() { println!(); }", 0);
        check(tools, "use std::fs;", 1);
        check(tools, "use std::{fs::File, io};", 1);
        check(tools, "fn a() { tokio::fs::read(b); }", 1);
        check(tools, "#[cfg(test)]\nmod tests { use std::fs; }", 0);
        check("crates/store/src/a.rs", "use std::fs;", 0);
        check(tools, "fn a() { unsafe { b() } }", 1);
        check("crates/host/src/a.rs", "fn a() { unsafe { b() } }", 0);
        check(test, "#[test]\n#[ignore = \"slow\"]\nfn a() {}", 1);
        check(tools, "// println!()\nconst A: &str = \"std::fs\";", 0);
    }

    #[test]
    fn permits_are_made_in_one_line() {
        let check = |path: &str, text: &str, expected: usize| {
            assert_eq!(found(path, text).len(), expected, "{path} {text}");
        };
        check("crates/tools/src/a.rs", ISSUES, 1);
        check(
            "crates/tools/src/a.rs",
            "fn a() { b(toolpost_host::Permit::issue) }",
            1,
        );
        check(
            "crates/host/src/a.rs",
            "#[cfg(test)]\nmod tests { fn a() { Permit::issue(); } }",
            0,
        );
        check(DECIDE, ISSUES, 1);
        assert_eq!(super::check(&[]).len(), 1);
    }

    #[test]
    fn unsafe_stands_in_one_module() {
        let read = |path, text| Source::read(&TextFile::new(path, text)).unwrap();
        let unsafely = "fn a() { unsafe { b() } }";
        let one = read("crates/host/src/one.rs", unsafely);
        let two = read("crates/host/src/two.rs", unsafely);
        let decide = read(DECIDE, ISSUES);
        let found = check(&[one, two, decide]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].place,
            "crates/host/src/one.rs, crates/host/src/two.rs"
        );
    }
}
