//! Names that every wire takes: a letter or underscore first, then letters, digits, `_` and `-`, at most 64.

use std::collections::HashMap;

/// The longest name that every wire takes.
const NAME_CHARS: usize = 64;
/// How much of a hash goes into a name.
const HASH_CHARS: usize = 10;

/// The form of a name that every wire takes: `fs.read` becomes `fs_read`. Where more than dots had to go, or the name was
/// too long, a hash of the given name keeps it apart from others, and is always the same.
#[must_use]
pub fn wire_name(name: &str) -> String {
    let plain = legal(name);
    let dots_alone = plain == name.replace('.', "_");
    if dots_alone && plain.len() <= NAME_CHARS {
        plain
    } else {
        hashed(&plain, name)
    }
}

/// A wire name for each name, whatever their order. Of names that would become one, those that are not legal already
/// carry a hash.
pub(super) fn assign(names: &[&str]) -> Vec<String> {
    let mut wanted: HashMap<String, usize> = HashMap::new();
    for name in names {
        *wanted.entry(wire_name(name)).or_default() += 1;
    }
    let assigned = names.iter().map(|name| {
        let wire = wire_name(name);
        let shared = wanted.get(&wire).is_some_and(|count| *count > 1);
        if shared && wire != *name {
            hashed(&legal(name), name)
        } else {
            wire
        }
    });
    assigned.collect()
}

/// The name of an MCP server's tool: `mcp__server__tool`. Where that could be read in two ways, or characters had to go,
/// a hash of both names keeps it apart.
pub(super) fn imported(server: &str, tool: &str) -> String {
    let joined = format!("mcp__{server}__{tool}");
    let plain = legal(&joined);
    let one_reading = !server.contains("__") && !server.ends_with('_') && !tool.starts_with('_');
    if plain == joined && one_reading && plain.len() <= NAME_CHARS {
        plain
    } else {
        hashed(&plain, &format!("{server}\0{tool}"))
    }
}

/// Only legal characters, a legal first one; perhaps too long.
fn legal(name: &str) -> String {
    let kept = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let plain: String = name
        .chars()
        .map(|letter| if kept(letter) { letter } else { '_' })
        .collect();
    let first = plain.chars().next();
    if first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_') {
        plain
    } else {
        format!("tool_{plain}")
    }
}

fn hashed(plain: &str, source: &str) -> String {
    let hash = blake3::hash(source.as_bytes()).to_hex();
    let stem: String = plain.chars().take(NAME_CHARS - HASH_CHARS - 1).collect();
    let hash: String = hash.chars().take(HASH_CHARS).collect();
    format!("{stem}_{hash}")
}

#[cfg(test)]
mod tests {
    use super::{assign, imported, wire_name};
    use proptest::prelude::*;

    fn is_legal(name: &str) -> bool {
        let first = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        let rest = name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
        first && rest && name.len() <= 64
    }

    #[test]
    fn names_are_legal_and_told_apart() {
        let check = |name: &str, expected: &str| assert_eq!(wire_name(name), expected);
        check("fs.read", "fs_read");
        check("Read", "Read");
        check("mcp__a__b-c", "mcp__a__b-c");
        assert!(wire_name("café").starts_with("caf__"));
        assert_ne!(wire_name("café"), wire_name("cafè"));
        assert_ne!(wire_name(&"x".repeat(70)), wire_name(&"x".repeat(71)));
        assert!(wire_name("1st").starts_with("tool_1st_"));
    }

    #[test]
    fn names_that_would_be_one_are_kept_apart_in_any_order() {
        let one = assign(&["a.b", "a_b", "a.b.c"]);
        assert_eq!((one[1].as_str(), one[2].as_str()), ("a_b", "a_b_c"));
        assert!(one[0].starts_with("a_b_") && one[0] != "a_b_c");
        let two = assign(&["a_b", "a.b.c", "a.b"]);
        assert_eq!((&one[0], &one[1]), (&two[2], &two[0]));
    }

    #[test]
    fn imported_names_have_one_reading() {
        let check =
            |server: &str, tool: &str, expected: &str| assert_eq!(imported(server, tool), expected);
        check("srv", "read", "mcp__srv__read");
        check("a", "b__c", "mcp__a__b__c");
        assert_ne!(imported("a__b", "c"), imported("a", "b__c"));
        assert_ne!(imported("a_", "b"), imported("a", "_b"));
        assert_ne!(imported("s", "a.b"), imported("s", "a_b"));
        assert_ne!(imported("café", "go"), imported("cafè", "go"));
    }

    proptest! {
        #[test]
        fn every_name_becomes_legal(name in "\\PC{0,90}", server in "\\PC{0,40}", tool in "\\PC{0,90}") {
            prop_assert!(is_legal(&wire_name(&name)));
            prop_assert!(is_legal(&imported(&server, &tool)));
            prop_assert_eq!(wire_name(&wire_name(&name)), wire_name(&name));
        }

        #[test]
        fn assigned_names_are_unique(names in prop::collection::hash_set("[ab._é]{1,4}", 1..12)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut assigned = assign(&names);
            assigned.sort();
            assigned.dedup();
            prop_assert_eq!(assigned.len(), names.len());
        }
    }
}
