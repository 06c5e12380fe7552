//! A page of lines: what is asked for, what fits, how it is written.

use std::path::Path;

use toolpost_core::{Code, Look, ToolError};
use toolpost_host::{Fault, HostError, Line, LinePage, LineStart, PageLimits, Text};

use super::cells::{self, Part};
use super::{Content, Input, Mode, Output, block, other};
use crate::files::notebook::{self, Notebook};
use crate::files::{lines, place};

/// How many lines a call gives unless it says otherwise.
const LIMIT_LINES: u64 = 2_000;
/// How many characters of a line are given.
const LINE_CHARS: usize = 2_000;
/// How many characters are given in all, line numbers included.
const TOTAL_CHARS: usize = 30_000;
/// The most characters that a face writes around a line beside its number.
const FRAME_CHARS: usize = 4;
/// What stands where the end of a line was cut off; `{}` is the number of characters.
pub(super) const MARK: &str = "… [{} more characters]";

/// Reads what was asked for.
pub(super) fn read(path: &Path, input: &Input, look: &Look) -> Result<Output, ToolError> {
    if input.pages.is_some() && !is_pdf(path) {
        let fact = format!(
            "`{}` is no PDF document, so it has no `pages`.",
            look.show(path)
        );
        return Err(ToolError::new(Code::Invalid, fact).hint("Leave `pages` out."));
    }
    let read = match input.mode {
        _ if notebook::is_named_so(path) => match book(path, input, look) {
            Some(output) => return output,
            None => page(path, input, look),
        },
        Mode::Lines => page(path, input, look),
        Mode::Block => block_page(path, input, look),
    };
    match read {
        Ok(page) => Ok(Output {
            shown: look.show(path),
            path: path.to_path_buf(),
            hash: page.hash,
            content: Content::Page(page),
        }),
        Err(Unread::Told(err)) => Err(err),
        Err(Unread::Host(err)) if matches!(err.fault, Fault::Binary) => {
            other::read(path, input, look, &err)
        }
        Err(Unread::Host(err)) => Err(place::fault(&err, look, path, "read")),
    }
}

/// Why there are no lines.
enum Unread {
    /// The machine says why.
    Host(HostError),
    /// It is said already.
    Told(ToolError),
}

fn is_pdf(path: &Path) -> bool {
    let limits = PageLimits {
        lines: 1,
        line_chars: 5,
        total_chars: 5,
    };
    match toolpost_host::read_lines(path, LineStart::FromTop(0), limits) {
        Ok(page) => page.lines.first().is_some_and(|line| line.text == "%PDF-"),
        Err(err) => err.detail.contains("PDF"),
    }
}

/// A sound notebook's cells; `None` where it is to be read as any other file.
fn book(path: &Path, input: &Input, look: &Look) -> Option<Result<Output, ToolError>> {
    let content = toolpost_host::read_whole(path, place::WHOLE_LIMIT_BYTES).ok()?;
    let text = Text::decode(&content.bytes).ok()?;
    let shown = look.show(path);
    let book = Notebook::read(&shown, text.as_str()).ok()?;
    let part = Part {
        offset: input.offset,
        limit: input.limit,
    };
    Some(
        cells::take(&shown, text.as_str(), &book, part).map(|cells| Output {
            shown,
            path: path.to_path_buf(),
            hash: content.hash,
            content: Content::Cells(cells),
        }),
    )
}

fn limits(input: &Input) -> PageLimits {
    PageLimits {
        lines: input.limit.unwrap_or(LIMIT_LINES),
        line_chars: input.line_chars.unwrap_or(LINE_CHARS),
        total_chars: TOTAL_CHARS,
    }
}

fn page(path: &Path, input: &Input, look: &Look) -> Result<LinePage, Unread> {
    let start = start_of(input.offset);
    let mut page = toolpost_host::read_lines(path, start, limits(input)).map_err(Unread::Host)?;
    if let LineStart::FromTop(first) = start {
        let total = page.total_lines;
        if first >= total && first > 0 {
            return Err(Unread::Told(past_the_end(&look.show(path), first, total)));
        }
    }
    fit(&mut page);
    Ok(page)
}

/// The page that holds the block around the anchor.
fn block_page(path: &Path, input: &Input, look: &Look) -> Result<LinePage, Unread> {
    let anchor = input
        .anchor
        .or(input.offset.and_then(|offset| offset.try_into().ok()));
    let anchor = anchor.unwrap_or(1).saturating_sub(1);
    let content =
        toolpost_host::read_whole(path, place::WHOLE_LIMIT_BYTES).map_err(Unread::Host)?;
    let text = Text::decode(&content.bytes).map_err(Unread::Host)?;
    let lines: Vec<&str> = lines::of(text.as_str())
        .iter()
        .map(|line| line.text)
        .collect();
    let at = usize::try_from(anchor).unwrap_or(usize::MAX);
    if at >= lines.len() {
        let total = u64::try_from(lines.len()).unwrap_or(u64::MAX);
        return Err(Unread::Told(past_the_end(&look.show(path), anchor, total)));
    }
    let limit = usize::try_from(input.limit.unwrap_or(LIMIT_LINES)).unwrap_or(usize::MAX);
    let range = block::near(block::around(&lines, at, input.shape), at, limit);
    let (first, count) = (range.start, range.len());
    let as_page = Input {
        offset: i64::try_from(first + 1).ok(),
        limit: u64::try_from(count).ok(),
        ..input.clone()
    };
    page(path, &as_page, look)
}

