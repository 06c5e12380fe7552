//! What is changed in a file of stories so that they agree with the world.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::fence::length_for;
use crate::story::Block;

/// A change of a story's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// What is replaced, in bytes.
    pub(crate) range: Range<usize>,
    /// By what.
    pub(crate) with: String,
}

/// Makes changes, none of which overlap, and leaves everything else as it is.
pub(crate) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    for Edit { range, with } in edits {
        made.push_str(text.get(at..range.start).unwrap_or_default());
        made.push_str(&with);
        at = range.end;
    }
    made.push_str(text.get(at..).unwrap_or_default());
    made
}

/// Gives a block other lines, and longer fences where the lines would end it.
pub(crate) fn of_body(block: &Block, body: &str) -> Vec<Edit> {
    if body == block.text {
        return Vec::new();
    }
    let site = &block.site;
    let mut edits = vec![Edit {
        range: site.body.clone(),
        with: body.to_owned(),
    }];
    let length = length_for(site.mark, body);
    if length > site.opening.len() {
        let fence: String = std::iter::repeat_n(site.mark, length).collect();
        for range in [&site.opening, &site.closing] {
            edits.push(Edit {
                range: range.clone(),
                with: fence.clone(),
            });
        }
    }
    edits
}

/// Gives a block that holds a file's content another content: as text where it was text and Markdown can hold it.
pub(crate) fn of_content(block: &Block, path: &str, before: &[u8], content: &[u8]) -> Vec<Edit> {
    let was_text = before == block.text.as_bytes();
    let text = std::str::from_utf8(content).ok();
    let text = text.filter(|text| text.is_empty() || text.ends_with('\n'));
    if let Some(text) = text.filter(|_| was_text) {
        return of_body(block, text);
    }
    let mut edits = of_body(block, &format!("{}\n", STANDARD.encode(content)));
    if was_text {
        let quote = if path.contains(' ') { "\"" } else { "" };
        edits.push(Edit {
            range: block.site.info.clone(),
            with: format!("then {quote}{path}{quote} base64"),
        });
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::{apply, of_body, of_content};
    use crate::fence::{Piece, pieces};
    use crate::story::Block;

    const TEXT: &str = "a\n~~~ then x \nold\n~~~  \nb";

    fn block(text: &str) -> Block {
        match pieces(text).unwrap().remove(0) {
            Piece::Fence(fence) => fence.into(),
            Piece::Heading { .. } => panic!("a heading"),
        }
    }

    #[test]
    fn a_block_gets_other_lines() {
        let check = |body: &str, expected: &str| {
            assert_eq!(apply(TEXT, of_body(&block(TEXT), body)), expected);
        };
        check("old\n", TEXT);
        check("", "a\n~~~ then x \n~~~  \nb");
        check("new\nmore\n", "a\n~~~ then x \nnew\nmore\n~~~  \nb");
        check("~~~~\n", "a\n~~~~~ then x \n~~~~\n~~~~~  \nb");
        check("```\n", "a\n~~~ then x \n```\n~~~  \nb");
    }

    #[test]
    fn a_content_is_text_where_it_can_be() {
        let check = |text: &str, before: &[u8], content: &[u8], expected: &str| {
            let edits = of_content(&block(text), "x y", before, content);
            assert_eq!(apply(text, edits), expected);
        };
        check(TEXT, b"old\n", b"new\n", "a\n~~~ then x \nnew\n~~~  \nb");
        check(TEXT, b"old\n", b"", "a\n~~~ then x \n~~~  \nb");
        check(
            TEXT,
            b"old\n",
            b"new",
            "a\n~~~ then \"x y\" base64 \nbmV3\n~~~  \nb",
        );
        let packed = "```then x base64\nbmV3\n```\n";
        check(packed, b"new", b"\xff", "```then x base64\n/w==\n```\n");
        check(
            packed,
            b"new",
            b"old\n",
            "```then x base64\nb2xkCg==\n```\n",
        );
    }
}
