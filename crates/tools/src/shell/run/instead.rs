//! Commands that are another tool's call: a patch that is handed to `apply_patch`.

use std::path::Path;

use serde_json::{Value, json};
use toolpost_core::{Code, ToolError};

use super::Input;

/// The names under which models call for a patch.
const NAMES: [&str; 2] = ["apply_patch", "applypatch"];
/// What begins the lines of a patch that name a file.
const HEADERS: [&str; 4] = [
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

/// The arguments of `fs.apply_patch` for a command that is nothing but a patch, with paths that begin in a folder.
///
/// The command may go into a folder first: `cd DIR && apply_patch <<'EOF'` and so on. Anything else beside the patch
/// makes it a command like all others.
///
/// # Errors
/// `invalid` where the command is the bare patch, which no shell can run.
pub(super) fn patch(input: &Input, cwd: &Path, session: &Path) -> Result<Option<Value>, ToolError> {
    let command = input.command.trim();
    if command.starts_with("*** Begin Patch") {
        let fact = "The command is a patch and no command line.";
        return Err(
            ToolError::new(Code::Invalid, fact).hint("Send it as the `patch` of `fs.apply_patch`.")
        );
    }
    if input.background || input.env.as_ref().is_some_and(|env| !env.is_empty()) {
        return Ok(None);
    }
    let (folder, rest) = match entered(command) {
        Some((folder, rest)) => (cwd.join(folder), rest),
        None => (cwd.to_path_buf(), command),
    };
    let Some(body) = body(rest) else {
        return Ok(None);
    };
    let patch = if folder == session {
        body.to_owned()
    } else {
        begun_in(&folder, body)
    };
    Ok(Some(json!({"patch": patch})))
}

/// The folder of `cd FOLDER && …`, and what follows.
fn entered(command: &str) -> Option<(&str, &str)> {
    let (folder, rest) = command.strip_prefix("cd ")?.split_once("&&")?;
    let folder = folder.trim();
    let bare = ['\'', '"']
        .iter()
        .find_map(|quote| folder.strip_prefix(*quote)?.strip_suffix(*quote));
    let plain = |char: char| char.is_ascii_alphanumeric() || "._-/+@".contains(char);
    let spaced = |char: char| plain(char) || char == ' ';
    let sound = match bare {
        Some(bare) => bare.chars().all(spaced),
        None => folder.chars().all(plain),
    };
    let folder = bare.unwrap_or(folder);
    let goes = sound && !folder.is_empty() && !folder.starts_with('-');
    goes.then(|| (folder, rest.trim_start()))
}

/// The patch of `apply_patch <<'EOF'`, to the very end of the command.
fn body(command: &str) -> Option<&str> {
    let rest = NAMES.iter().find_map(|name| command.strip_prefix(name))?;
    let (opening, rest) = rest.split_once('\n')?;
    let word = opening.trim().strip_prefix("<<")?.trim();
    let quoted = ['\'', '"']
        .iter()
        .find_map(|quote| word.strip_prefix(*quote)?.strip_suffix(*quote));
    let delimiter = quoted.unwrap_or(word);
    let plain = |char: char| char.is_ascii_alphanumeric() || "_-".contains(char);
    if delimiter.is_empty() || delimiter.starts_with('-') || !delimiter.chars().all(plain) {
        return None;
    }
    let (body, last) = rest.trim_end().rsplit_once('\n')?;
    let ended = body.lines().any(|line| line == delimiter);
    // Where the delimiter is bare, a shell would put values in the place of names first.
    let expands = quoted.is_none() && body.contains(['$', '`', '\\']);
    (last == delimiter && !ended && !expands).then_some(body)
}

/// The patch with its relative paths beginning in a folder.
fn begun_in(folder: &Path, body: &str) -> String {
    let mut out = String::with_capacity(body.len());
    for line in body.split_inclusive('\n') {
        let header = HEADERS.iter().find(|header| line.starts_with(**header));
        match header.and_then(|header| Some((header, line.strip_prefix(header)?))) {
            Some((header, path)) => {
                out += header;
                out += &folder.join(path).to_string_lossy();
            }
            None => out += line,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Input, patch};
    use std::path::Path;

    fn found(command: &str, cwd: &str) -> Option<String> {
        let input = Input {
            command: command.to_owned(),
            ..Input::default()
        };
        let args = patch(&input, Path::new(cwd), Path::new("/w")).unwrap();
        args.map(|args| args["patch"].as_str().unwrap().to_owned())
    }

    #[test]
    fn only_a_patch_alone_is_one() {
        let check = |command: &str, expected: Option<&str>| {
            assert_eq!(found(command, "/w").as_deref(), expected, "{command:?}");
        };
        check("apply_patch <<'EOF'\np\nq\nEOF\n", Some("p\nq"));
        check("applypatch << \"X-1\"\n$p\nX-1", Some("$p"));
        check("apply_patch <<EOF\np\nEOF", Some("p"));
        check("apply_patch <<EOF\n$p\nEOF", None);
        check("apply_patch <<'EOF'\np\nEOF\necho done", None);
        check("apply_patch <<'EOF'\np\nEOF\nrm x\nEOF", None);
        check("apply_patch <<'EOF' && rm x\np\nEOF", None);
        check("apply_patch <<-EOF\np\nEOF", None);
        check("x=1 apply_patch <<'EOF'\np\nEOF", None);
        check("apply_patches <<'EOF'\np\nEOF", None);
        check("cat <<'EOF'\np\nEOF", None);
        check("cd $HOME && apply_patch <<'EOF'\np\nEOF", None);
    }

    #[test]
    fn paths_begin_where_the_command_would() {
        let patch = "*** Update File: a\n@@\n-*** x\n+y\n*** Move to: /b\n";
        let check = |command: String, cwd: &str, expected: &str| {
            assert_eq!(
                found(&command, cwd).as_deref(),
                Some(expected),
                "{command:?}"
            );
        };
        let moved = "*** Update File: /w/s/a\n@@\n-*** x\n+y\n*** Move to: /b";
        check(format!("cd s && apply_patch <<'E'\n{patch}E"), "/w", moved);
        check(format!("apply_patch <<'E'\n{patch}E"), "/w/s", moved);
        check(
            format!("apply_patch <<'E'\n{patch}E"),
            "/w",
            patch.trim_end(),
        );
    }

    #[test]
    fn a_bare_patch_is_told_from_a_command() {
        let input = Input {
            command: "*** Begin Patch\n".to_owned(),
            ..Input::default()
        };
        assert!(patch(&input, Path::new("/w"), Path::new("/w")).is_err());
    }
}
