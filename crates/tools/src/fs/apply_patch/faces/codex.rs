//! `apply_patch`: bare text by a grammar, or JSON with the text as `input`.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, Grammar, Shape, ToolError, Words, schema_of};

use super::super::{ApplyPatch, Input, Output};
use crate::dialects::CODEX;

/// The `apply_patch` face.
pub(crate) struct Codex;

/// Its arguments in the JSON form.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The patch, from `*** Begin Patch` to `*** End Patch`.
    input: String,
}

impl Face<ApplyPatch> for Codex {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[
            ("patch", "input"),
            ("diff", "input"),
            ("patch_text", "input"),
        ],
        ..FaceAbout::new(CODEX, "apply_patch")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        Ok(Input { patch: args.input })
    }

    fn words(output: &Output) -> Words {
        Words::payload(format!(
            "Success. Updated the following files:\n{}",
            output.summary()
        ))
    }

    fn failure(failure: &Failure) -> String {
        let told = crate::faces::failure::<ApplyPatch, Self>(failure);
        if failure.by.is_some() {
            return told;
        }
        format!("apply_patch verification failed: {told}")
    }

    fn shape() -> Shape {
        Shape::Free {
            grammar: Grammar {
                syntax: "lark",
                definition: include_str!("patch.lark"),
            },
            field: "input",
            fallback: schema_of::<Args>(),
        }
    }
}
