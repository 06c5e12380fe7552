//! The one arbiter of deadlines.

use toolpost_core::About;

/// How long a call may run when neither it nor its tool says, in milliseconds.
const DEFAULT_MS: u64 = 120_000;
/// The shortest and the longest time a call may be given, in milliseconds.
const RANGE_MS: (u64, u64) = (1_000, 800_000);

/// How long a call may run, in milliseconds: its own wish, else the tool's default, else 120 s, within 1 … 800 s.
pub(crate) fn deadline_ms(wish_ms: Option<u64>, about: &About<'_>) -> u64 {
    let (least, most) = RANGE_MS;
    wish_ms
        .or(about.timeout_ms)
        .unwrap_or(DEFAULT_MS)
        .clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::deadline_ms;
    use toolpost_core::About;

    #[test]
    fn the_wish_comes_first_and_everything_is_clamped() {
        let check = |wish, default, expected| {
            let about = About {
                timeout_ms: default,
                ..About::new("a.b", "")
            };
            assert_eq!(deadline_ms(wish, &about), expected);
        };
        check(Some(5_000), Some(10_000), 5_000);
        check(None, Some(10_000), 10_000);
        check(None, None, 120_000);
        check(Some(0), None, 1_000);
        check(Some(u64::MAX), None, 800_000);
    }
}
