//! A part of what was found.

use std::ops::Range;

use toolpost_core::Words;

/// Which part of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) offset: u64,
    pub(crate) limit: u64,
}

/// The part of a list that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Page {
    /// The entries, from 0.
    pub(crate) shown: Range<u64>,
    /// How many there are.
    pub(crate) total: u64,
}

impl Wanted {
    /// The part of a list that fits: as many entries as are asked for, and no more than so many characters.
    pub(crate) fn fitting(self, costs: impl Iterator<Item = usize>, limit_chars: usize) -> u64 {
        let mut chars = 0;
        let take = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let mut count = 0;
        for cost in costs.take(take) {
            chars += cost;
            // One entry is always given, so that paging goes on.
            if chars > limit_chars && count > 0 {
                break;
            }
            count += 1;
        }
        count
    }
}

impl Page {
    /// The page that begins at an offset and shows so many of all entries.
    pub(crate) fn of(offset: u64, shown: u64, total: u64) -> Self {
        Self {
            shown: offset..offset.saturating_add(shown),
            total,
        }
    }

    /// How many entries it shows.
    pub(crate) fn count(&self) -> u64 {
        self.shown.end - self.shown.start
    }

    /// Whether entries are left out, before it or after it.
    pub(crate) fn truncated(&self) -> bool {
        self.count() < self.total
    }

    /// The offset of the next page; `None` on the last one.
    pub(crate) fn next(&self) -> Option<u64> {
        (self.shown.end < self.total && self.count() > 0).then_some(self.shown.end)
    }

    /// What is shown of what, where that is not all, for example `Showing 1–100 of 150 paths`.
    pub(crate) fn told(&self, things: &str) -> Option<String> {
        if !self.truncated() {
            return None;
        }
        if self.count() == 0 {
            return Some(format!(
                "There are {} {things}, none from offset {} on",
                self.total, self.shown.start
            ));
        }
        Some(format!(
            "Showing {}–{} of {} {things}",
            self.shown.start + 1,
            self.shown.end,
            self.total
        ))
    }
}

/// What was found, and below it in brackets what is to be said about it.
pub(crate) fn with_remarks(found: String, remarks: &[String]) -> Words {
    if remarks.is_empty() {
        return Words::payload(found);
    }
    let line_break = if found.is_empty() { "" } else { "\n" };
    let told = format!("{line_break}[{}.]", remarks.join(". "));
    Words::payload(found).and_own(told)
}

#[cfg(test)]
mod tests {
    use super::{Page, Wanted};

    #[test]
    fn pages_fit() {
        let check = |limit: u64, costs: &[usize], expected: u64| {
            let wanted = Wanted { offset: 0, limit };
            assert_eq!(
                wanted.fitting(costs.iter().copied(), 10),
                expected,
                "{costs:?}"
            );
        };
        check(9, &[3, 3, 3, 3], 3);
        check(2, &[3, 3, 3], 2);
        check(9, &[30, 1], 1);
        check(9, &[], 0);
    }

    #[test]
    fn pages_say_what_is_left_out() {
        let check = |page: Page, told: Option<&str>, next: Option<u64>| {
            assert_eq!((page.told("paths").as_deref(), page.next()), (told, next));
        };
        check(Page::of(0, 3, 3), None, None);
        check(Page::of(0, 2, 3), Some("Showing 1–2 of 3 paths"), Some(2));
        check(Page::of(2, 1, 3), Some("Showing 3–3 of 3 paths"), None);
        check(
            Page::of(9, 0, 3),
            Some("There are 3 paths, none from offset 9 on"),
            None,
        );
        check(Page::of(0, 0, 0), None, None);
    }
}
