//! `list_directory`: one level, ignored entries counted.

use schemars::JsonSchema;
use serde::Deserialize;
use toolpost_core::{Face, FaceAbout, Failure, ToolError, Words};
use toolpost_host::EntryKind;

use super::super::{Entry, IgnoredEntries, Input, List, Output};
use crate::dialects::GEMINI;

/// The `list_directory` face.
pub(crate) struct Gemini;

/// Its arguments.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// The folder.
    dir_path: String,
    /// Globs of entries that are left out.
    ignore: Option<Vec<String>>,
    /// Which ignore files count; all of them unless said otherwise.
    file_filtering_options: Option<Filtering>,
}

/// Which ignore files count.
#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
struct Filtering {
    /// Whether entries are left out that `.gitignore` names.
    respect_git_ignore: Option<bool>,
    /// Whether entries are left out that ignore files of other tools name.
    respect_gemini_ignore: Option<bool>,
}

impl Filtering {
    fn ignored(&self) -> IgnoredEntries {
        let respected = [self.respect_git_ignore, self.respect_gemini_ignore];
        if respected.contains(&Some(false)) {
            IgnoredEntries::Listed
        } else {
            IgnoredEntries::Counted
        }
    }
}

impl Face<List> for Gemini {
    type Args = Args;

    const ABOUT: FaceAbout = FaceAbout {
        spellings: &[("path", "dir_path"), ("directory", "dir_path")],
        card: Some(
            "Lists what is in a folder: `[DIR]` marks a folder, files come with their size. Entries that ignore files name are left out and counted; `ignore` leaves out what its globs name.",
        ),
        ..FaceAbout::new(GEMINI, "list_directory")
    };

    fn input(args: Args) -> Result<Input, ToolError> {
        let filtering = args.file_filtering_options;
        Ok(Input {
            path: Some(args.dir_path),
            ignore: args.ignore,
            ignored: filtering.map_or(IgnoredEntries::Counted, |all| all.ignored()),
            ..Input::default()
        })
    }

    fn words(output: &Output) -> Words {
        let ignored = match output.left_out {
            0 => String::new(),
            count => format!("({count} ignored)"),
        };
        if output.page.total == 0 {
            let told = format!("Directory {} is empty. {ignored}", output.shown);
            return Words::own(told.trim_end());
        }
        let line = |entry: &Entry| match entry.kind {
            EntryKind::Folder => format!("[DIR] {}", entry.name),
            EntryKind::File => format!("{} ({} bytes)", entry.name, entry.size),
            _ => entry.marked(),
        };
        let lines: Vec<String> = output.entries.iter().map(line).collect();
        let told = output.page.told("entries");
        let told = told.map(|told| format!("\n[{told}.]"));
        let ignored = match output.left_out {
            0 => String::new(),
            _ => format!("\n{ignored}"),
        };
        Words::own(format!("Directory listing for {}:\n", output.shown))
            .and_payload(lines.join("\n"))
            .and_own(told.unwrap_or_default() + &ignored)
    }

    fn failure(failure: &Failure) -> String {
        crate::faces::failure::<List, Self>(failure)
    }
}
