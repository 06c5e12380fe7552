//! What a person sees, on whatever screen they have.

use std::io::IsTerminal as _;
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style as Paint};
use toolpost::core::View;
use toolpost::host::Clock;
use toolpost::view::{Colour, Style, draw};

use crate::print::line;

/// Between two steps somebody who watches gets this long to look.
const PAUSE_MS: u64 = 300;

/// Wider than this is hard to read, in columns.
const WIDTH_MOST: usize = 110;

/// How many lines of a file or an output are shown.
const LINES_MOST: usize = 24;

const QUIET: Paint = AnsiColor::BrightBlack.on_default();
const STRONG: Paint = Paint::new().bold();
const VOICE: Paint = AnsiColor::Cyan.on_default().bold();
const GOOD: Paint = AnsiColor::Green.on_default().bold();
const BAD: Paint = AnsiColor::Red.on_default().bold();

const WELCOME: &str = "\
A small shell project has a test that fails. A model of each family looks around, finds out why, mends it and runs the \
test again. The models' replies are recordings; every call in them is run here, for real, in a private folder";

const NEXT: [&str; 2] = [
    "toolpost tools --model claude-sonnet-4-5 > tools.json",
    "toolpost run reply.json --model claude-sonnet-4-5 --mode auto",
];

/// How long to wait between steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// Not at all.
    Fast,
    /// Long enough to follow, where somebody watches.
    Watched,
}

/// Standard output as a person sees it.
#[derive(Debug)]
pub(super) struct Screen {
    /// How cards are drawn on it.
    pub(super) style: Style,
    pause: Option<Duration>,
}

impl Screen {
    /// Finds out what standard output is: a terminal gets colours, its own width and pauses; all else plain text.
    pub(super) fn new(pace: Pace) -> Self {
        let out = std::io::stdout();
        let coloured = AutoStream::choice(&out) != ColorChoice::Never;
        let watched = out.is_terminal();
        let width = terminal_size::terminal_size_of(&out)
            .map_or(Style::PLAIN.width, |(width, _)| usize::from(width.0));
        let style = Style {
            width: width.min(WIDTH_MOST),
            colour: if coloured {
                Colour::Ansi
            } else {
                Colour::Never
            },
            max_lines: LINES_MOST,
        };
        let pausing = watched && coloured && pace == Pace::Watched;
        Self {
            style,
            pause: pausing.then_some(Duration::from_millis(PAUSE_MS)),
        }
    }

    /// Says what is going to happen, and what becomes of the folder.
    pub(super) fn welcome(&self, becomes: &str) -> std::io::Result<()> {
        let words = format!("{WELCOME} that is {becomes} at the end.");
        self.show(&draw(&View::note(words), &self.style))
    }

    /// Says what to do next.
    pub(super) fn farewell(&self) -> std::io::Result<()> {
        line("\nYour turn: the tools to send with a request, then the calls in the reply.")?;
        for command in NEXT {
            line(&format!("  {}", self.paint(command, STRONG)))?;
        }
        Ok(())
    }

    /// Opens a part of the demo.
    pub(super) fn heading(&self, title: &str, beside: &[&str]) -> std::io::Result<()> {
        let beside: String = beside.iter().map(|word| format!(" · {word}")).collect();
        let used = "── ".chars().chain(title.chars()).chain(beside.chars());
        let rest = self.style.width.saturating_sub(used.count() + 1).max(2);
        let begin = self.paint("──", QUIET);
        let title = self.paint(title, STRONG);
        let end = self.paint(&format!("{beside} {}", "─".repeat(rest)), QUIET);
        line(&format!("\n{begin} {title}{end}"))
    }

    /// Prints what somebody says.
    pub(super) fn say(&self, words: &str) -> std::io::Result<()> {
        let width = self.style.width.saturating_sub(2);
        let drawn = draw(
            &View::note(words),
            &Style {
                width,
                ..self.style
            },
        );
        let mark = self.paint("●", VOICE);
        let begin = |(index, row): (usize, &str)| match index {
            0 => format!("{mark} {row}\n"),
            _ => format!("  {row}\n"),
        };
        let said: String = drawn.lines().enumerate().map(begin).collect();
        self.show(&format!("\n{said}\n"))
    }

    /// Prints what the demo itself says between the model's turns.
    pub(super) fn aside(&self, words: &str) -> std::io::Result<()> {
        line(&format!("\n{}\n\n", self.paint(words, STRONG)))
    }

    /// Prints how something came out.
    pub(super) fn result(&self, good: bool, words: &str) -> std::io::Result<()> {
        let mark = if good {
            self.paint("✓", GOOD)
        } else {
            self.paint("✗", BAD)
        };
        line(&format!("{mark} {words}"))
    }

    /// Prints drawn text; often there is none yet.
    pub(super) fn show(&self, text: &str) -> std::io::Result<()> {
        if text.is_empty() { Ok(()) } else { line(text) }
    }

    /// Gives whoever watches a moment to look.
    pub(super) async fn pause(&self, clock: &Clock) {
        if let Some(length) = self.pause {
            clock.sleep(length).await;
        }
    }

    fn paint(&self, text: &str, paint: Paint) -> String {
        match self.style.colour {
            Colour::Never => text.to_owned(),
            Colour::Ansi => format!("{paint}{text}{paint:#}"),
        }
    }
}
