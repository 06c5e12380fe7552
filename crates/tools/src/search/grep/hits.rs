//! The work of a search: the query, the page, its text.

use std::path::Path;

use regex::Regex;
use serde_json::{Value, json};
use toolpost_core::{Code, Look, ToolError};
use toolpost_host::{
    Case, FileHits, GrepOutcome, GrepQuery, HitKind, HitLine, Multiline, Pattern, Reading, Rules,
    Stop,
};

use super::{FileFound, Input, Output, Shown, sight};
use crate::looking::page::{Page, Wanted};
use crate::looking::{fault, hidden, ignored, one_line, without_own};

/// How many matches or files are given unless the call says otherwise.
const LIMIT: u64 = 100;
/// How many characters of a line are given.
const LINE_CHARS: usize = 500;
/// How many characters a page holds.
const PAGE_CHARS: usize = 20_000;
/// The most lines that are kept in memory.
const KEPT_LINES: usize = 100_000;

/// Searches, and takes the page that was asked for.
pub(super) fn search(
    root: &Path,
    input: Input,
    look: &Look,
    stop: &Stop,
) -> Result<Output, ToolError> {
    let except = input.more.except.as_deref().map(excluded).transpose()?;
    let wanted = Wanted {
        offset: input.offset.unwrap_or(0),
        limit: input.limit.unwrap_or(LIMIT),
    };
    let mut query = query(root, &input, wanted);
    query.rules.globs.extend(without_own(look, root));
    let mut outcome = toolpost_host::grep(&query, stop).map_err(|err| fault(&err, look, root))?;
    if let Some(except) = except {
        outcome
            .files
            .iter_mut()
            .for_each(|file| drop_lines(file, &except));
        outcome.files.retain(|file| file.total > 0);
    }
    Ok(page(outcome, input, wanted, look))
}

fn excluded(pattern: &str) -> Result<Regex, ToolError> {
    Regex::new(pattern).map_err(|err| {
        let fact = format!("The pattern of what to leave out cannot be read: {err}.");
        ToolError::new(Code::Parse, fact)
    })
}

fn drop_lines(file: &mut FileHits, except: &Regex) {
    let before = matches(&file.hits);
    file.hits.retain(|line| !except.is_match(&line.text));
    file.total -= (before - matches(&file.hits)).min(file.total);
}

