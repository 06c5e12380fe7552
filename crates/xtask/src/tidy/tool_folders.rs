//! A tool is a folder, and nothing of it is missing.

use std::collections::BTreeMap;

use super::Finding;
use super::stories::stories;
use crate::repo::TextFile;

const ROOT: &str = "crates/tools/src/";
/// What every tool's folder has.
const PARTS: &[&str] = &["mod.rs", "card.md", "view.rs"];
const STORIES: usize = 3;

/// The ways in which at least one story of a tool ends, each with its statuses.
const ENDINGS: &[(&str, &[&str])] = &[
    ("success (`reply ok`)", &["ok"]),
    (
        "error (`reply error`)",
        &["error", "cancelled", "timeout", "busy", "lost", "unknown"],
    ),
    (
        "refusal (`reply denied` or `reply invalid`)",
        &["denied", "invalid"],
    ),
];

/// What is missing in the tools' folders, `crates/tools/src/GROUP/TOOL`.
pub(super) fn check(files: &[TextFile]) -> Vec<Finding> {
    let mut folders: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for file in files {
        if let Some((folder, rest)) = tool_of(&file.path) {
            folders.entry(folder).or_default().push((rest, &file.text));
        }
    }
    let folders = folders.iter();
    folders
        .flat_map(|(folder, parts)| {
            let finding = |fact| Finding::new(format!("{ROOT}{folder}"), fact);
            missing(parts).into_iter().map(finding).collect::<Vec<_>>()
        })
        .collect()
}

/// The tool's folder, and the path within it.
fn tool_of(path: &str) -> Option<(&str, &str)> {
    let inside = path.strip_prefix(ROOT)?;
    let (at, _) = inside.match_indices('/').nth(1)?;
    Some((inside.get(..at)?, inside.get(at + 1..)?))
}

fn missing(parts: &[(&str, &str)]) -> Vec<String> {
    let has = |name: &str| parts.iter().any(|(path, _)| *path == name);
    let lacking = PARTS.iter().filter(|name| !has(name));
    let mut found: Vec<String> = lacking.map(|name| format!("It has no {name}.")).collect();
    let is_face = |path: &str| {
        let name = path.strip_prefix("faces/");
        name.is_some_and(|name| name.ends_with(".rs") && name != "mod.rs")
    };
    // A tool that no family knows has no faces: the plain one is always there.
    let some = parts.iter().any(|(path, _)| path.starts_with("faces/"));
    if some && !parts.iter().any(|(path, _)| is_face(path)) {
        found.push("Its faces/ holds no face.".to_owned());
    }
    found.extend(missing_stories(parts));
    found
}

fn missing_stories(parts: &[(&str, &str)]) -> Vec<String> {
    let is_story = |path: &str| path.starts_with("stories/") && path.ends_with(".md");
    let all: Vec<_> = parts
        .iter()
        .filter(|(path, _)| is_story(path))
        .flat_map(|(_, text)| stories(text))
        .collect();
    let mut found = Vec::new();
    if all.len() < STORIES {
        found.push(format!(
            "It has fewer stories than {STORIES}: {}.",
            all.len()
        ));
    }
    for (ending, statuses) in ENDINGS {
        let mut replies = all.iter().flat_map(|story| &story.replies);
        if !replies.any(|status| statuses.contains(&status.as_str())) {
            found.push(format!("No story of it ends in {ending}."));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::repo::TextFile;

    const STORIES: &str =
        "# A\n```reply ok\n```\n# B\n```reply error\n```\n# C\n```reply denied\n```\n";
    const WHOLE: &[(&str, &str)] = &[
        ("mod.rs", ""),
        ("card.md", ""),
        ("view.rs", ""),
        ("faces/claude.rs", ""),
        ("stories/edit.md", STORIES),
    ];

    fn found(parts: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| {
            TextFile::new(&format!("crates/tools/src/fs/edit/{path}"), text)
        };
        let files: Vec<TextFile> = parts.iter().map(file).collect();
        check(&files)
            .into_iter()
            .map(|finding| finding.fact)
            .collect()
    }

    #[test]
    fn a_whole_folder_lacks_nothing() {
        assert_eq!(found(WHOLE), [""; 0]);
    }

    #[test]
    fn each_missing_part_is_found() {
        let check = |without: &str, expected: usize| {
            let parts: Vec<_> = WHOLE
                .iter()
                .copied()
                .filter(|(path, _)| *path != without)
                .collect();
            assert_eq!(found(&parts).len(), expected, "{without}");
        };
        check("mod.rs", 1);
        check("card.md", 1);
        check("view.rs", 1);
        check("faces/claude.rs", 0);
        check("stories/edit.md", 4);
    }

    #[test]
    fn faces_without_a_face_are_found() {
        let mut parts = WHOLE.to_vec();
        parts.retain(|(path, _)| *path != "faces/claude.rs");
        parts.push(("faces/mod.rs", ""));
        assert_eq!(found(&parts), ["Its faces/ holds no face."]);
    }

    #[test]
    fn stories_of_every_ending_are_wanted() {
        let check = |story: &str, expected: &[&str]| {
            let mut parts = WHOLE.to_vec();
            parts.pop();
            parts.push(("stories/edit.md", story));
            assert_eq!(found(&parts), expected, "{story}");
        };
        let story = |status: &str| format!("# A\n```reply {status}\n```\n");
        check(
            &story("ok").repeat(3),
            &[
                "No story of it ends in error (`reply error`).",
                "No story of it ends in refusal (`reply denied` or `reply invalid`).",
            ],
        );
        check(
            &[story("error"), story("invalid"), story("timeout")].concat(),
            &["No story of it ends in success (`reply ok`)."],
        );
        check(
            &[
                story("ok"),
                "```reply error\n```\n```reply denied\n```\n".to_owned(),
            ]
            .concat(),
            &["It has fewer stories than 3: 1."],
        );
    }

    #[test]
    fn only_folders_of_tools_are_looked_at() {
        let files = [
            TextFile::new("crates/tools/src/lib.rs", ""),
            TextFile::new("crates/tools/src/fs/mod.rs", ""),
            TextFile::new("crates/core/src/a/b/c.rs", ""),
        ];
        assert_eq!(check(&files), []);
    }
}
