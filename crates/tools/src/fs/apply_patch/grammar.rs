//! Reading a patch.
//!
//! The grammar is that of the codex family. Forgiven are what models put around a patch – a heredoc, one Markdown fence
//! – and what they leave out: the first `@@`, the blank before an empty context line. Everything else is refused with
//! the number of its line, the line of `*** Begin Patch` being 1.

use super::patch::{Chunk, Operation, Patch, PatchLine, Place, Role};
use super::wrapping;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ENVIRONMENT: &str = "*** Environment ID:";
const ADD: &str = "*** Add File:";
const DELETE: &str = "*** Delete File:";
const UPDATE: &str = "*** Update File:";
const MOVE: &str = "*** Move to:";
const END_OF_FILE: &str = "*** End of File";

/// Why a text is no patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreadable {
    /// The line, from 1.
    pub(crate) line: usize,
    /// What is wrong there, as the second half of a sentence.
    pub(crate) what: String,
}

type Read<T> = Result<T, Unreadable>;

/// Reads a patch.
pub(crate) fn parse(text: &str) -> Read<Patch> {
    let bare = wrapping::unwrapped(text).map_err(|what| Unreadable { line: 1, what })?;
    let mut lines = Lines::of(&bare);
    lines.begin()?;
    let mut patch = Patch::default();
    loop {
        lines.skip_blank();
        let Some(line) = lines.next() else {
            return Err(lines.fault(format!("`{END}` is missing")));
        };
        let header = line.trim();
        if header == END {
            break;
        }
        let operation = operation(header, &mut lines)?;
        patch.operations.push(operation);
    }
    lines.skip_blank();
    if let Some(line) = lines.next() {
        return Err(lines.fault(format!(
            "nothing may follow `{END}`, found `{}`",
            short(line)
        )));
    }
    if patch.operations.is_empty() {
        return Err(lines.fault("the patch is empty"));
    }
    Ok(patch)
}

fn operation(header: &str, lines: &mut Lines<'_>) -> Read<Operation> {
    let path_of = |prefix: &str| header.strip_prefix(prefix).map(str::trim);
    if let Some(path) = path_of(ADD) {
        let path = named(path, lines)?;
        return Ok(Operation::Add {
            path,
            lines: added(lines)?,
        });
    }
    if let Some(path) = path_of(DELETE) {
        return Ok(Operation::Delete {
            path: named(path, lines)?,
        });
    }
    if let Some(path) = path_of(UPDATE) {
        return update(named(path, lines)?, lines);
    }
    let expected = format!("`{ADD} …`, `{DELETE} …`, `{UPDATE} …` or `{END}`");
    Err(lines.fault(format!("expected {expected}, found `{}`", short(header))))
}

fn named(path: &str, lines: &Lines<'_>) -> Read<String> {
    if path.is_empty() {
        return Err(lines.fault("the path is missing"));
    }
    Ok(path.to_owned())
}

/// The content of a new file.
fn added(lines: &mut Lines<'_>) -> Read<Vec<String>> {
    let mut all = Vec::new();
    while let Some(line) = lines.peek() {
        if let Some(text) = line.strip_prefix('+') {
            all.push(text.to_owned());
        } else if is_header(line) || (line.trim().is_empty() && lines.only_blank_before_header()) {
            break;
        } else {
            lines.next();
            return Err(lines.fault(format!(
                "every line of a new file begins with `+`, found `{}`",
                short(line)
            )));
        }
        lines.next();
    }
    Ok(all)
}

fn update(path: String, lines: &mut Lines<'_>) -> Read<Operation> {
    let mut to = None;
    if let Some(target) = lines.peek().and_then(|line| line.strip_prefix(MOVE)) {
        lines.next();
        to = Some(named(target.trim(), lines)?);
    }
    let mut chunks = Vec::new();
    loop {
        let blank = lines.peek().is_some_and(|line| line.trim().is_empty());
        if blank && lines.only_blank_before_header() {
            lines.skip_blank();
        }
        match lines.peek() {
            None => break,
            Some(line) if is_header(line) => break,
            Some(_) => chunks.push(chunk(lines)?),
        }
    }
    if chunks.is_empty() && to.is_none() {
        return Err(lines.fault(format!("the update of `{path}` has no changes")));
    }
    Ok(Operation::Update { path, to, chunks })
}

