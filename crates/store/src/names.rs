//! Which names the store takes. A name becomes a part of a path or a key, so it is checked before anything else.

use crate::{Result, StoreError, StoreErrorKind};

const NAME_LIMIT_CHARS: usize = 64;

/// Checks the name of a session: 1 to 64 of `A-Z a-z 0-9 . _ -`, not starting with a dot.
pub(crate) fn session(name: &str) -> Result<()> {
    let sound = fits(name)
        && !name.starts_with('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    sound.then_some(()).ok_or_else(|| {
        StoreError::new(
            StoreErrorKind::Name,
            format!("`{}` is not a session name.", name.escape_debug()),
            "Take 1 to 64 letters, digits, `.`, `_` or `-`, the first of them not a dot.",
        )
    })
}

/// Checks the id of a toolset: 1 to 64 of `a-z 0-9 -`.
pub(crate) fn toolset(id: &str) -> Result<()> {
    let sound = fits(id)
        && id
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    sound.then_some(()).ok_or_else(|| {
        StoreError::new(
            StoreErrorKind::Name,
            format!("`{}` is not the id of a toolset.", id.escape_debug()),
            "Pass the id as `toolpost tools --json` gave it.",
        )
    })
}

fn fits(name: &str) -> bool {
    (1..=NAME_LIMIT_CHARS).contains(&name.len())
}

#[cfg(test)]
mod tests {
    use super::{session, toolset};

    #[test]
    fn session_names() {
        let check = |name: &str, expected: bool| {
            assert_eq!(session(name).is_ok(), expected, "{name:?}");
        };
        check("a", true);
        check("My-work_2.b", true);
        check("-", true);
        check(&"x".repeat(64), true);
        check(&"x".repeat(65), false);
        check("", false);
        check(".", false);
        check("..", false);
        check(".hidden", false);
        check("a/b", false);
        check("a b", false);
        check("a\n", false);
        check("a\0", false);
        check("größe", false);
    }

    #[test]
    fn toolset_ids() {
        let check = |id: &str, expected: bool| assert_eq!(toolset(id).is_ok(), expected, "{id:?}");
        check("ts-0a1b", true);
        check(&"0".repeat(64), true);
        check(&"0".repeat(65), false);
        check("", false);
        check("A", false);
        check("..", false);
        check("a/b", false);
        check("a.json", false);
        check("a_b", false);
    }
}
