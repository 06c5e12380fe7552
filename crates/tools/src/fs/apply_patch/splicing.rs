//! From a chunk's place to the bytes that change.

use toolpost_host::Splice;

use super::patch::{Chunk, Role};
use crate::files::lines::{self, Line};

/// A file as lines that know where they begin.
pub(super) struct Pages<'a> {
    pub(super) text: &'a str,
    pub(super) lines: Vec<Line<'a>>,
    starts: Vec<usize>,
}

impl<'a> Pages<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let lines = lines::of(text);
        let mut start = 0;
        let mut starts = Vec::with_capacity(lines.len() + 1);
        for line in &lines {
            starts.push(start);
            start += line.len();
        }
        starts.push(start);
        Self {
            text,
            lines,
            starts,
        }
    }

    /// Where a line begins, in bytes; the end of the text for the line behind the last.
    fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// The splices that make a chunk's change at the line where its old lines begin.
    pub(super) fn splices(&self, chunk: &Chunk, first: usize) -> Vec<Splice> {
        let mut splices = Vec::new();
        let mut at = first;
        let mut run = Run::at(first);
        for line in &chunk.lines {
            match line.role {
                Role::Context => {
                    splices.extend(self.splice(&run, at));
                    at += 1;
                    run = Run::at(at);
                }
                Role::Removed => at += 1,
                Role::Added => run.added.push(&line.text),
            }
        }
        splices.extend(self.splice(&run, at));
        splices
    }

    /// Replaces the lines from where a run began up to `end` by the added ones.
    fn splice(&self, run: &Run<'_>, end: usize) -> Option<Splice> {
        if run.added.is_empty() && run.first == end {
            return None;
        }
        let range = self.start(run.first)..self.start(end);
        let ending = lines::ending_at(self.text, range.start);
        // What comes at the end of a file without a last line break leaves it without.
        let open =
            end == self.lines.len() && self.lines.last().is_some_and(|line| line.ending.is_empty());
        let mut with: String = run.added.iter().flat_map(|line| [*line, ending]).collect();
        if open && !run.added.is_empty() {
            with.truncate(with.len() - ending.len());
            if run.first == end {
                with.insert_str(0, ending);
            }
        }
        Some(Splice { range, with })
    }
}

/// Added and removed lines that stand together.
struct Run<'a> {
    first: usize,
    added: Vec<&'a str>,
}

impl Run<'_> {
    fn at(first: usize) -> Self {
        Self {
            first,
            added: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pages;
    use crate::fs::apply_patch::grammar::parse;
    use crate::fs::apply_patch::locate::locate;
    use crate::fs::apply_patch::patch::Operation;
    use proptest::prelude::*;

    fn patched(file: &str, chunk: &str) -> String {
        let text = format!("*** Begin Patch\n*** Update File: f\n{chunk}\n*** End Patch");
        let Operation::Update { chunks, .. } = parse(&text).unwrap().operations.remove(0) else {
            panic!("an update was written")
        };
        let pages = Pages::of(file);
        let found = locate(&pages.lines, &chunks[0], 0).unwrap();
        let mut out = file.to_owned();
        for splice in pages.splices(&chunks[0], found.lines.start).iter().rev() {
            out.replace_range(splice.range.clone(), &splice.with);
        }
        out
    }

    #[test]
    fn only_changed_lines_change() {
        let check = |file: &str, chunk: &str, expected: &str| {
            assert_eq!(patched(file, chunk), expected, "{chunk:?} in {file:?}");
        };
        check("a\nb\nc\n", " a\n-b\n+B\n c", "a\nB\nc\n");
        check("a\r\nb\r\n", " a\n-b\n+B\n+C", "a\r\nB\r\nC\r\n");
        check("a\nb", "-b\n+B", "a\nB");
        check("a\nb", "+c", "a\nb\nc");
        check("", "+c", "c\n");
        check("a\n", "+c", "a\nc\n");
        check("a\nb", "-b", "a\n");
        check("It’s\nn=1\n", " It's\n-n=1\n+n=2", "It’s\nn=2\n");
        check("  a  \nb\n", " a\n+x\n-b", "  a  \nx\n");
        check("a\rb\r", "-b\n+B", "a\rB\r");
        check("a\nb\nc\n", "-a\n+A\n b\n-c\n+C", "A\nb\nC\n");
    }

    proptest! {
        #[test]
        fn line_breaks_stay_whole(
            before in "([ab]{1,3}\r\n){0,4}", after in "(\r\n([ab]{1,3}\r\n){0,3}[ab]{0,2})?",
            chunk in "(\\+[xy]{0,2}\n){0,2}-KEY(\n\\+[xy]{0,2}){0,3}",
        ) {
            let result = patched(&format!("{before}KEY{after}"), &chunk);
            let crlf = !before.is_empty() || !after.is_empty();
            prop_assert!(!crlf || !result.replace("\r\n", "").contains(['\r', '\n']), "{result:?}");
        }

        #[test]
        fn lines_around_stay(before in "([ab]{1,3}(\r\n|\n)){0,4}", after in "([ab]{1,3}(\r\n|\n)){0,4}") {
            let file = format!("{before}KEY\n{after}");
            let result = patched(&file, "-KEY\n+new");
            prop_assert!(result.starts_with(&before));
            prop_assert!(result.ends_with(&after));
        }
    }
}
