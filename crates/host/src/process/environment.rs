//! What a command's environment holds.

use std::ffi::OsString;

/// What keeps programs from asking, paging and drawing.
/// Git goes on with the text it has where an editor would open; any other program learns that there is none.
const QUIET: &[(&str, &str)] = &[
    ("EDITOR", "false"),
    ("GIT_EDITOR", "true"),
    ("GIT_PAGER", "cat"),
    ("GIT_SEQUENCE_EDITOR", "true"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("TERM", "dumb"),
    ("VISUAL", "false"),
];

/// Makes a command's environment of an inherited one. Names that look like secrets (`*_KEY`, `*_TOKEN`, `*_SECRET`,
/// `*PASSWORD*`, in any case) and toolpost's own (`TOOLPOST_*`) are left out; settings that keep programs from asking,
/// paging and drawing come in.
#[must_use]
pub fn command_environment(
    inherited: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let set = |name: &str| QUIET.iter().any(|(quiet, _)| *quiet == name);
    let mut env: Vec<(OsString, OsString)> = inherited
        .filter(|(name, _)| {
            let name = name.to_string_lossy();
            !is_private(&name) && !set(&name)
        })
        .collect();
    env.extend(
        QUIET
            .iter()
            .map(|(name, value)| (name.into(), value.into())),
    );
    env
}

/// Whether a variable is not for commands.
fn is_private(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name.starts_with("TOOLPOST_")
        || name.contains("PASSWORD")
        || ["KEY", "TOKEN", "SECRET"].iter().any(|word| {
            name.strip_suffix(word)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
        })
}

#[cfg(test)]
mod tests {
    use super::command_environment;
    use std::ffi::OsString;

    #[test]
    fn secrets_stay_and_quiet_comes() {
        let check = |name: &str, passes: bool| {
            let inherited = [(OsString::from(name), OsString::from("v"))];
            let env = command_environment(inherited.into_iter());
            let found = env.iter().any(|(key, value)| key == name && value == "v");
            assert_eq!(found, passes, "{name}");
        };
        check("PATH", true);
        check("HOME", true);
        check("MONKEY", true);
        check("KEYBOARD", true);
        check("TOKENIZERS_PARALLELISM", true);
        check("OPENAI_API_KEY", false);
        check("github_token", false);
        check("TOKEN", false);
        check("AWS_SECRET", false);
        check("MY_PASSWORD_FILE", false);
        check("TOOLPOST_HOME", false);
        check("PAGER", false);
        check("TERM", false);
    }

    #[test]
    fn each_variable_stands_once() {
        let inherited = [("PAGER", "less"), ("NO_COLOR", "")].map(|(n, v)| (n.into(), v.into()));
        let env = command_environment(inherited.into_iter());
        let quiet = super::QUIET.iter().map(|(n, v)| (n.into(), v.into()));
        assert_eq!(env, quiet.collect::<Vec<(OsString, OsString)>>());
    }
}
