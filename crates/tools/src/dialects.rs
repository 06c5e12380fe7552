//! The model families, one line each.

use toolpost_core::Dialect;

/// What is fixed about a model family.
#[derive(Debug, Clone, Copy)]
pub struct DialectAbout {
    /// Its name.
    pub dialect: Dialect,
    /// How its models' handles begin, or the handles themselves, in lower case. What a provider puts in front of a
    /// handle ends in a slash.
    pub handles: &'static [&'static str],
    /// The name of the wire that its models speak unless told otherwise.
    pub wire: &'static str,
}

/// The claude family.
pub(crate) const CLAUDE: Dialect = Dialect("claude");
/// The codex family.
pub(crate) const CODEX: Dialect = Dialect("codex");
/// The gemini family.
pub(crate) const GEMINI: Dialect = Dialect("gemini");

/// The families.
pub const DIALECTS: &[DialectAbout] = &[
    about(
        CLAUDE,
        &["claude", "anthropic/", "opus", "sonnet", "haiku"],
        "anthropic",
    ),
    about(
        CODEX,
        &[
            "gpt-",
            "o1",
            "o3",
            "o4",
            "codex",
            "openai/",
            "openai-codex/",
            "chatgpt",
        ],
        "openai-responses",
    ),
    about(
        GEMINI,
        &["gemini", "google/", "google_ai/", "models/gemini"],
        "gemini",
    ),
    about(Dialect::PLAIN, &["plain"], "plain"),
];

const fn about(
    dialect: Dialect,
    handles: &'static [&'static str],
    wire: &'static str,
) -> DialectAbout {
    DialectAbout {
        dialect,
        handles,
        wire,
    }
}

/// Finds the family of a model by its handle. `None`: not known here, and the caller says so.
///
/// The handle is tried as it is, then without what providers put in front (`bedrock/anthropic.claude-…`).
#[must_use]
pub fn dialect_of(model: &str) -> Option<Dialect> {
    let handle = model.trim().to_lowercase();
    let mut rest = handle.as_str();
    loop {
        if let Some(found) = family_of(rest) {
            return Some(found);
        }
        (_, rest) = rest.split_once(['/', '.', ':'])?;
    }
}

fn family_of(handle: &str) -> Option<Dialect> {
    let fits = |about: &&DialectAbout| about.handles.iter().any(|known| begins(handle, known));
    DIALECTS.iter().find(fits).map(|about| about.dialect)
}

/// Whether a handle begins with a known one, at a border where the known one is a whole word.
fn begins(handle: &str, known: &str) -> bool {
    let Some(rest) = handle.strip_prefix(known) else {
        return false;
    };
    let open = known.ends_with(['-', '/']);
    open || !rest.starts_with(|next: char| next.is_ascii_alphanumeric())
}

/// Finds a family by its name.
#[must_use]
pub fn dialect_named(name: &str) -> Option<Dialect> {
    DIALECTS
        .iter()
        .map(|about| about.dialect)
        .find(|dialect| dialect.0 == name)
}

#[cfg(test)]
mod tests {
    use super::{dialect_named, dialect_of};

    #[test]
    fn handles_lead_to_families() {
        let check = |model: &str, expected: Option<&str>| {
            assert_eq!(
                dialect_of(model).map(|dialect| dialect.0),
                expected,
                "{model}"
            );
        };
        check("claude-sonnet-4-5", Some("claude"));
        check("anthropic/claude-opus-4", Some("claude"));
        check("Opus", Some("claude"));
        check("us.anthropic.claude-haiku-4-5-v1:0", Some("claude"));
        check("gpt-5-codex", Some("codex"));
        check("openai/gpt-5", Some("codex"));
        check("o3", Some("codex"));
        check("o4-mini", Some("codex"));
        check("chatgpt-plus-pro/gpt-5", Some("codex"));
        check("openrouter/google/gemini-2.5-pro", Some("gemini"));
        check("gemini-3-pro-preview", Some("gemini"));
        check("plain", Some("plain"));
        check("o30b", None);
        check("qwen3-coder", None);
        check("opusculum", None);
        check("", None);
    }

    #[test]
    fn names_lead_to_families() {
        let name = |name: &str| dialect_named(name).map(|dialect| dialect.0);
        assert_eq!(name("codex"), Some("codex"));
        assert_eq!(name("Codex"), None);
    }
}
