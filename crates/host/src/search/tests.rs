//! What searching promises.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{
    Case, GrepOutcome, GrepQuery, Hidden, HitKind, Ignored, Multiline, Pattern, Reading, Rules,
    SearchError, glob, grep, near_names, tree,
};
use crate::{EntryKind, Fault, Stop, Why};

struct Place(tempfile::TempDir);

impl Place {
    /// Files with contents; the first is the newest.
    fn new(files: &[(&str, &[u8])]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let mut time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        for (name, content) in files {
            let path = place.path(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, content).unwrap();
            std::fs::File::options()
                .write(true)
                .open(&path)
                .unwrap()
                .set_modified(time)
                .unwrap();
            time -= Duration::from_secs(1);
        }
        place
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn query(&self, text: &str) -> GrepQuery {
        GrepQuery {
            root: self.root().into(),
            pattern: Pattern {
                text: text.into(),
                ..Pattern::default()
            },
            rules: Rules::default(),
            before: 0,
            after: 0,
            line_chars: 1_000,
            max_hits: 1_000,
        }
    }

    fn names<'a>(&self, paths: impl Iterator<Item = &'a PathBuf>) -> Vec<String> {
        paths
            .map(|path| {
                path.strip_prefix(self.root())
                    .unwrap()
                    .display()
                    .to_string()
            })
            .collect()
    }

    fn globbed(&self, pattern: &str, rules: &Rules) -> Vec<String> {
        let found = glob(self.root(), pattern, rules, &Stop::new()).unwrap();
        self.names(found.iter().map(|one| &one.path))
    }

    fn grepped(&self, query: &GrepQuery) -> Vec<String> {
        let found = grep(query, &Stop::new()).unwrap();
        self.names(found.files.iter().map(|file| &file.path))
    }
}

/// The lines of the first file: number, sign, text.
fn lines(outcome: &GrepOutcome) -> Vec<String> {
    let sign = |kind: HitKind| if kind == HitKind::Match { ':' } else { '-' };
    outcome.files[0]
        .hits
        .iter()
        .map(|hit| format!("{}{}{}", hit.line, sign(hit.is_match), hit.text))
        .collect()
}

/// A place with all sorts of entries.
fn project() -> Place {
    Place::new(&[
        ("src/main.rs", b"x"),
        ("src/app/[id]/page.ts", b"x"),
        ("notes.md", b"x"),
        (".gitignore", b"target/\n*.log\n"),
        ("target/out.rs", b"x"),
        ("debug.log", b"x"),
        (".env", b"x"),
        (".git/config", b"x"),
        (".github/flow.yml", b"x"),
        ("src/.ignore", b"secret.rs"),
        ("src/secret.rs", b"x"),
    ])
}

/// The three ways of looking find the same files.
fn all_find(place: &Place, rules: &Rules, expected: &[&str]) {
    assert_eq!(place.globbed("**", rules), expected, "{rules:?}");
    let grepped = place.grepped(&GrepQuery {
        rules: rules.clone(),
        ..place.query("x|target|secret")
    });
    assert_eq!(grepped, expected, "{rules:?}");
    let listed = tree(place.root(), 9, rules, &Stop::new()).unwrap();
    let files = listed.iter().filter(|entry| entry.kind == EntryKind::File);
    let mut listed = place.names(files.map(|entry| &entry.path));
    let mut expected: Vec<String> = expected.iter().map(|name| String::from(*name)).collect();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected, "{rules:?}");
}