fn chunk(lines: &mut Lines<'_>) -> Read<Chunk> {
    let mut chunk = Chunk::default();
    while let Some(rest) = lines.peek().and_then(|line| line.strip_prefix("@@")) {
        lines.next();
        chunk.anchors.extend(anchor(rest));
    }
    let mut bare_tail = 0;
    while let Some(line) = lines.peek() {
        let line_end = line.trim_end();
        if line_end == END_OF_FILE {
            lines.next();
            chunk.place = Place::EndOfFile;
            break;
        }
        if is_header(line) || line.starts_with("@@") {
            break;
        }
        lines.next();
        let read = patch_line(line).ok_or_else(|| {
            let what = "a line of a chunk begins with `+`, `-` or a blank";
            lines.fault(format!("{what}, found `{}`", short(line)))
        })?;
        bare_tail = if line.is_empty() { bare_tail + 1 } else { 0 };
        chunk.lines.push(read);
    }
    // Bare empty lines at the end only set the next part apart.
    chunk.lines.truncate(chunk.lines.len() - bare_tail);
    if chunk.lines.is_empty() {
        return Err(lines.fault("the chunk has no lines"));
    }
    Ok(chunk)
}

/// What stands behind `@@`. Line numbers, as in other kinds of patch, are no anchor.
fn anchor(rest: &str) -> Option<String> {
    let text = rest.strip_prefix(' ').unwrap_or(rest).trim_end();
    let numbers = text
        .strip_suffix("@@")
        .or_else(|| text.split_once(" @@").map(|(before, _)| before));
    let is_number = |word: &str| {
        let digits = word.strip_prefix(['-', '+']);
        digits.is_some_and(|rest| {
            rest.chars()
                .all(|char| char.is_ascii_digit() || char == ',')
        })
    };
    let counts_lines = numbers.is_some_and(|text| text.split_whitespace().all(is_number));
    (!text.trim().is_empty() && !counts_lines).then(|| text.to_owned())
}

fn patch_line(line: &str) -> Option<PatchLine> {
    let mut chars = line.chars();
    let role = match chars.next() {
        None | Some(' ') => Role::Context,
        Some('-') => Role::Removed,
        Some('+') => Role::Added,
        Some(_) => return None,
    };
    Some(PatchLine {
        role,
        text: chars.as_str().to_owned(),
    })
}

/// Whether a line ends the operation before it.
fn is_header(line: &str) -> bool {
    let line = line.trim_end();
    line == END
        || [ADD, DELETE, UPDATE]
            .iter()
            .any(|header| line.starts_with(header))
}

