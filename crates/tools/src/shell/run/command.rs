//! From arguments to what is run.

use std::ffi::OsString;
use std::path::PathBuf;

use toolpost_core::{Code, Look, ToolError};
use toolpost_host::Spec;

use super::{Input, ShellKind, no_background};
use crate::fault::told;

/// How many characters of a command a title shows.
const TITLE_CHARS: usize = 72;

/// Refuses what cannot be run whatever the machine is like.
pub(super) fn check(input: &Input) -> Result<(), ToolError> {
    let invalid = |fact: &str| Err(ToolError::new(Code::Invalid, fact));
    if input.background {
        return Err(no_background());
    }
    if input.command.trim().is_empty() {
        return invalid("The command is empty.");
    }
    if input.command.contains('\0') {
        return invalid("The command holds a NUL character, which no command line can.");
    }
    if input.timeout_ms == Some(0) {
        return invalid("The timeout is 0 ms.");
    }
    let fits = |name: &str, value: &str| {
        !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0')
    };
    match input
        .env
        .iter()
        .flatten()
        .find(|(name, value)| !fits(name, value))
    {
        Some((name, _)) => Err(ToolError::new(
            Code::Invalid,
            format!(
                "`{}` cannot be an environment variable.",
                name.escape_debug()
            ),
        )),
        None => Ok(()),
    }
}

/// The folder that the command runs in.
pub(super) fn folder(given: Option<&str>, look: &Look) -> Result<PathBuf, ToolError> {
    match given.filter(|given| !given.is_empty()) {
        Some(given) => toolpost_host::resolve(&look.cwd, given)
            .map_err(|err| told(&err, given, "used as the working directory")),
        None => Ok(look.cwd.clone()),
    }
}

/// The shell's call; the command reaches it byte for byte.
pub(super) fn spec(input: &Input, cwd: PathBuf, inherited: &[(OsString, OsString)]) -> Spec {
    let mut env = toolpost_host::command_environment(inherited.iter().cloned());
    for (name, value) in input.env.iter().flatten() {
        env.retain(|(known, _)| known != name.as_str());
        env.push((name.into(), value.into()));
    }
    let flag = match input.shell {
        ShellKind::Plain => "-c",
        ShellKind::Login => "-lc",
    };
    Spec {
        program: toolpost_host::shell(),
        args: vec![flag.into(), input.command.clone().into()],
        cwd,
        env,
    }
}

/// One line for a person.
pub(super) fn title(command: &str) -> String {
    let command = command.trim();
    let first = command.lines().next().unwrap_or_default();
    let cut = first.char_indices().nth(TITLE_CHARS).map(|(end, _)| end);
    let shown = cut.and_then(|end| first.get(..end)).unwrap_or(first);
    let more = if shown.len() < command.len() {
        " …"
    } else {
        ""
    };
    format!("Run {shown}{more}")
}

#[cfg(test)]
mod tests {
    use super::{check, spec, title};
    use crate::shell::run::{Input, ShellKind};
    use toolpost_core::Code;

    fn input(command: &str) -> Input {
        Input {
            command: command.to_owned(),
            ..Input::default()
        }
    }

    #[test]
    fn titles_are_one_line() {
        let check = |command: &str, expected: &str| assert_eq!(title(command), expected);
        check("ls", "Run ls");
        check(" a\nb", "Run a …");
        check(&"x".repeat(80), &format!("Run {} …", "x".repeat(72)));
    }

    #[test]
    fn what_cannot_run_is_refused() {
        let refused = |input: &Input| check(input).map_err(|err| err.code);
        assert_eq!(refused(&input(" \n")), Err(Code::Invalid));
        assert_eq!(refused(&input("a\0b")), Err(Code::Invalid));
        let named = |name: &str| Input {
            env: Some([(name.to_owned(), "v".to_owned())].into()),
            ..input("true")
        };
        assert_eq!(refused(&named("A=B")), Err(Code::Invalid));
        assert_eq!(refused(&named("A")), Ok(()));
        let background = Input {
            background: true,
            ..input("true")
        };
        assert_eq!(refused(&background), Err(Code::Unsupported));
        let hasty = Input {
            timeout_ms: Some(0),
            ..input("true")
        };
        assert_eq!(refused(&hasty), Err(Code::Invalid));
    }

    #[test]
    fn the_command_reaches_the_shell_as_it_is() {
        let text = "printf '%s' 'a != b' \"$HOME\" `x` \\n";
        let plain = spec(&input(text), "/w".into(), &[]);
        assert_eq!(plain.args, ["-c", text]);
        let login = Input {
            shell: ShellKind::Login,
            env: Some([("TERM".to_owned(), "vt52".to_owned())].into()),
            ..input(text)
        };
        let login = spec(&login, "/w".into(), &[("TERM".into(), "xterm".into())]);
        assert_eq!(login.args, ["-lc", text]);
        let terms: Vec<_> = login
            .env
            .iter()
            .filter(|(name, _)| name == "TERM")
            .collect();
        assert_eq!(terms, [&("TERM".into(), "vt52".into())]);
    }
}