#[test]
fn one_rule_set_holds_for_all() {
    let place = project();
    let check = |rules: Rules, expected: &[&str]| all_find(&place, &rules, expected);
    let plain = ["src/main.rs", "src/app/[id]/page.ts", "notes.md"];
    check(Rules::default(), &plain);
    let globs = |globs: &[&str]| Rules {
        globs: globs.iter().map(|glob| String::from(*glob)).collect(),
        ..Rules::default()
    };
    check(globs(&["*.rs"]), &["src/main.rs"]);
    check(globs(&["src/**"]), &["src/main.rs", "src/app/[id]/page.ts"]);
    check(globs(&["src/"]), &["src/main.rs", "src/app/[id]/page.ts"]);
    check(globs(&["*.{rs,md}", "!notes.*"]), &["src/main.rs"]);
    check(globs(&["!app"]), &["src/main.rs", "notes.md"]);
    check(globs(&["!src/"]), &["notes.md"]);
    check(globs(&["**/*", "*"]), &plain);
    check(
        Rules {
            types: vec!["rust".into(), "md".into()],
            ..Rules::default()
        },
        &["src/main.rs", "notes.md"],
    );
    check(
        Rules {
            depth: Some(1),
            ..Rules::default()
        },
        &["notes.md"],
    );
    check(
        Rules {
            ignored: Ignored::Show,
            ..Rules::default()
        },
        &[
            "src/main.rs",
            "src/app/[id]/page.ts",
            "notes.md",
            "target/out.rs",
            "debug.log",
            "src/secret.rs",
        ],
    );
    check(
        Rules {
            hidden: Hidden::Show,
            globs: vec!["!src/".into()],
            ..Rules::default()
        },
        &[
            "notes.md",
            ".gitignore",
            ".env",
            ".git/config",
            ".github/flow.yml",
        ],
    );
}

#[test]
fn globs_find_files() {
    let place = project();
    let check = |pattern: &str, expected: &[&str]| {
        assert_eq!(
            place.globbed(pattern, &Rules::default()),
            expected,
            "{pattern}"
        );
    };
    check("*.rs", &["src/main.rs"]);
    check("main.rs", &["src/main.rs"]);
    check("src/*", &["src/main.rs"]);
    check("src/**/*.ts", &["src/app/[id]/page.ts"]);
    check("src/app/[id]/page.ts", &["src/app/[id]/page.ts"]);
    check("src/app/[id]/*.ts", &["src/app/[id]/page.ts"]);
    check("src/app/[id]", &["src/app/[id]"]);
    check("*.{rs,md}", &["src/main.rs", "notes.md"]);
    check("src", &[]);
    check("missing/*.rs", &[]);
    check(".env", &[".env"]);
    check(".*/*.yml", &[".github/flow.yml"]);
    check("**/.*", &[".gitignore", ".env", "src/.ignore"]);
    check("debug.log", &["debug.log"]);
    check("target/*.rs", &["target/out.rs"]);
    let absolute = place.path("src/*.rs");
    check(absolute.to_str().unwrap(), &["src/main.rs"]);
}

#[test]
fn globs_stay_inside() {
    let place = project();
    std::os::unix::fs::symlink("/etc", place.path("outside")).unwrap();
    for pattern in [
        "../*",
        "/etc/*",
        "/etc/passwd",
        "outside/*",
        "outside/passwd",
        "src/../../*",
    ] {
        let result = glob(place.root(), pattern, &Rules::default(), &Stop::new());
        assert!(
            matches!(result, Err(SearchError::Pattern { .. })),
            "{pattern}: {result:?}"
        );
    }
    assert_eq!(place.globbed("outside", &Rules::default()), ["outside"]);
}

#[test]
fn what_is_not_understood_is_told() {
    let place = project();
    let check = |rules: Rules, pattern: &str, expected: &str| {
        let err = glob(place.root(), pattern, &rules, &Stop::new()).unwrap_err();
        assert_eq!(err.to_string(), expected);
    };
    check(
        Rules::default(),
        "a{b",
        "the glob `**/a{b` is not understood: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
    );
    let rules = Rules {
        types: vec!["klingon".into()],
        ..Rules::default()
    };
    check(rules, "*", "the file type `klingon` is not known");
    let missing = grep(
        &GrepQuery {
            root: place.path("none"),
            ..place.query("x")
        },
        &Stop::new(),
    );
    assert!(matches!(missing, Err(SearchError::Host(err)) if err.fault == Fault::NotFound));
    let file = glob(
        &place.path("notes.md"),
        "*",
        &Rules::default(),
        &Stop::new(),
    );
    assert!(matches!(file, Err(SearchError::Host(err)) if err.fault == Fault::NotAFolder));
}