fn short(line: &str) -> String {
    let line = line.trim_end();
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// The lines of a patch, one after the other.
struct Lines<'a> {
    all: Vec<&'a str>,
    at: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            all: text.lines().collect(),
            at: 0,
        }
    }

    fn begin(&mut self) -> Read<()> {
        self.skip_blank();
        self.all.drain(..self.at.min(self.all.len()));
        self.at = 0;
        let first = self.next().unwrap_or_default();
        if first.trim() != BEGIN {
            return Err(self.fault(format!("expected `{BEGIN}`, found `{}`", short(first))));
        }
        if self
            .peek()
            .is_some_and(|line| line.trim().starts_with(ENVIRONMENT))
        {
            self.next();
        }
        Ok(())
    }

    fn peek(&self) -> Option<&'a str> {
        self.all.get(self.at).copied()
    }

    fn next(&mut self) -> Option<&'a str> {
        let line = self.peek();
        self.at += usize::from(line.is_some());
        line
    }

    fn skip_blank(&mut self) {
        while self.peek().is_some_and(|line| line.trim().is_empty()) {
            self.at += 1;
        }
    }

    /// Whether nothing but blank lines lies before the next operation or the end.
    fn only_blank_before_header(&self) -> bool {
        let mut rest = self.all.iter().skip(self.at);
        rest.find(|line| !line.trim().is_empty())
            .is_none_or(|line| is_header(line))
    }

    /// A fault in the line that was read last.
    fn fault(&self, what: impl Into<String>) -> Unreadable {
        Unreadable {
            line: self.at.max(1),
            what: what.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::fs::apply_patch::patch::{Chunk, Operation, Patch, PatchLine, Place, Role};
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    fn body(lines: &str) -> String {
        format!("*** Begin Patch\n{lines}\n*** End Patch")
    }

    #[test]
    fn patches_are_read() {
        let check = |text: &str, expected: &str| {
            let patch = parse(text).unwrap();
            assert_eq!(patch.to_string(), body(expected), "{text:?}");
        };
        let add = "*** Add File: a\n+x";
        check(&body(add), add);
        check(&format!("  \n{}\n \n", body(add)), add);
        check(&body(add).replace('\n', "\r\n"), add);
        check(&format!("<<'EOF'\n{}\nEOF", body(add)), add);
        check(&format!("cat <<'PATCH-1'\n{}\nPATCH-1\n", body(add)), add);
        check(&format!("```diff\n{}\n```", body(add)), add);
        check(
            &body("*** Environment ID: x\n*** Delete File: a"),
            "*** Delete File: a",
        );
        check(
            &body("*** Update File: a\n-x"),
            "*** Update File: a\n@@\n-x",
        );
        check(
            &body(
                "*** Update File: a\n*** Move to: b\n@@ fn f\n c\n\n-d\n\n@@\n+e\n*** End of File\n\n*** Delete File: g",
            ),
            "*** Update File: a\n*** Move to: b\n@@ fn f\n c\n \n-d\n@@\n+e\n*** End of File\n*** Delete File: g",
        );
        check(
            &body("*** Update File: a\n@@ -1,2 +1,2 @@\n-x\n@@ -9 +9 @@ fn f\n-y"),
            "*** Update File: a\n@@\n-x\n@@\n-y",
        );
        check(
            &body("*** Update File: a\n@@ class A\n@@ fn f\n-- x\n+- y"),
            "*** Update File: a\n@@ class A\n@@ fn f\n-- x\n+- y",
        );
        check(
            &body("*** Update File: a\n*** Move to: b"),
            "*** Update File: a\n*** Move to: b",
        );
        check(
            &body("*** Add File: a\n+x\n\n*** Delete File: b"),
            "*** Add File: a\n+x\n*** Delete File: b",
        );
    }

    #[test]
    fn what_is_no_patch_is_refused_with_its_line() {
        let check = |text: &str, line: usize, what: &str| {
            let err = parse(text).unwrap_err();
            assert_eq!(err.line, line, "{text:?}: {err:?}");
            assert!(err.what.contains(what), "{text:?}: {err:?}");
        };
        check("", 1, "expected `*** Begin Patch`");
        check(&body(""), 3, "empty");
        check(
            "*** Begin Patch\n*** Delete File: a",
            2,
            "`*** End Patch` is missing",
        );
        check(
            &body("*** Add File: x\n+one\ntwo\n+three"),
            4,
            "begins with `+`",
        );
        check(
            &body("*** Update File: f\n*** Move to: \n@@\n-a"),
            3,
            "path is missing",
        );
        check(
            &format!("{}\nand that is all\n", body("*** Add File: x\n+ok")),
            5,
            "nothing may follow",
        );
        check(
            &format!("Here:\n{}", body("*** Add File: x\n+ok")),
            1,
            "found `Here:`",
        );
        check(
            &format!("<<'EOF\"\n{}\nEOF", body("*** Add File: x\n+ok")),
            1,
            "quote",
        );
        check(&body("*** Update File: f"), 2, "no changes");
        check(&body("*** Update File: f\n@@ x"), 3, "no lines");
        check(
            &body("*** Update File: f\n@@\n-a\nb"),
            5,
            "a line of a chunk",
        );
        check(&body("*** Rename File: f"), 2, "expected");
    }

    fn text() -> impl Strategy<Value = String> {
        "[a*@ +-]{0,6}"
    }

    fn path() -> impl Strategy<Value = String> {
        "[a-z]{1,4}(/[a-z]{1,3})?"
    }

    fn chunks() -> impl Strategy<Value = Vec<Chunk>> {
        let role = prop_oneof![Just(Role::Context), Just(Role::Removed), Just(Role::Added)];
        let line = (role, text()).prop_map(|(role, text)| PatchLine { role, text });
        let place = prop_oneof![Just(Place::Anywhere), Just(Place::EndOfFile)];
        let chunk = (vec("[a-z]( ?[a-z(]){0,4}", 0..3), vec(line, 1..5), place);
        vec(
            chunk.prop_map(|(anchors, lines, place)| Chunk {
                anchors,
                lines,
                place,
            }),
            1..4,
        )
    }

    fn operation() -> impl Strategy<Value = Operation> {
        prop_oneof![
            (path(), vec(text(), 0..4)).prop_map(|(path, lines)| Operation::Add { path, lines }),
            path().prop_map(|path| Operation::Delete { path }),
            (path(), option::of(path()), chunks())
                .prop_map(|(path, to, chunks)| Operation::Update { path, to, chunks }),
        ]
    }

    proptest! {
        #[test]
        fn reading_undoes_writing(operations in vec(operation(), 1..4)) {
            let patch = Patch { operations };
            prop_assert_eq!(parse(&patch.to_string()), Ok(patch));
        }

        #[test]
        fn nothing_breaks_the_reader(text in "(?s).{0,80}", lines in vec("(\\*\\*\\* (Begin|End) Patch|\\*\\*\\* (Add|Update|Delete) File: a|@@.{0,3}|[ +-].{0,3}|.{0,3}|\\*\\*\\* End of File|<<EOF|```)", 0..9)) {
            let _ = parse(&text);
            if let Ok(patch) = parse(&lines.join("\n")) {
                prop_assert_eq!(parse(&patch.to_string()), Ok(patch));
            }
        }
    }
}
