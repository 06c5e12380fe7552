//! What a batch looks like on its way.

use toolpost_core::{Block, Bounded, CallId, Decision, Event, EventKind, Kind, Status, View};
use toolpost_view::{Style, Watch};

fn event(call: &str, tool: &str, kind: EventKind) -> Event {
    Event {
        call: CallId(call.to_owned()),
        tool: tool.to_owned(),
        kind,
    }
}

fn terminal(output: &str, exit_code: Option<i32>) -> View {
    View::of(Block::Terminal {
        command: "sh test.sh".to_owned(),
        output: output.to_owned(),
        exit_code,
    })
}

fn planned(title: &str, preview: View) -> EventKind {
    EventKind::Planned {
        title: Bounded::seal(title.to_owned()),
        preview: Bounded::seal(preview),
    }
}

fn ended(status: Status, view: View) -> EventKind {
    EventKind::Ended {
        status,
        view: Bounded::seal(view),
        ran_ms: 7,
    }
}

fn kind_of(tool: &str) -> Kind {
    match tool {
        "shell.run" => Kind::Execute,
        "fs.read" => Kind::Read,
        _ => Kind::Other,
    }
}

#[test]
fn calls_at_the_same_time_are_not_mixed() {
    let mut watch = Watch::new(Style::PLAIN, kind_of);
    let mut tell = |call: &str, tool: &str, kind: EventKind, expected: &str| {
        assert_eq!(watch.tell(&event(call, tool, kind)), expected);
    };
    let output = |text: &str| EventKind::Output(Bounded::seal(text.to_owned()));
    tell(
        "1",
        "shell.run",
        planned("Run the tests", terminal("", None)),
        "",
    );
    tell("2", "fs.read", planned("Read a", View::EMPTY), "");
    tell("1", "shell.run", EventKind::Started, "▸ Run the tests\n");
    tell("2", "fs.read", EventKind::Started, "");
    tell(
        "1",
        "shell.run",
        output("ok 1\nok"),
        "│ $ sh test.sh\n│ ok 1\n",
    );
    tell(
        "2",
        "fs.read",
        ended(Status::Ok, View::note("12 lines")),
        "",
    );
    tell("1", "shell.run", output(" 2\n"), "│ ok 2\n");
    let rest = "│ exit 1\n╰ ✓ done · 7 ms\n≡ Read a\n│ 12 lines\n╰ ✓ done · 7 ms\n";
    let end = ended(Status::Ok, terminal("ok 1\nok 2\n", Some(1)));
    tell("1", "shell.run", end, rest);
    assert_eq!(watch.finish(), "");
}

#[test]
fn a_question_and_its_answer_are_shown() {
    let mut watch = Watch::new(Style::PLAIN, kind_of);
    let denied = EventKind::Decided {
        verdict: Decision::Deny,
        rule: "shell(rm:*)".to_owned(),
    };
    let mut text = String::new();
    for kind in [
        planned("Run `sh test.sh`", terminal("", None)),
        EventKind::Asked,
        denied,
    ] {
        text += &watch.tell(&event("1", "shell.run", kind));
    }
    assert_eq!(
        text,
        "▸ Run `sh test.sh`\n│ $ sh test.sh\n│ waiting for an answer\n│ denied by shell(rm:*)\n"
    );
    let end = ended(Status::Denied, View::EMPTY);
    let closed = watch.tell(&event("1", "shell.run", end));
    assert_eq!(closed, "╰ ■ denied · 7 ms\n");
}

#[test]
fn what_the_question_showed_is_not_shown_again() {
    let mut watch = Watch::new(Style::PLAIN, kind_of);
    let mut text = String::new();
    for kind in [
        planned("Run `sh test.sh`", terminal("", None)),
        EventKind::Asked,
        EventKind::Started,
        EventKind::Output(Bounded::seal("ok 1\n".to_owned())),
        ended(Status::Ok, terminal("ok 1\n", Some(0))),
    ] {
        text += &watch.tell(&event("1", "shell.run", kind));
    }
    assert_eq!(
        text,
        "▸ Run `sh test.sh`\n│ $ sh test.sh\n│ waiting for an answer\n│ ok 1\n│ exit 0\n╰ ✓ done · 7 ms\n"
    );
}

#[test]
fn a_missed_ending_holds_nothing_back() {
    let mut watch = Watch::new(Style::PLAIN, kind_of);
    watch.tell(&event("1", "fs.read", planned("Read a", View::EMPTY)));
    let end = ended(Status::Ok, View::EMPTY);
    assert_eq!(watch.tell(&event("2", "fs.list", end)), "");
    assert_eq!(watch.finish(), "• fs.list\n╰ ✓ done · 7 ms\n");
}
