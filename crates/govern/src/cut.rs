//! Cutting a text to a length, at character and line borders, and saying so.

use toolpost_core::{Captured, Keep};

/// How far from the wished place a cut may move to fall on a line border, as a share of the kept part.
const BORDER_SHARE: usize = 5;

/// A text with perhaps a hole in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) head: String,
    pub(crate) tail: String,
    pub(crate) omitted_chars: u64,
    pub(crate) spill: Option<String>,
}

impl Piece {
    pub(crate) fn whole(text: String) -> Self {
        Self {
            head: text,
            tail: String::new(),
            omitted_chars: 0,
            spill: None,
        }
    }

    /// The length as it goes out, notice included.
    pub(crate) fn chars(&self) -> usize {
        let notice = if self.omitted_chars > 0 {
            self.notice().chars().count()
        } else {
            0
        };
        count(&self.head) + count(&self.tail) + notice
    }

    /// The text as it goes out.
    pub(crate) fn render(&self) -> String {
        if self.omitted_chars == 0 {
            return format!("{}{}", self.head, self.tail);
        }
        format!("{}{}{}", self.head, self.notice(), self.tail)
    }

    fn notice(&self) -> String {
        let kept = self
            .spill
            .as_ref()
            .map(|id| format!("; the whole is kept as {id}"))
            .unwrap_or_default();
        let before = if self.head.is_empty() || self.head.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let after = if self.tail.is_empty() { "" } else { "\n" };
        format!(
            "{before}[{} characters omitted{kept}]{after}",
            self.omitted_chars
        )
    }

    /// Shortens to at most `limit` characters, notice included, where the limit leaves room for the notice.
    pub(crate) fn cut(&mut self, limit: usize, keep: Keep) {
        if self.chars() <= limit {
            return;
        }
        // The longest that the notice can get: with everything left out, and a line break on either side.
        let everything = as_u64(count(&self.head) + count(&self.tail)) + self.omitted_chars;
        let worst = Self {
            head: "-".to_owned(),
            tail: "-".to_owned(),
            omitted_chars: everything,
            spill: self.spill.clone(),
        };
        self.keep(limit.saturating_sub(count(&worst.notice())), keep);
    }

    /// Keeps `room` characters of text.
    fn keep(&mut self, room: usize, keep: Keep) {
        let (for_head, for_tail) = match keep {
            Keep::Head => (room, 0),
            Keep::Tail => (0, room),
            Keep::Both => (room - room / 2, room / 2),
        };
        if self.omitted_chars == 0 && self.tail.is_empty() {
            let chars = count(&self.head);
            let tail = last_chars(&self.head, for_tail.min(chars));
            self.tail = tail.to_owned();
            let rest = count(&self.head).saturating_sub(count(&self.tail));
            self.head = first_chars(&self.head, rest.min(for_head)).to_owned();
            self.omitted_chars = as_u64(chars - count(&self.head) - count(&self.tail));
            return;
        }
        let before = count(&self.head) + count(&self.tail);
        // Where one end is short, the other may have its room.
        let (spare_head, spare_tail) = (
            for_head.saturating_sub(count(&self.head)),
            for_tail.saturating_sub(count(&self.tail)),
        );
        self.head = first_chars(&self.head, for_head + spare_tail).to_owned();
        self.tail = last_chars(&self.tail, for_tail + spare_head).to_owned();
        self.omitted_chars += as_u64(before - count(&self.head) - count(&self.tail));
    }
}

impl From<Captured> for Piece {
    fn from(captured: Captured) -> Self {
        let Captured {
            head,
            tail,
            omitted_chars,
            spill,
            ..
        } = captured;
        Self {
            head,
            tail,
            omitted_chars,
            spill,
        }
    }
}

/// The first `chars` characters, moved back to a line border when one is near.
pub(crate) fn first_chars(text: &str, chars: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(chars) else {
        return text;
    };
    let kept = text.get(..end).unwrap_or_default();
    let border = kept.rfind('\n').map(|at| at + 1);
    match border.and_then(|border| kept.get(..border)) {
        Some(lines) if (kept.len() - lines.len()) * BORDER_SHARE <= kept.len() => lines,
        _ => kept,
    }
}

/// The last `chars` characters, moved on to a line border when one is near.
pub(crate) fn last_chars(text: &str, chars: usize) -> &str {
    if chars == 0 {
        return "";
    }
    let Some((start, _)) = text.char_indices().rev().nth(chars - 1) else {
        return text;
    };
    if start == 0 {
        return text;
    }
    let kept = text.get(start..).unwrap_or_default();
    let border = kept.find('\n').map(|at| at + 1);
    match border.and_then(|border| kept.get(border..)) {
        Some(lines)
            if !lines.is_empty() && (kept.len() - lines.len()) * BORDER_SHARE <= kept.len() =>
        {
            lines
        }
        _ => kept,
    }
}

pub(crate) fn count(text: &str) -> usize {
    text.chars().count()
}

pub(crate) fn as_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Piece, count};
    use proptest::prelude::*;
    use toolpost_core::Keep;

    fn cut(text: &str, limit: usize, keep: Keep) -> Piece {
        let mut piece = Piece::whole(text.to_owned());
        piece.cut(limit, keep);
        piece
    }

    #[test]
    fn a_short_text_stays() {
        assert_eq!(cut("abc", 3, Keep::Both).render(), "abc");
    }

    #[test]
    fn a_long_text_keeps_the_wished_end_and_says_so() {
        let text: String = (1..=100).map(|number| format!("line {number}\n")).collect();
        let head = cut(&text, 200, Keep::Head).render();
        assert!(head.starts_with("line 1\nline 2\n"), "{head}");
        assert!(head.ends_with("characters omitted]"), "{head}");
        let tail = cut(&text, 200, Keep::Tail).render();
        assert!(tail.ends_with("line 99\nline 100\n"), "{tail}");
        assert!(tail.starts_with('['), "{tail}");
        let both = cut(&text, 200, Keep::Both).render();
        assert!(
            both.starts_with("line 1\n") && both.ends_with("line 100\n"),
            "{both}"
        );
    }

    proptest! {
        #[test]
        fn a_cut_is_bounded_and_loses_nothing_unsaid(
            text in "[a-zé中🦀\n]{0,400}", limit in 60usize..200, which in 0usize..3,
        ) {
            let keep = [Keep::Head, Keep::Tail, Keep::Both][which];
            let piece = cut(&text, limit, keep);
            prop_assert!(count(&piece.render()) <= limit);
            prop_assert!(text.starts_with(&piece.head));
            prop_assert!(text.ends_with(&piece.tail));
            let kept = count(&piece.head) + count(&piece.tail);
            prop_assert_eq!(kept as u64 + piece.omitted_chars, count(&text) as u64);
            let mut again = piece.clone();
            again.cut(limit, keep);
            prop_assert_eq!(again, piece);
        }
    }
}
