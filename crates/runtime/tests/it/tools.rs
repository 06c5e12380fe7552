//! Tools made for the purpose.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::Notify;
use toolpost_core::{
    About, Claim, Code, Cx, Dialect, Effects, Face, FaceAbout, Faces, Hints, Look, Plan, Planned,
    Set, Tool, ToolError, Words,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    pub(crate) text: String,
}

fn planned(title: &str, effects: Effects) -> Plan {
    Plan {
        title: title.to_owned(),
        effects,
        ..Plan::default()
    }
}

/// Says what it is told. Looks only; two families know it.
pub(crate) struct Echo;

impl Tool for Echo {
    type Input = Text;
    type Ready = String;
    type Output = String;
    const ABOUT: About<'static> = About {
        hints: Hints::LOOKS,
        sets: &[Set::ReadOnly],
        ..About::new("test.echo", "Says what it is told.")
    };

    fn faces() -> Faces<Self> {
        Faces::new().and::<Parrot>().and::<Mynah>()
    }

    async fn plan(&self, input: Text, _: &Look) -> Result<Planned<String>, ToolError> {
        Ok(Planned::Ready(
            planned("Echo", Effects::NOTHING),
            input.text,
        ))
    }

    async fn run(&self, text: String, _: &Cx) -> Result<String, ToolError> {
        Ok(text)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words2 {
    words: String,
}

/// The face of one family.
struct Parrot;

impl Face<Echo> for Parrot {
    type Args = Words2;
    const ABOUT: FaceAbout = FaceAbout::new(Dialect("parrot"), "Say");

    fn input(args: Words2) -> Result<Text, ToolError> {
        Ok(Text { text: args.words })
    }

    fn words(output: &String) -> Words {
        Words::own("Squawk: ").and_payload(output.clone())
    }
}

/// The face of another, with the same name and other arguments.
struct Mynah;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lines {
    lines: Vec<String>,
}

impl Face<Echo> for Mynah {
    type Args = Lines;
    const ABOUT: FaceAbout = FaceAbout::new(Dialect("mynah"), "Say");

    fn input(args: Lines) -> Result<Text, ToolError> {
        Ok(Text {
            text: args.lines.join("\n"),
        })
    }
}

/// Breaks while it runs, or while it plans.
pub(crate) struct Broken;

impl Tool for Broken {
    type Input = Text;
    type Ready = ();
    type Output = String;
    const ABOUT: About<'static> = About::new("test.broken", "Breaks.");

    async fn plan(&self, input: Text, _: &Look) -> Result<Planned<()>, ToolError> {
        assert!(input.text != "early", "a secret that must not be told");
        Ok(Planned::Ready(planned("Break", Effects::NOTHING), ()))
    }

    async fn run(&self, (): (), _: &Cx) -> Result<String, ToolError> {
        panic!("a secret that must not be told");
    }
}

/// A register that tells whether two writers were in it at once. `see` reads it, `add` appends to it.
#[derive(Clone, Default)]
pub(crate) struct Register {
    pub(crate) value: Arc<Mutex<String>>,
    inside: Arc<AtomicUsize>,
    pub(crate) most_inside: Arc<AtomicUsize>,
}

impl Register {
    /// Goes in, waits a while for `company` to be inside at once, and goes out.
    async fn visit(&self, company: usize) {
        let inside = self.inside.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_inside.fetch_max(inside, Ordering::SeqCst);
        for _ in 0..1_000_000 {
            if self.most_inside.load(Ordering::SeqCst) >= company {
                break;
            }
            tokio::task::yield_now().await;
        }
        self.inside.fetch_sub(1, Ordering::SeqCst);
    }

    pub(crate) fn read(&self) -> String {
        self.value.lock().unwrap().clone()
    }
}

/// Appends to the register what its plan saw there, and its text: a plan from before shows.
pub(crate) struct Add(pub(crate) Register);

impl Tool for Add {
    type Input = Text;
    type Ready = (String, String);
    type Output = String;
    const ABOUT: About<'static> = About {
        hints: Hints::CHANGES,
        ..About::new("test.add", "Appends.")
    };

    async fn plan(&self, input: Text, look: &Look) -> Result<Planned<(String, String)>, ToolError> {
        let seen = self.0.read();
        if let Some(before) = input.text.strip_prefix("after:")
            && before != seen
        {
            return Err(ToolError::new(
                Code::NotFound,
                "What it comes after is not there.",
            ));
        }
        let effects = Effects::changes(Claim::entry(look.cwd.join("register")));
        Ok(Planned::Ready(planned("Add", effects), (seen, input.text)))
    }

    async fn run(&self, (seen, text): (String, String), _: &Cx) -> Result<String, ToolError> {
        self.0.visit(1).await;
        let mut value = self.0.value.lock().unwrap();
        if *value != seen {
            return Err(ToolError::new(Code::Stale, "The plan is from before."));
        }
        value.push_str(&text);
        Ok(value.clone())
    }
}

/// Reads the register, in the company of as many others as its text says, if they come.
pub(crate) struct See(pub(crate) Register);

impl Tool for See {
    type Input = Text;
    type Ready = usize;
    type Output = String;
    const ABOUT: About<'static> = About {
        hints: Hints::LOOKS,
        sets: &[Set::ReadOnly],
        ..About::new("test.see", "Reads.")
    };

    async fn plan(&self, input: Text, look: &Look) -> Result<Planned<usize>, ToolError> {
        Ok(Planned::Ready(
            planned(
                "See",
                Effects::reads(Claim::entry(look.cwd.join("register"))),
            ),
            input.text.parse().unwrap_or(1),
        ))
    }

    async fn run(&self, company: usize, _: &Cx) -> Result<String, ToolError> {
        self.0.visit(company).await;
        Ok(self.0.read())
    }
}

/// Waits for ever. With text `kind` it winds down when it is told to; else it takes no notice.
pub(crate) struct Wait(pub(crate) Arc<Notify>);

impl Tool for Wait {
    type Input = Text;
    type Ready = String;
    type Output = String;
    const ABOUT: About<'static> = About::new("test.wait", "Waits.");

    async fn plan(&self, input: Text, _: &Look) -> Result<Planned<String>, ToolError> {
        let plan = Plan {
            wish_ms: Some(10_000),
            ..planned("Wait", Effects::NOTHING)
        };
        Ok(Planned::Ready(plan, input.text))
    }

    async fn run(&self, text: String, cx: &Cx) -> Result<String, ToolError> {
        self.0.notify_one();
        if text == "kind" {
            let why = cx.stop.raised().await;
            return Ok(format!("as far as it came, {why:?}"));
        }
        std::future::pending().await
    }
}

/// Reaches a file that its argument names.
pub(crate) struct Touch;

impl Tool for Touch {
    type Input = Text;
    type Ready = ();
    type Output = String;
    const ABOUT: About<'static> = About::new("test.touch", "Touches.");

    async fn plan(&self, input: Text, look: &Look) -> Result<Planned<()>, ToolError> {
        if input.text == "instead" {
            let args = serde_json::json!({ "text": "in its place" });
            let why = "It is better said.".to_owned();
            return Ok(Planned::Instead {
                id: "test.echo".to_owned(),
                args,
                why,
            });
        }
        let effects = Effects::changes(Claim::entry(look.cwd.join(input.text)));
        Ok(Planned::Ready(planned("Touch", effects), ()))
    }

    async fn run(&self, (): (), _: &Cx) -> Result<String, ToolError> {
        Ok("touched".to_owned())
    }
}
