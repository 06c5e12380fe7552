//! `MultiEdit`: answers in JSON text.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, Offered, ToolError, Words};

use super::super::{Input, MultiEdit, Output, Step};
use crate::dialects::CLAUDE;

/// The `MultiEdit` face.
pub(crate) struct Claude;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The file, as an absolute path.
    file_path: String,
    /// The edits, each made on the text as the ones before it left it.
    #[schemars(length(min = 1))]
    edits: Vec<One>,
}

/// One of the edits.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct One {
    /// The text to be replaced, as it stands in the file by then.
    old_string: String,
    /// The text that comes in its place; it has to differ.
    new_string: String,
    /// Whether every occurrence is replaced.
    #[serde(default)]
    replace_all: bool,
}

impl Face<MultiEdit> for Claude {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        offered: Offered::OnRequest,
        spellings: &[("path", "file_path"), ("filePath", "file_path")],
        card: Some(
            "Replaces several texts in one file, all or none. The edits are made in order, each on the text as the ones \
             before it left it. Each `old_string` has to be there exactly once by then, unless that edit sets \
             `replace_all`; `new_string` is written literally. If one edit cannot be made, nothing is written.",
        ),
        ..FaceAbout::new(CLAUDE, "MultiEdit")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        let step = |one: One| Step {
            old: one.old_string,
            new: one.new_string,
            replace_all: one.replace_all,
        };
        Ok(Input {
            path: args.file_path,
            edits: args.edits.into_iter().map(step).collect(),
        })
    }

    fn words(output: &Output) -> Words {
        let count = output.made.len();
        let told = output
            .made
            .iter()
            .enumerate()
            .map(|(index, made)| format!("\n{}. {}", index + 1, made.told()));
        let word = if count == 1 { "edit" } else { "edits" };
        let answer = serde_json::json!({
            "message": format!("Applied {count} {word} to {}:{}", output.given, told.collect::<String>()),
            "edits_applied": count,
            "edits": output.made.iter().map(|made| serde_json::json!({
                "replacements": made.replacements,
                "startLine": made.start_line,
            })).collect::<Vec<_>>(),
        });
        Words::own(answer.to_string())
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure_with::<MultiEdit, Self>(
            failure,
            &[("old", "old_string"), ("new", "new_string")],
        )
    }
}
