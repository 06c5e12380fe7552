//! The door for programs that embed toolpost: the library.

use tokio::runtime::Runtime;
use toolpost::core::{CallId, Completeness, Form, RawArgs, RawCall};
use toolpost::view::Style;
use toolpost::{Controls, Dialect, Reply, Selection, Session, SessionSpec, Toolpost};

use crate::disk::Place;
use crate::door::{Door, DoorError, Replied, Visit, environment};
use crate::story::{Args, Call, Ending, Policy};

/// The library, in this very process.
#[derive(Debug, Clone, Copy, Default)]
pub struct InProcess;

struct Inside {
    waits: Runtime,
    toolpost: Toolpost,
    session: Session,
}

impl Door for InProcess {
    fn name(&self) -> &'static str {
        "in process"
    }

    fn start<'a>(
        &'a self,
        place: &'a Place,
        policy: &'a Policy,
    ) -> Result<Box<dyn Visit + 'a>, DoorError> {
        let config = policy.config();
        let toolpost = Toolpost::builder(&place.state())
            .environment(environment(place))
            .limits(config.limits)
            .build();
        let spec = SessionSpec {
            settings: config.settings,
            ..SessionSpec::new(&place.workspace(), policy.mode)
        };
        let session = toolpost.session(spec);
        let session = session.map_err(|err| DoorError::because("No session", err))?;
        let waits = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|err| DoorError::because("No runtime", err))?;
        Ok(Box::new(Inside {
            waits,
            toolpost,
            session,
        }))
    }
}

impl Visit for Inside {
    fn batch(&mut self, dialect: Dialect, calls: &[Call]) -> Result<Vec<Replied>, DoorError> {
        let toolset = self.toolpost.toolset(&Selection::usual(dialect));
        let toolset = toolset.map_err(|err| DoorError::because("No toolset", err))?;
        let calls: Vec<RawCall> = calls.iter().map(raw).collect();
        let controls = Controls::new();
        let batch = self
            .toolpost
            .batch(&self.session, &toolset, calls, &controls);
        let answer = self.waits.block_on(batch);
        Ok(answer.replies.iter().map(replied).collect())
    }

    fn leave(self: Box<Self>) -> Result<(), DoorError> {
        Ok(())
    }
}

fn raw(call: &Call) -> RawCall {
    let (args, form) = match &call.args {
        Args::Json(map) => (RawArgs::Value(map.clone().into()), Form::Function),
        Args::Raw(text) => (RawArgs::Text(text.clone()), Form::Function),
        Args::Free(text) => (RawArgs::Free(text.clone()), Form::Custom),
    };
    RawCall {
        id: CallId(call.line.to_string()),
        name: call.name.clone(),
        args,
        completeness: Completeness::Whole,
        form,
    }
}

fn replied(reply: &Reply) -> Replied {
    let code = reply.body.failure.as_ref().map(|failure| failure.code);
    Replied {
        ending: Ending::new(reply.status, code),
        text: reply.text(),
        state: reply.body.state.clone(),
        view: Some(toolpost::view::draw(&reply.body.view, &Style::PLAIN)),
    }
}

#[cfg(test)]
mod tests {
    use super::InProcess;
    use crate::parse::parse;
    use crate::run::run;

    #[test]
    fn a_session_lives_as_long_as_its_story() {
        let read = "```call fs.read\n{\"path\": \"a.txt\"}\n```\n```reply ok\n1\tone\n```\n";
        let write =
            "```call fs.write\n{\"path\": \"a.txt\", \"content\": \"two\\n\"}\n```\n```reply";
        let check = |policy: &str, steps: &str, holds: bool| {
            let text = format!("## A\n{policy}```given a.txt\none\n```\n{steps}");
            let stories = parse("a.md", &text).unwrap();
            let differences = match run(&stories[0], &InProcess) {
                Ok(()) => String::new(),
                Err(mismatch) => mismatch.to_string(),
            };
            let ended_so = !differences.contains("The call ended");
            assert_eq!(ended_so, holds, "{text}\n{differences}");
        };
        let unread = format!("{write} error unread\n```\n```then a.txt\none\n```\n");
        let seen = format!("{read}{write} ok\n```\n```then a.txt\ntwo\n```\n");
        check("", &unread, true);
        check("", &seen, true);
        check("", &format!("{read}{unread}"), false);
        check("```policy\nprior_read = off\n```\n", &unread, false);
        check("```policy\nmode = plan\n```\n", &seen, false);
    }
}
