//! What each block, card and reply looks like.

use toolpost_core::{
    Block, Body, Bounded, CallId, Code, DiffLine, DiffStats, Failure, FileDiff, Form, Hunk, Kind,
    Reply, Sign, Status, View,
};
use toolpost_view::{Colour, Style, card, closing, draw, opening, reply};

use crate::NARROW;

fn check(view: Block, expected: &str) {
    let drawn = draw(&View::of(view), &NARROW);
    assert_eq!(drawn, expected, "\n{drawn}");
}

fn strings(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn line(sign: Sign, text: &str) -> DiffLine {
    DiffLine {
        sign,
        text: text.to_owned(),
    }
}

fn edit() -> FileDiff {
    FileDiff {
        before: Some("roman.sh".to_owned()),
        after: Some("roman.sh".to_owned()),
        stats: DiffStats {
            added: 2,
            removed: 1,
        },
        hunks: vec![
            Hunk {
                before_line: 8,
                after_line: 8,
                lines: vec![
                    line(Sign::Same, "one"),
                    line(Sign::Removed, "let a = 1;"),
                    line(Sign::Added, "let a = 2;"),
                    line(Sign::Added, ""),
                    line(Sign::Same, "two"),
                ],
            },
            Hunk {
                before_line: 40,
                after_line: 41,
                lines: vec![line(Sign::Same, "three")],
            },
        ],
    }
}

#[test]
fn notes_wrap_between_words() {
    check(
        Block::Note {
            text: String::new(),
        },
        "",
    );
    check(
        Block::Note {
            text: "The file holds a mark that stands for a secret.\n\nRead it.\n".to_owned(),
        },
        "The file holds a mark that stands for a\nsecret.\n\nRead it.\n",
    );
}

#[test]
fn code_has_line_numbers() {
    let code = |first_line: u64, lines: &[&str]| Block::Code {
        path: "src/main.rs".to_owned(),
        first_line,
        lines: strings(lines),
    };
    check(code(1, &[]), "src/main.rs\n");
    check(
        code(9, &["fn main() {", "\tgo();", "}"]),
        "src/main.rs\n  9  fn main() {\n 10      go();\n 11  }\n",
    );
    check(
        code(1, &["1", "2", "3", "4", "5", "6", "7", "8"]),
        "src/main.rs\n  1  1\n  2  2\n  3  3\n  4  4\n  5  5\n  6  6\n… 2 more lines\n",
    );
    check(
        code(5, &["0123456789012345678901234567890123456789"]),
        "src/main.rs\n  5  01234567890123456789012345678901234\n     56789\n",
    );
}

#[test]
fn a_diff_has_the_numbers_of_both_sides() {
    let wide = Style {
        max_lines: 20,
        ..NARROW
    };
    let expected = "roman.sh  +2 -1\n  8   one\n  9 - let a = 1;\n  9 + let a = 2;\n 10 +\n 11   two\n  ⋮\n 41   three\n";
    assert_eq!(draw(&View::of(Block::Diff(edit())), &wide), expected);
    let cut = "roman.sh  +2 -1\n  8   one\n  9 - let a = 1;\n  9 + let a = 2;\n 10 +\n 11   two\n  ⋮\n… 1 more line\n";
    check(Block::Diff(edit()), cut);
}

#[test]
fn a_diff_says_what_became_of_the_file() {
    let diff = |before: Option<&str>, after: Option<&str>| {
        Block::Diff(FileDiff {
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
            stats: DiffStats::default(),
            hunks: Vec::new(),
        })
    };
    check(diff(None, Some("a")), "a  new file\n");
    check(diff(Some("a"), None), "a  removed\n");
    check(diff(Some("a"), Some("b")), "a → b\n");
    check(diff(None, None), "  new file\n");
}

#[test]
fn what_differs_within_a_line_is_painted() {
    let style = Style {
        colour: Colour::Ansi,
        ..NARROW
    };
    let drawn = draw(&View::of(Block::Diff(edit())), &style);
    let expected =
        "\u{1b}[32m+ let a = \u{1b}[0m\u{1b}[1m\u{1b}[7m\u{1b}[32m2\u{1b}[0m\u{1b}[32m;\u{1b}[0m";
    assert!(drawn.contains(expected), "{drawn:?}");
}

#[test]
fn a_terminal_has_prompt_and_exit_code() {
    let terminal = |command: &str, output: &str, exit_code| Block::Terminal {
        command: command.to_owned(),
        output: output.to_owned(),
        exit_code,
    };
    check(terminal("sh test.sh", "", None), "$ sh test.sh\n");
    check(
        terminal("cd a &&\nls", "\u{1b}[1mb\u{1b}[0m\r\n\u{1b}[2J\n", Some(1)),
        "$ cd a &&\n> ls\nb\n\\x1b[2J\nexit 1\n",
    );
    check(
        terminal("seq 9", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", Some(0)),
        "$ seq 9\n1\n… 3 more lines\n5\n6\n7\n8\n9\nexit 0\n",
    );
}

#[test]
fn a_list_says_how_many_more() {
    let list = |count: u32, more| Block::List {
        items: (1..=count).map(|item| item.to_string()).collect(),
        more,
    };
    check(list(2, 0), "1\n2\n");
    check(list(2, 1), "1\n2\n… 1 more\n");
    check(list(8, 3), "1\n2\n3\n4\n5\n6\n… 5 more\n");
}

#[test]
fn many_blocks_are_counted() {
    let note = Block::Note {
        text: "a".to_owned(),
    };
    let view = View {
        blocks: vec![note; 30],
    };
    let drawn = draw(&view, &NARROW);
    assert!(drawn.ends_with("a\n… 17 more blocks\n"), "{drawn}");
}

#[test]
fn a_card_is_framed() {
    let view = View::note("Done.\nTwice.");
    assert_eq!(
        card("Edit `a`", Kind::Edit, Status::Ok, &view, &Style::PLAIN),
        "✎ Edit `a`\n│ Done.\n│ Twice.\n╰ ✓ done\n"
    );
    assert_eq!(
        card("Run", Kind::Execute, Status::Timeout, &View::EMPTY, &NARROW),
        "▸ Run\n╰ ■ timeout\n"
    );
    assert_eq!(
        opening("a\u{1b}[2J\nb", Kind::Read, &NARROW),
        "≡ a\\x1b[2J\\nb\n"
    );
    assert_eq!(
        closing(Status::Error, Some(1_234), &NARROW),
        "╰ ✗ error · 1.2 s\n"
    );
}

#[test]
fn a_failed_reply_says_why() {
    let body = Body {
        failure: Some(Failure {
            code: Code::NotFound,
            fact: "`a` is not there.".to_owned(),
            hint: "List the folder.".to_owned(),
            quote: String::new(),
            by: None,
        }),
        notices: strings(&["The folder is empty."]),
        ..Body::default()
    };
    let made = Reply {
        id: CallId("1".to_owned()),
        name: "Read".to_owned(),
        form: Form::Function,
        status: Status::Error,
        body: Bounded::seal(body),
    };
    assert_eq!(
        reply(&made, "Read a", Kind::Read, &NARROW),
        "≡ Read a\n│ `a` is not there. List the folder.\n│ The folder is empty.\n╰ ✗ error\n"
    );
}
