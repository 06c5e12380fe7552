//! The families and their recordings.

use std::path::Path;

use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::Value;
use toolpost::tools::{DIALECTS, dialect_of};
use toolpost::{Dialect, Wire};

/// What stands for the project's absolute path in a recording.
const WORKSPACE: &str = "{{WORKSPACE}}";

/// A model family with a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Family {
    /// Anthropic's models.
    Claude,
    /// OpenAI's models.
    Codex,
    /// Google's models.
    Gemini,
}

/// A family's recorded conversation.
#[derive(Debug)]
pub(super) struct Recording {
    /// The model's handle, as its replies name it.
    pub(super) model: String,
    /// The dialect that the handle leads to.
    pub(super) dialect: Dialect,
    /// The wire of the dialect's models.
    pub(super) wire: Wire,
    /// The model's turns.
    pub(super) turns: Vec<Turn>,
}

/// A turn of the model.
#[derive(Debug)]
pub(super) struct Turn {
    /// What the model says to the person.
    pub(super) say: String,
    /// The whole reply in the provider's format.
    pub(super) reply: Value,
}

impl Family {
    /// The families in the order in which they are played.
    pub(super) const ALL: &[Self] = &[Self::Claude, Self::Codex, Self::Gemini];

    /// The family's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// The recorded conversation, as it would be had in this workspace.
    pub(super) fn recording(self, workspace: &Path) -> anyhow::Result<Recording> {
        let mut recorded: Value =
            serde_json::from_str(self.text()).context("the recording is no JSON")?;
        let workspace = workspace
            .to_str()
            .context("the temporary folder's path is not UTF-8")?;
        settle(&mut recorded, workspace);
        let Value::Array(turns) = recorded else {
            anyhow::bail!("the recording is no list of turns");
        };
        let turns: Vec<Turn> = turns.into_iter().filter_map(turn).collect();
        let model = turns.first().and_then(|turn| model(&turn.reply));
        let model = model.context("the recording names no model")?.to_owned();
        let dialect = dialect_of(&model).context("the recorded model is of no family")?;
        let about = DIALECTS.iter().find(|about| about.dialect == dialect);
        let wire = about
            .and_then(|about| Wire::from_name(about.wire))
            .context("the recorded model's family has no wire")?;
        Ok(Recording {
            model,
            dialect,
            wire,
            turns,
        })
    }

    fn text(self) -> &'static str {
        match self {
            Self::Claude => include_str!("../../../demo/claude.json"),
            Self::Codex => include_str!("../../../demo/codex.json"),
            Self::Gemini => include_str!("../../../demo/gemini.json"),
        }
    }
}

fn turn(mut recorded: Value) -> Option<Turn> {
    let say = recorded.get("say")?.as_str()?.to_owned();
    let reply = recorded.get_mut("reply")?.take();
    Some(Turn { say, reply })
}

/// The model's handle where the providers write it.
fn model(reply: &Value) -> Option<&str> {
    let named = reply.get("model").or_else(|| reply.get("modelVersion"));
    named.and_then(Value::as_str)
}

/// Puts the workspace's path in its place, in all texts.
fn settle(value: &mut Value, workspace: &str) {
    match value {
        Value::String(text) if text.contains(WORKSPACE) => {
            *text = text.replace(WORKSPACE, workspace);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| settle(item, workspace)),
        Value::Object(map) => map.values_mut().for_each(|item| settle(item, workspace)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::Family;
    use std::path::Path;

    #[test]
    fn recordings_lead_to_their_family() {
        let check = |family: Family, model: &str, wire: &str, turns: usize| {
            let recording = family.recording(Path::new("/a \"b\"")).unwrap();
            assert_eq!(recording.model, model);
            assert_eq!(recording.dialect.0, family.name());
            assert_eq!(recording.wire.name(), wire);
            assert_eq!(recording.turns.len(), turns);
            let all = recording.turns.iter().map(|turn| turn.reply.to_string());
            assert!(!all.collect::<String>().contains("{{"), "{model}");
        };
        check(Family::Claude, "claude-sonnet-4-5-20250929", "anthropic", 5);
        check(Family::Codex, "gpt-5.1-codex", "openai-responses", 5);
        check(Family::Gemini, "gemini-3-pro-preview", "gemini", 6);
    }

    #[test]
    fn what_is_shown_is_what_the_reply_says() {
        for family in Family::ALL {
            for turn in family.recording(Path::new("/w")).unwrap().turns {
                let said = serde_json::to_string(&turn.say).unwrap();
                assert!(turn.reply.to_string().contains(&said), "{said}");
            }
        }
    }
}
