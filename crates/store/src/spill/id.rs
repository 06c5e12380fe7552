//! The id of a spill.

use std::fmt;

use crate::{Result, StoreError, StoreErrorKind};

const PREFIX: &str = "sp_";
const RANDOM_CHARS: usize = 16;
/// Digits and small letters without those that are easily taken for another: 32, so that each carries five bits.
const ALPHABET: [char; 32] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'j',
    'k', 'm', 'n', 'p', 'q', 'r', 's', 't', 'v', 'w', 'x', 'y', 'z',
];

/// The id of a spill: `sp_` and 16 random small letters and digits. It cannot be guessed, and it is safe in a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SpillId(String);

impl SpillId {
    /// Takes an id from outside, if it is well formed.
    pub fn parse(text: &str) -> Result<Self> {
        let sound = text.strip_prefix(PREFIX).is_some_and(|rest| {
            rest.len() == RANDOM_CHARS
                && rest
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        });
        sound.then(|| Self(text.to_owned())).ok_or_else(|| {
            StoreError::new(
                StoreErrorKind::Name,
                format!("`{}` is not the id of a spill.", text.escape_debug()),
                "Pass the id as the reply gave it: `sp_` and 16 letters and digits.",
            )
        })
    }

    /// Makes a new one.
    pub(super) fn random() -> Result<Self> {
        let mut bytes = [0_u8; RANDOM_CHARS];
        getrandom::fill(&mut bytes).map_err(|err| {
            StoreError::new(
                StoreErrorKind::Io,
                format!("The system gave no random numbers: {err}."),
                "Try again.",
            )
        })?;
        let letters = bytes
            .iter()
            .filter_map(|byte| ALPHABET.get(usize::from(byte % 32)));
        Ok(Self(PREFIX.chars().chain(letters.copied()).collect()))
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SpillId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::SpillId;

    #[test]
    fn ids_from_outside() {
        let check = |text: &str, expected: bool| {
            assert_eq!(SpillId::parse(text).is_ok(), expected, "{text:?}");
        };
        check("sp_0123456789abcdef", true);
        check("sp_zzzzzzzzzzzzzzzz", true);
        check("sp_0123456789abcde", false);
        check("sp_0123456789abcdef0", false);
        check("sp_0123456789abcdeF", false);
        check("sp_../../../../etc/", false);
        check("sp_..............aa", false);
        check("sp_0123456789abcd\0f", false);
        check("sp_0123456789abcdé", false);
        check("xx_0123456789abcdef", false);
        check("", false);
    }

    #[test]
    fn random_ids_are_sound_and_differ() {
        let one = SpillId::random().unwrap();
        let other = SpillId::random().unwrap();
        assert_eq!(SpillId::parse(one.as_str()).unwrap(), one);
        assert_ne!(one, other);
    }
}