#[test]
fn matches_have_numbers_and_surroundings() {
    let text = b"one\r\ntwo\r\nthree\nfour\nfive";
    let place = Place::new(&[("f", text)]);
    let check = |query: GrepQuery, expected: &[&str], total: u64| {
        let found = grep(&query, &Stop::new()).unwrap();
        assert_eq!(lines(&found), expected);
        assert_eq!(found.files[0].total, total);
    };
    check(place.query("two|five"), &["2:two", "5:five"], 2);
    check(place.query("o$"), &["2:two"], 1);
    check(place.query("^t"), &["2:two", "3:three"], 2);
    check(
        GrepQuery {
            before: 1,
            after: 1,
            ..place.query("two")
        },
        &["1-one", "2:two", "3-three"],
        1,
    );
    let (short, few) = (place.query("three"), place.query("o"));
    let short = GrepQuery {
        line_chars: 2,
        ..short
    };
    check(short, &["3:th"], 1);
    let few = GrepQuery { max_hits: 1, ..few };
    check(few, &["1:one"], 3);
    let pattern = |pattern: Pattern| GrepQuery {
        pattern,
        ..place.query("")
    };
    let plain = |text: &str| Pattern {
        text: text.into(),
        ..Pattern::default()
    };
    check(
        pattern(Pattern {
            case: Case::Insensitive,
            ..plain("TWO")
        }),
        &["2:two"],
        1,
    );
    check(
        pattern(Pattern {
            multiline: Multiline::On,
            ..plain("three\nfour")
        }),
        &["3:three", "4:four"],
        2,
    );
}

#[test]
fn a_literal_is_no_expression() {
    let place = place_of(b"a.c\nabc\n");
    let query = GrepQuery {
        pattern: Pattern {
            literal: Reading::Literal,
            text: "a.c".into(),
            ..Pattern::default()
        },
        ..place.query("")
    };
    assert_eq!(lines(&grep(&query, &Stop::new()).unwrap()), ["1:a.c"]);
}

fn place_of(content: &[u8]) -> Place {
    Place::new(&[("f", content)])
}

#[test]
fn encodings_and_noise_are_searched() {
    let place = Place::new(&[
        ("latin", b"caf\xe9 x\n".as_slice()),
        ("utf16", b"\xff\xfex\0\n\0"),
        ("binary", b"\0\0x\n"),
        ("late", b"x\n\0\n"),
    ]);
    let found = grep(&place.query("x"), &Stop::new()).unwrap();
    let names = place.names(found.files.iter().map(|file| &file.path));
    assert_eq!(names[..2], ["latin", "utf16"]);
    assert_eq!(found.files[0].hits[0].text, "caf\u{fffd} x");
    assert_eq!(found.skipped_binary, 2);
}

#[test]
fn a_named_file_is_searched_whatever_it_is() {
    let place = project();
    for name in [".env", "debug.log", "target/out.rs", ".git/config"] {
        let rules = Rules {
            globs: vec!["*.md".into()],
            ..Rules::default()
        };
        let found = grep(
            &GrepQuery {
                root: place.path(name),
                rules,
                ..place.query("x")
            },
            &Stop::new(),
        );
        assert_eq!(found.unwrap().files.len(), 1, "{name}");
    }
    rustix::fs::mkfifoat(rustix::fs::CWD, place.path("pipe"), rustix::fs::Mode::RWXU).unwrap();
    let pipe = grep(
        &GrepQuery {
            root: place.path("pipe"),
            ..place.query("x")
        },
        &Stop::new(),
    );
    assert!(matches!(pipe, Err(SearchError::Host(err)) if err.fault == Fault::NotAFile));
    assert_eq!(place.grepped(&place.query("x")).len(), 3);
}

#[test]
fn the_newest_files_keep_their_lines() {
    let names: Vec<String> = (0..50).map(|number| format!("f{number:02}")).collect();
    let files: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), b"x\nx\nx\n".as_slice()))
        .collect();
    let place = Place::new(&files);
    let found = grep(
        &GrepQuery {
            max_hits: 7,
            ..place.query("x")
        },
        &Stop::new(),
    )
    .unwrap();
    let kept: Vec<usize> = found.files.iter().map(|file| file.hits.len()).collect();
    assert_eq!(kept[..4], [3, 3, 1, 0]);
    assert_eq!((kept.len(), kept.iter().sum::<usize>()), (50, 7));
    assert!(found.files.iter().all(|file| file.total == 3));
    assert_eq!(
        place.names(found.files.iter().map(|file| &file.path)),
        names
    );
}

