//! The machine's faults as errors of a tool.

use toolpost_core::{Code, ToolError};
use toolpost_host::{Fault, HostError};

/// Words a fault: what could not be done with what.
///
/// `shown` is the path as a person in the workspace writes it, `done` a participle, for example `read`.
pub(crate) fn told(err: &HostError, shown: &str, done: &str) -> ToolError {
    let detail = lowered(&err.detail);
    let cannot = format!("`{shown}` cannot be {done}: {detail}.");
    match err.fault {
        Fault::NotFound => ToolError::new(Code::NotFound, format!("`{shown}` does not exist.")),
        Fault::Permission => ToolError::new(Code::Permission, cannot),
        Fault::NotAFile => ToolError::new(Code::NotAFile, cannot),
        Fault::NotAFolder => ToolError::new(Code::NotAFolder, cannot),
        Fault::Exists => ToolError::new(Code::Exists, format!("`{shown}` exists already.")),
        Fault::Changed => changed(shown),
        Fault::TooLarge => ToolError::new(Code::TooLarge, cannot),
        Fault::Binary => ToolError::new(
            Code::Binary,
            format!("`{shown}` cannot be {done} as text: {detail}."),
        ),
        Fault::Unsupported => ToolError::new(Code::Unsupported, cannot),
        Fault::Gone => ToolError::new(Code::Gone, cannot),
        Fault::Io => ToolError::new(Code::Io, cannot),
    }
}

/// The content is no longer the one that the call was planned on.
pub(crate) fn changed(shown: &str) -> ToolError {
    ToolError::new(
        Code::Stale,
        format!("`{shown}` has changed since it was looked at."),
    )
    .hint("Read it again with `fs.read`, then repeat the call.")
}

/// The detail as the second half of a sentence.
fn lowered(detail: &str) -> String {
    let mut chars = detail.chars();
    let Some(first) = chars.next() else {
        return "the system gave no reason".to_owned();
    };
    let rest = chars.as_str().trim_end_matches('.');
    // A word in capitals, for example `PNG`, stays as it is.
    if rest.starts_with(char::is_uppercase) {
        return format!("{first}{rest}");
    }
    format!("{}{rest}", first.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::told;
    use toolpost_core::Code;
    use toolpost_host::{Fault, HostError};

    #[test]
    fn faults_are_sentences() {
        let check = |fault: Fault, detail: &str, code: Code, fact: &str| {
            let err = told(&HostError::new(fault, "/w/a", detail), "a", "read");
            assert_eq!((err.code, err.fact.as_str()), (code, fact));
        };
        check(
            Fault::NotFound,
            "No such file",
            Code::NotFound,
            "`a` does not exist.",
        );
        check(
            Fault::Permission,
            "Permission denied",
            Code::Permission,
            "`a` cannot be read: permission denied.",
        );
        check(
            Fault::Binary,
            "PNG image",
            Code::Binary,
            "`a` cannot be read as text: PNG image.",
        );
        check(
            Fault::Io,
            "",
            Code::Io,
            "`a` cannot be read: the system gave no reason.",
        );
    }
}
