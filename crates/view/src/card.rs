//! A whole call, framed: what it is, what there is to see, how it ended.

use toolpost_core::{Failure, Kind, Plan, Reply, Status, View};

use crate::block;
use crate::cells::cells;
use crate::line::{FRAME_COLUMNS, Line, framed, render};
use crate::paint::{Paint, ending, mark};
use crate::style::Style;
use crate::wrap::cut;

/// A whole call: opening, body and closing in one.
#[must_use]
pub fn card(title: &str, kind: Kind, status: Status, view: &View, style: &Style) -> String {
    let body = body(view, style);
    opening(title, kind, style) + &body + &closing(status, None, style)
}

/// The line that opens a call's card: the kind's mark and the title.
#[must_use]
pub fn opening(title: &str, kind: Kind, style: &Style) -> String {
    let columns = style.columns().saturating_sub(FRAME_COLUMNS);
    let title = cut(cells(title, Paint::Strong), columns);
    let line = Line::of(mark(kind), Paint::Mark(kind)).and(" ", Paint::Plain);
    render(&[line.join(title)], style.colour)
}

/// A view within the card's frame.
#[must_use]
pub fn body(view: &View, style: &Style) -> String {
    let columns = style.columns().saturating_sub(FRAME_COLUMNS);
    render(&framed(block::lines(view, style, columns)), style.colour)
}

/// The line that closes a call's card: how it ended, and how long it ran in milliseconds where that is known.
#[must_use]
pub fn closing(status: Status, ran_ms: Option<u64>, style: &Style) -> String {
    let (sign, paint) = ending(status);
    let mut line = Line::of("╰ ", Paint::Quiet).and(format!("{sign} {}", word(status)), paint);
    if let Some(ran_ms) = ran_ms {
        line = line.and(format!(" · {}", span(ran_ms)), Paint::Quiet);
    }
    render(&[line], style.colour)
}

/// How a call ended, in a person's words: a command that exits 1 was done, whatever came of it.
fn word(status: Status) -> &'static str {
    match status {
        Status::Ok => "done",
        _ => status.name(),
    }
}

/// What a plan would do, for a person who is to say yes or no: opening and preview.
#[must_use]
pub fn plan(plan: &Plan, kind: Kind, style: &Style) -> String {
    opening(&plan.title, kind, style) + &body(&plan.preview, style)
}

/// A reply as a card: its view, or why it failed, then what was mended and noted.
#[must_use]
pub fn reply(reply: &Reply, title: &str, kind: Kind, style: &Style) -> String {
    let told = &reply.body;
    let mut card = opening(title, kind, style);
    match &told.failure {
        Some(failure) if told.view == View::EMPTY => card += &body(&failed(failure), style),
        _ => card += &body(&told.view, style),
    }
    let repairs = told.repairs.iter().map(|repair| &repair.what);
    for note in repairs.chain(&told.notices) {
        card += &aside(note, style);
    }
    card + &closing(reply.status, None, style)
}

/// A quiet remark in the frame, on one row.
pub(crate) fn aside(text: &str, style: &Style) -> String {
    let columns = style.columns().saturating_sub(FRAME_COLUMNS);
    let line = cut(cells(text, Paint::Quiet), columns);
    render(&framed(vec![line]), style.colour)
}

fn failed(failure: &Failure) -> View {
    View::note(failure.words())
}

/// A time as people say it.
fn span(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn times_are_said_as_people_do() {
        let check = |ms: u64, expected: &str| assert_eq!(span(ms), expected);
        check(0, "0 ms");
        check(999, "999 ms");
        check(1_000, "1.0 s");
        check(1_999, "1.9 s");
        check(60_000, "1 min 0 s");
        check(3_725_000, "62 min 5 s");
    }
}