fn matches(lines: &[HitLine]) -> u64 {
    let count = lines
        .iter()
        .filter(|line| line.is_match == HitKind::Match)
        .count();
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn query(root: &Path, input: &Input, wanted: Wanted) -> GrepQuery {
    let context = |own: Option<u32>| {
        let lines = own
            .or(input.context)
            .filter(|_| input.output == Shown::Content);
        usize::try_from(lines.unwrap_or(0))
            .unwrap_or(usize::MAX)
            .min(1_000)
    };
    let (before, after) = (context(input.before), context(input.after));
    let asked = usize::try_from(wanted.offset.saturating_add(wanted.limit)).unwrap_or(usize::MAX);
    let kept = match input.output {
        _ if input.more.except.is_some() => KEPT_LINES,
        Shown::Content => asked.saturating_mul(1 + before + after).min(KEPT_LINES),
        Shown::Files | Shown::Count => 1,
    };
    GrepQuery {
        root: root.to_path_buf(),
        pattern: Pattern {
            text: input.pattern.clone(),
            literal: if input.literal {
                Reading::Literal
            } else {
                Reading::Regex
            },
            case: if input.ignore_case {
                Case::Insensitive
            } else {
                Case::Sensitive
            },
            multiline: if input.multiline {
                Multiline::On
            } else {
                Multiline::Off
            },
        },
        rules: Rules {
            hidden: hidden(input.hidden),
            ignored: ignored(input.no_ignore),
            globs: input.glob.iter().cloned().collect(),
            types: input.file_type.iter().cloned().collect(),
            depth: None,
        },
        before,
        after,
        line_chars: LINE_CHARS,
        max_hits: kept,
    }
}

/// Takes the part of the outcome that was asked for.
fn page(outcome: GrepOutcome, input: Input, wanted: Wanted, look: &Look) -> Output {
    let lines: u64 = outcome.files.iter().map(|file| file.total).sum();
    let in_files = u64::try_from(outcome.files.len()).unwrap_or(u64::MAX);
    let mut files: Vec<FileFound> = outcome
        .files
        .into_iter()
        .map(|file| FileFound {
            shown: one_line(look.show(&file.path)),
            path: file.path,
            total: file.total,
            lines: file.hits,
        })
        .collect();
    let page = if input.output == Shown::Content {
        let mut total = lines;
        if let Some(limit) = input.more.per_file {
            files.iter_mut().for_each(|file| shorten(file, limit));
            total = files.iter().map(|file| file.total.min(limit)).sum();
        }
        let shown = take_lines(&mut files, &input, wanted);
        Page::of(wanted.offset, shown, total)
    } else {
        let skip = usize::try_from(wanted.offset).unwrap_or(usize::MAX);
        files.drain(..skip.min(files.len()));
        let costs = files.iter().map(|file| file.shown.chars().count() + 8);
        let shown = wanted.fitting(costs, PAGE_CHARS);
        files.truncate(usize::try_from(shown).unwrap_or(usize::MAX));
        Page::of(wanted.offset, shown, in_files)
    };
    Output {
        seen: sight::of_hits(&files, input.output),
        input,
        files,
        page,
        lines,
        in_files,
        skipped_binary: outcome.skipped_binary,
        errors: outcome.errors,
    }
}

/// Keeps the first matches of a file.
fn shorten(file: &mut FileFound, limit: u64) {
    let mut seen = 0;
    file.lines.retain(|line| {
        seen += u64::from(line.is_match == HitKind::Match);
        seen <= limit
    });
}

/// Keeps the matches of the page with the lines around them; how many matches these are.
fn take_lines(files: &mut Vec<FileFound>, input: &Input, wanted: Wanted) -> u64 {
    let matching = || {
        files.iter().flat_map(|file| {
            let hits = file
                .lines
                .iter()
                .filter(|line| line.is_match == HitKind::Match);
            hits.map(move |line| (file, line))
        })
    };
    let skip = usize::try_from(wanted.offset).unwrap_or(usize::MAX);
    let around = usize::try_from(input.before.or(input.context).unwrap_or(0))
        .unwrap_or(0)
        .saturating_add(usize::try_from(input.after.or(input.context).unwrap_or(0)).unwrap_or(0));
    let costs = matching().skip(skip).map(|(file, line)| {
        let own = file.shown.chars().count() + 12;
        (own + line.text.chars().count()).saturating_mul(1 + around.min(50))
    });
    let shown = wanted.fitting(costs, PAGE_CHARS);
    let page = wanted.offset..wanted.offset.saturating_add(shown);
    let mut number = 0;
    for file in files.iter_mut() {
        let kept: Vec<u64> = file
            .lines
            .iter()
            .filter(|line| line.is_match == HitKind::Match)
            .filter_map(|line| {
                number += 1;
                page.contains(&(number - 1)).then_some(line.line)
            })
            .collect();
        let near = |line: &HitLine| match line.is_match {
            HitKind::Match => kept.binary_search(&line.line).is_ok(),
            HitKind::Context => kept.iter().any(|at| belongs(*at, line.line, input)),
        };
        file.lines.retain(near);
    }
    files.retain(|file| !file.lines.is_empty());
    shown
}

/// Whether a line stands near enough to a match.
fn belongs(at: u64, line: u64, input: &Input) -> bool {
    let lines = |own: Option<u32>| u64::from(own.or(input.context).unwrap_or(0));
    if line < at {
        at - line <= lines(input.before)
    } else {
        line - at <= lines(input.after)
    }
}

/// The lines as ripgrep writes them.
pub(super) fn content(files: &[FileFound], input: &Input) -> Vec<String> {
    let around = [input.before, input.after, input.context];
    let grouped = around.iter().flatten().any(|lines| *lines > 0);
    let mut all = Vec::new();
    for file in files {
        let mut last: Option<u64> = None;
        for line in &file.lines {
            let gap = last.is_none_or(|last| last + 1 != line.line);
            if grouped && gap && !all.is_empty() {
                all.push("--".to_owned());
            }
            last = Some(line.line);
            let mark = match line.is_match {
                HitKind::Match => ':',
                HitKind::Context => '-',
            };
            let number = if input.more.unnumbered {
                String::new()
            } else {
                format!("{}{mark}", line.line)
            };
            all.push(format!("{}{mark}{number}{}", file.shown, line_text(line)));
        }
    }
    all
}

/// A line's text, with a mark on each side where it was cut.
pub(super) fn line_text(line: &HitLine) -> String {
    let before = match line.omitted_before {
        0 => String::new(),
        chars => format!("[{chars} characters omitted …] "),
    };
    let after = match line.omitted_chars {
        0 => String::new(),
        chars => format!(" [… {chars} characters omitted]"),
    };
    format!("{before}{}{after}", line.text)
}

/// The matches of a file as programs read them.
pub(super) fn places(file: &FileFound) -> impl Iterator<Item = Value> {
    let hits = file
        .lines
        .iter()
        .filter(|line| line.is_match == HitKind::Match);
    hits.map(|line| json!({"path": file.shown, "line": line.line}))
}

#[cfg(test)]
mod tests {
    use super::{FileFound, Input, Shown, Wanted, content, take_lines};
    use toolpost_host::{HitKind, HitLine};

    fn file(shown: &str, lines: &[(u64, HitKind)]) -> FileFound {
        let line = |(line, is_match): &(u64, HitKind)| HitLine {
            line: *line,
            text: format!("t{line}"),
            is_match: *is_match,
            omitted_before: 0,
            omitted_chars: 0,
        };
        FileFound {
            path: std::path::PathBuf::new(),
            shown: shown.to_owned(),
            total: 2,
            lines: lines.iter().map(line).collect(),
        }
    }

    #[test]
    fn a_page_has_its_matches_and_the_lines_around_them() {
        use HitKind::{Context, Match};
        let check = |offset: u64, limit: u64, expected: &str| {
            let mut files = vec![
                file("a", &[(1, Context), (2, Match), (3, Context), (7, Match)]),
                file("b", &[(1, Match), (2, Context)]),
            ];
            let input = Input {
                output: Shown::Content,
                context: Some(1),
                ..Input::default()
            };
            take_lines(&mut files, &input, Wanted { offset, limit });
            assert_eq!(content(&files, &input).join("|"), expected);
        };
        check(0, 9, "a-1-t1|a:2:t2|a-3-t3|--|a:7:t7|--|b:1:t1|b-2-t2");
        check(0, 1, "a-1-t1|a:2:t2|a-3-t3");
        check(1, 1, "a:7:t7");
        check(2, 1, "b:1:t1|b-2-t2");
        check(3, 1, "");
    }
}
