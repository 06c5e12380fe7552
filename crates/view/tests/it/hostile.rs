//! What must hold for any text.

use proptest::prelude::*;
use toolpost_core::{Block, DiffLine, DiffStats, FileDiff, Hunk, Kind, Sign, Status, View};
use toolpost_view::{Colour, Live, Style, card, draw, live};
use unicode_width::UnicodeWidthStr as _;

use crate::NARROW;

/// Text that is as bad as it gets, and text as it is.
fn hostile() -> impl Strategy<Value = String> {
    let sign = prop_oneof![
        any::<char>(),
        prop::sample::select(vec![
            '\u{1b}',
            '[',
            'm',
            ';',
            '3',
            '\r',
            '\n',
            '\t',
            ' ',
            'a',
            '漢',
            '\u{301}',
            '\u{fe0f}',
            '\u{200d}',
            '\u{202e}',
            '\u{9b}',
            '1',
            '\u{20e3}',
            '☁',
            '👩',
            '\u{1f3fb}',
            'ك',
            'ل',
            'ا',
            '\u{1160}',
            '\u{e0041}',
        ]),
    ];
    prop::collection::vec(sign, 0..120).prop_map(|signs| signs.into_iter().collect())
}

fn any_diff() -> impl Strategy<Value = FileDiff> {
    let sign = prop::sample::select(vec![Sign::Same, Sign::Added, Sign::Removed]);
    let line = (sign, hostile()).prop_map(|(sign, text)| DiffLine { sign, text });
    let hunk = (
        any::<u64>(),
        any::<u64>(),
        prop::collection::vec(line, 0..8),
    )
        .prop_map(|(before_line, after_line, lines)| Hunk {
            before_line,
            after_line,
            lines,
        });
    let path = || prop::option::of(hostile());
    let stats =
        (any::<u64>(), any::<u64>()).prop_map(|(added, removed)| DiffStats { added, removed });
    (path(), path(), stats, prop::collection::vec(hunk, 0..3)).prop_map(
        |(before, after, stats, hunks)| FileDiff {
            before,
            after,
            stats,
            hunks,
        },
    )
}

fn any_block() -> impl Strategy<Value = Block> {
    let lines = || prop::collection::vec(hostile(), 0..10);
    prop_oneof![
        hostile().prop_map(|text| Block::Note { text }),
        (hostile(), any::<u64>(), lines()).prop_map(|(path, first_line, lines)| Block::Code {
            path,
            first_line,
            lines
        }),
        any_diff().prop_map(Block::Diff),
        (hostile(), hostile(), any::<Option<i32>>()).prop_map(|(command, output, exit_code)| {
            Block::Terminal {
                command,
                output,
                exit_code,
            }
        }),
        (lines(), any::<u64>()).prop_map(|(items, more)| Block::List { items, more }),
    ]
}

fn is_harmless(text: &str) -> bool {
    let steers = |char: char| {
        (char.is_control() && char != '\n')
            || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    !text.contains(steers)
}

/// Takes out the sequences that this crate makes for colours.
fn without_paint(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (codes, rest) = piece.split_once('m').unwrap_or(("no colour", ""));
        assert!(
            codes
                .chars()
                .all(|char| char.is_ascii_digit() || char == ';'),
            "{codes:?}"
        );
        plain.push_str(rest);
    }
    plain
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_screen(title in hostile(), block in any_block(), width in 0_usize..120) {
        let style = Style { width, ..NARROW };
        let view = View::of(block);
        let framed = card(&title, Kind::Other, Status::Ok, &view, &style) + &live(&title, &style);
        for line in (draw(&view, &style) + &framed).lines() {
            prop_assert!(line.width() <= width.max(Style::WIDTH_LEAST), "{line:?} takes {}", line.width());
        }
    }

    #[test]
    fn no_block_is_longer_than_its_limit(block in any_block(), max_lines in 0_usize..20) {
        let style = Style { max_lines, ..NARROW };
        // Beside the limited part: a path or up to eleven rows of command line, the count of what is left out, an exit code.
        let rows = draw(&View::of(block), &style).lines().count();
        prop_assert!(rows <= max_lines.max(Style::LINES_LEAST) + 13);
    }

    #[test]
    fn nothing_steers_the_screen(title in hostile(), block in any_block()) {
        let view = View::of(block);
        let plain = card(&title, Kind::Other, Status::Ok, &view, &NARROW);
        prop_assert!(is_harmless(&plain), "{plain:?}");
        let painted = card(&title, Kind::Other, Status::Ok, &view, &Style { colour: Colour::Ansi, ..NARROW });
        let trimmed: Vec<String> = without_paint(&painted).lines().map(|line| line.trim_end_matches(' ').to_owned()).collect();
        prop_assert_eq!(trimmed, plain.lines().map(str::to_owned).collect::<Vec<_>>());
    }

    #[test]
    fn a_stream_is_shown_alike_in_any_pieces(lines in prop::collection::vec("[a-z\u{1b}漢 ]{0,30}", 0..8), cut in 0_usize..40) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut pieces = Live::new(NARROW);
        let mut shown = String::new();
        for sign in text.chars().take(cut) {
            shown += &pieces.push(&sign.to_string());
        }
        shown += &pieces.push(&text.chars().skip(cut).collect::<String>());
        shown += &pieces.finish();
        prop_assert_eq!(&shown, &live(&text, &NARROW));
        prop_assert!(is_harmless(&shown));
    }
}