/// Where a page begins: 1 (and 0) is the first line, -1 the last.
fn start_of(offset: Option<i64>) -> LineStart {
    let offset = offset.unwrap_or(1);
    if offset < 0 {
        LineStart::FromEnd(offset.unsigned_abs())
    } else {
        LineStart::FromTop(offset.unsigned_abs().saturating_sub(1))
    }
}

fn past_the_end(shown: &str, first: u64, total: u64) -> ToolError {
    let lines = match total {
        0 => "no lines".to_owned(),
        1 => "1 line".to_owned(),
        _ => format!("{total} lines"),
    };
    let fact = format!(
        "`{shown}` has {lines}; line {} lies behind its end.",
        first + 1
    );
    ToolError::new(Code::Invalid, fact)
        .hint("Begin at a line that is there; a negative offset counts from the end.")
        .with("total_lines", total)
}

/// Drops the last lines until all fits with its numbers; the first line always stays.
fn fit(page: &mut LinePage) {
    let digits = page.total_lines.to_string().len();
    let mut chars = 0;
    let fitting = page.lines.iter().take_while(|line| {
        chars += line.text.chars().count() + digits + FRAME_CHARS;
        chars <= TOTAL_CHARS
    });
    let kept = fitting.count().max(1);
    page.lines.truncate(kept);
}

/// The number of lines.
pub(super) fn count(lines: &[Line]) -> u64 {
    u64::try_from(lines.len()).unwrap_or(u64::MAX)
}

/// How a page is told.
pub(super) trait Paging {
    /// The number, from 1, of the first line after the page; `None` when there is none.
    fn next_line(&self) -> Option<u64>;
    /// Whether a line was cut.
    fn cuts_lines(&self) -> bool;
    /// The lines that are seen by it, half-open and from 0; `None` when it is all of the file.
    fn seen(&self) -> Option<(u64, u64)>;
    /// The page as text without a last line break, each line as the face writes it by number (from 1) and text; a cut
    /// line ends in the mark.
    fn rendered(&self, write: impl Fn(u64, &str) -> String, mark: &str) -> String;
}

impl Paging for LinePage {
    fn next_line(&self) -> Option<u64> {
        let end = self.first + count(&self.lines);
        (end < self.total_lines).then_some(end + 1)
    }

    fn cuts_lines(&self) -> bool {
        self.lines.iter().any(|line| line.omitted_chars > 0)
    }

    fn seen(&self) -> Option<(u64, u64)> {
        let whole = self.first == 0 && self.next_line().is_none() && !self.cuts_lines();
        (!whole).then(|| (self.first, self.first + count(&self.lines)))
    }

    fn rendered(&self, write: impl Fn(u64, &str) -> String, mark: &str) -> String {
        let mut all = Vec::with_capacity(self.lines.len());
        for (number, line) in (self.first + 1..).zip(&self.lines) {
            let mut line_text = line.text.clone();
            if line.omitted_chars > 0 {
                line_text += &mark.replace("{}", &line.omitted_chars.to_string());
            }
            all.push(write(number, &line_text));
        }
        all.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{fit, start_of};
    use toolpost_host::{ContentHash, Line, LineEnding, LinePage, LineStart};

    #[test]
    fn offsets_count_from_1_or_from_the_end() {
        let check = |offset: Option<i64>, expected: LineStart| {
            assert_eq!(start_of(offset), expected);
        };
        check(None, LineStart::FromTop(0));
        check(Some(0), LineStart::FromTop(0));
        check(Some(1), LineStart::FromTop(0));
        check(Some(7), LineStart::FromTop(6));
        check(Some(-1), LineStart::FromEnd(1));
        check(Some(i64::MIN), LineStart::FromEnd(1 << 63));
    }

    #[test]
    fn a_page_fits_with_its_numbers() {
        let page = |lines: usize, chars: usize| LinePage {
            lines: vec![
                Line {
                    text: "x".repeat(chars),
                    omitted_chars: 0
                };
                lines
            ],
            first: 0,
            total_lines: 2_000,
            hash: ContentHash::of(b""),
            encoding: "UTF-8".to_owned(),
            line_ending: LineEnding::Lf,
            ends_with_newline: true,
            size: 0,
        };
        let check = |lines: usize, chars: usize, expected: usize| {
            let mut page = page(lines, chars);
            fit(&mut page);
            assert_eq!(page.lines.len(), expected, "{lines} × {chars}");
        };
        check(2_000, 7, 2_000);
        check(2_000, 8, 1_875);
        check(3, 40_000, 1);
        check(0, 0, 0);
    }
}