#[test]
fn a_stop_ends_a_search() {
    let place = project();
    let stop = Stop::new();
    stop.raise(Why::Cancelled);
    assert!(grep(&place.query("x"), &stop).unwrap().files.is_empty());
    assert!(
        glob(place.root(), "**", &Rules::default(), &stop)
            .unwrap()
            .is_empty()
    );
    assert!(
        tree(place.root(), 3, &Rules::default(), &stop)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_tree_is_sorted_and_bounded() {
    let place = project();
    std::os::unix::fs::symlink("src", place.path("link")).unwrap();
    let listed = tree(place.root(), 2, &Rules::default(), &Stop::new()).unwrap();
    let seen: Vec<(String, usize, EntryKind, u64, Option<u64>)> = listed
        .iter()
        .map(|entry| {
            let name = entry.path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, entry.depth, entry.kind, entry.size, entry.children)
        })
        .collect();
    let expected = [
        ("link", 1, EntryKind::Link, 0, None),
        ("notes.md", 1, EntryKind::File, 1, None),
        ("src", 1, EntryKind::Folder, 0, None),
        ("app", 2, EntryKind::Folder, 0, Some(1)),
        ("main.rs", 2, EntryKind::File, 1, None),
    ];
    assert_eq!(
        seen,
        expected.map(|(name, depth, kind, size, children)| (
            name.to_owned(),
            depth,
            kind,
            size,
            children
        ))
    );
}

#[test]
fn near_names_are_found() {
    let place = Place::new(&[
        ("src/parser.rs", b""),
        ("tests/parser.rs", b""),
        ("src/lexer.rs", b""),
        ("README.md", b""),
    ]);
    let check = |wanted: &str, expected: &[&str]| {
        let found = near_names(place.root(), wanted, 2);
        assert_eq!(place.names(found.iter()), expected, "{wanted}");
    };
    check("src/praser.rs", &["src/parser.rs", "tests/parser.rs"]);
    check("tests/parsr.rs", &["tests/parser.rs", "src/parser.rs"]);
    check("readme.md", &["README.md"]);
    check("Makefile", &[]);
    check("", &[]);
}

#[test]
fn a_root_that_is_a_link_is_searched() {
    let place = project();
    let outside = tempfile::tempdir().unwrap();
    let link = outside.path().join("link");
    std::os::unix::fs::symlink(place.root(), &link).unwrap();
    let found = glob(&link, "*.rs", &Rules::default(), &Stop::new()).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, link.join("src/main.rs"));
    let query = GrepQuery {
        root: link.clone(),
        ..place.query("x")
    };
    assert_eq!(grep(&query, &Stop::new()).unwrap().files.len(), 3);
    let listed = tree(&link, 1, &Rules::default(), &Stop::new()).unwrap();
    assert_eq!(listed.len(), 2);
    let to_file = outside.path().join("to_file");
    std::os::unix::fs::symlink(place.path("notes.md"), &to_file).unwrap();
    let query = GrepQuery {
        root: to_file,
        ..place.query("x")
    };
    assert_eq!(grep(&query, &Stop::new()).unwrap().files.len(), 1);
}
#[test]
fn a_long_line_is_cut_around_its_match() {
    let check = |line: &str, pattern: &str, room: usize, expected: (u64, &str, u64)| {
        let place = Place::new(&[("f", line.as_bytes())]);
        let query = GrepQuery {
            line_chars: room,
            ..place.query(pattern)
        };
        let found = grep(&query, &Stop::new()).unwrap();
        let hit = &found.files[0].hits[0];
        assert_eq!(
            (hit.omitted_before, hit.text.as_str(), hit.omitted_chars),
            expected,
            "{line} {pattern}"
        );
    };
    check("abcdefghij\n", "e", 10, (0, "abcdefghij", 0));
    check("abcdefghij\r\n", "e", 5, (2, "cdefg", 3));
    check("abcdefghij", "a", 4, (0, "abcd", 6));
    check("abcdefghij", "j", 4, (6, "ghij", 0));
    check("abcdefghij", "cdefgh", 4, (2, "cdef", 4));
    check("abcdefghij", "$", 4, (6, "ghij", 0));
    check("äöüäöüxäöü\n", "x", 3, (5, "üxä", 2));
    check("abcdefghij", "e", 0, (4, "", 6));
    let long = format!(
        "{}NEEDLE{}",
        "var a=1;".repeat(12_000),
        "var b=2;".repeat(1_000)
    );
    check(&long, "NEEDLE", 10, (95_998, "1;NEEDLEva", 7_998));
}
