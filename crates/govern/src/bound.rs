//! Bounding what programs and people read: a reply's state and its view.

use serde_json::{Map, Value};
use toolpost_core::{Block, Keep, View};

use crate::batch::water_level;
use crate::cut::Piece;

/// How many lines a block of a view may have.
const BLOCK_LINES: usize = 2_000;
/// How many blocks a view may have.
const BLOCKS: usize = 100;

/// Brings a state down to `limit` characters of JSON: the largest values first, texts as texts, lists as lists, so that
/// what stays is of the shape that programs expect. Gives the names of the values that were cut.
pub(crate) fn state(state: &mut Map<String, Value>, limit: usize) -> Vec<String> {
    let sizes: Vec<usize> = state.values().map(size).collect();
    let level = water_level(&sizes, limit);
    let mut cut = Vec::new();
    for ((key, value), size) in state.iter_mut().zip(sizes) {
        if size > level {
            fit(value, level);
            cut.push(key.clone());
        }
    }
    cut
}

/// Brings a value down to about `limit` characters of JSON.
fn fit(value: &mut Value, limit: usize) {
    match value {
        Value::String(text) => *text = shorter(std::mem::take(text), limit),
        Value::Array(values) => fit_list(values, limit),
        Value::Object(map) => {
            state(map, limit);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Keeps the first elements that fit; the one at the border is cut itself, so that one huge element is not lost whole.
fn fit_list(values: &mut Vec<Value>, limit: usize) {
    const WORTH_CUTTING: usize = 200;
    let mut room = limit;
    let mut kept = 0;
    for value in values.iter_mut() {
        let needed = size(value) + 1;
        if needed > room {
            if room >= WORTH_CUTTING {
                fit(value, room);
                kept += 1;
            }
            break;
        }
        room -= needed;
        kept += 1;
    }
    values.truncate(kept);
}

/// About how many characters a value takes as JSON, without writing it.
fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 20,
        Value::String(text) => text.len() + 2,
        Value::Array(values) => values.iter().map(|value| size(value) + 1).sum::<usize>() + 2,
        Value::Object(map) => {
            map.iter()
                .map(|(key, value)| key.len() + size(value) + 4)
                .sum::<usize>()
                + 2
        }
    }
}

/// Brings a text down to `limit` characters, both ends kept.
pub(crate) fn shorter(text: String, limit: usize) -> String {
    if text.len() <= limit {
        return text;
    }
    let mut piece = Piece::whole(text);
    piece.cut(limit, Keep::Both);
    piece.render()
}

/// Brings a view within its bounds: blocks, lines of a block, characters of a text. What is left out is said.
pub(crate) fn view(mut view: View, text_chars: usize) -> View {
    let more = view.blocks.len().saturating_sub(BLOCKS);
    view.blocks.truncate(BLOCKS);
    let left_out: usize = view.blocks.iter_mut().map(block).sum();
    view.each_text(&mut |text| {
        if text.len() > text_chars {
            *text = shorter(std::mem::take(text), text_chars);
        }
    });
    for (count, what) in [(left_out, "lines"), (more, "blocks")] {
        if count > 0 {
            let text = format!("{count} more {what} are not shown.");
            view.blocks.push(Block::Note { text });
        }
    }
    view
}

/// Brings one block down to the lines that it may have; gives how many were left out.
fn block(block: &mut Block) -> usize {
    match block {
        Block::Code { lines, .. } => cut_off(lines, BLOCK_LINES),
        Block::List { items, more } => {
            let left_out = cut_off(items, BLOCK_LINES);
            *more += crate::cut::as_u64(left_out);
            0
        }
        Block::Diff(diff) => {
            let mut room = BLOCK_LINES;
            let mut left_out = 0;
            for hunk in &mut diff.hunks {
                left_out += cut_off(&mut hunk.lines, room);
                room -= hunk.lines.len();
            }
            diff.hunks.retain(|hunk| !hunk.lines.is_empty());
            left_out
        }
        Block::Note { .. } | Block::Terminal { .. } => 0,
    }
}

fn cut_off<T>(lines: &mut Vec<T>, most: usize) -> usize {
    let left_out = lines.len().saturating_sub(most);
    lines.truncate(most);
    left_out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};
    use toolpost_core::{Block, DiffLine, DiffStats, FileDiff, Hunk, Sign, View};

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn the_largest_values_are_cut_and_named() {
        let lines: Vec<Value> = (0..1_000)
            .map(|number| json!({ "text": format!("line {number}") }))
            .collect();
        let mut state =
            map(json!({ "exit_code": 3, "diff": { "hunks": lines }, "output": "x".repeat(50) }));
        let cut = super::state(&mut state, 2_000);
        assert_eq!(cut, ["diff"]);
        assert_eq!(
            (&state["exit_code"], state["output"].as_str().unwrap().len()),
            (&json!(3), 50)
        );
        let kept = state["diff"]["hunks"].as_array().unwrap();
        assert!(!kept.is_empty() && kept.len() < 100, "{}", kept.len());
        assert_eq!(kept[0]["text"], "line 0");
    }

    #[test]
    fn what_fits_stays() {
        let mut state = map(json!({ "a": [1, 2, 3], "b": "text" }));
        let before = state.clone();
        assert!(super::state(&mut state, 1_000).is_empty());
        assert_eq!(state, before);
    }

    #[test]
    fn a_long_diff_says_what_it_leaves_out() {
        let line = DiffLine {
            sign: Sign::Added,
            text: "x".to_owned(),
        };
        let hunk = Hunk {
            before_line: 1,
            after_line: 1,
            lines: vec![line; 1_500],
        };
        let diff = FileDiff {
            before: None,
            after: None,
            stats: DiffStats::default(),
            hunks: vec![hunk; 3],
        };
        let view = super::view(View::of(Block::Diff(diff)), 100);
        let Block::Diff(diff) = &view.blocks[0] else {
            panic!("{view:?}")
        };
        assert_eq!(
            diff.hunks
                .iter()
                .map(|hunk| hunk.lines.len())
                .sum::<usize>(),
            2_000
        );
        assert_eq!(
            view.blocks[1],
            Block::Note {
                text: "2500 more lines are not shown.".to_owned()
            }
        );
    }

    proptest! {
        #[test]
        fn any_state_is_bounded(texts in proptest::collection::vec("[a-zé\"\n]{0,300}", 0..20), limit in 500usize..3_000) {
            let mut state = map(json!({ "list": texts, "nested": { "inner": texts, "one": texts.concat() } }));
            super::state(&mut state, limit);
            // Sizes are bytes without escapes; a written character is at most twice that.
            prop_assert!(Value::Object(state).to_string().len() <= 2 * limit + 100);
        }
    }
}
