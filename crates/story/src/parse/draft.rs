//! A story that is being read: the order in which its blocks may stand.

use toolpost::Dialect;

use super::verbs::{self, Verb};
use crate::fence::{Fault, Fence};
use crate::story::{Batch, Block, Call, Ending, Expected, Policy, State, Step, Story};

/// A story up to here.
pub(super) struct Draft {
    story: Story,
    policy: Option<Policy>,
    batch: Option<Batch>,
}

type Read = Result<(), String>;

impl Draft {
    pub(super) fn new(file: &str, heading: String, line: usize) -> Self {
        let story = Story {
            file: file.to_owned(),
            heading,
            line,
            policy: Policy::default(),
            steps: Vec::new(),
        };
        Self {
            story,
            policy: None,
            batch: None,
        }
    }

    /// Takes the next block.
    pub(super) fn take(&mut self, fence: Fence) -> Result<(), Fault> {
        let line = fence.line;
        self.add(fence).map_err(|fact| Fault::new(line, fact))
    }

    fn add(&mut self, fence: Fence) -> Read {
        let line = fence.line;
        match verbs::read(&fence)? {
            Verb::Given { path, given } => self.step(Step::Given { path, given, line }),
            Verb::Policy(policy) => self.policy(policy),
            Verb::Call { call, dialect } => self.call(call, dialect),
            Verb::Asks | Verb::Answer => self.asks(line),
            Verb::Reply(ending) => self.reply(ending, fence.into()),
            Verb::State(values) => self.state(State { values, line }),
            Verb::View => self.view(fence.into()),
            Verb::Then { path, content } => self.step(Step::Then {
                path,
                content,
                block: fence.into(),
            }),
            Verb::Gone(path) => self.step(Step::Gone { path, line }),
        }
    }

    /// Ends the story. One whose calls are not all answered, or that calls nothing, promises nothing.
    pub(super) fn finish(mut self) -> Result<Story, Fault> {
        let line = self.story.line;
        if let Some(call) = self.unanswered() {
            return Err(Fault::new(call, "The call has no `reply`."));
        }
        self.settle();
        let is_batch = |step: &Step| matches!(step, Step::Batch(_));
        if !self.story.steps.iter().any(is_batch) {
            return Err(Fault::new(line, "The story calls nothing."));
        }
        self.story.policy = self.policy.unwrap_or_default();
        Ok(self.story)
    }

    fn step(&mut self, step: Step) -> Read {
        if self.unanswered().is_some() {
            return Err("The block stands between a call and its `reply`.".to_owned());
        }
        self.settle();
        self.story.steps.push(step);
        Ok(())
    }

    fn policy(&mut self, policy: Policy) -> Read {
        let is_batch = |step: &Step| matches!(step, Step::Batch(_));
        if self.batch.is_some() || self.story.steps.iter().any(is_batch) {
            return Err("A `policy` stands before the first call.".to_owned());
        }
        match self.policy.replace(policy) {
            None => Ok(()),
            Some(_) => Err("A story has one `policy`.".to_owned()),
        }
    }

    fn call(&mut self, call: Call, dialect: Dialect) -> Read {
        if self.unanswered().is_none() {
            self.settle();
        }
        let batch = self.batch.get_or_insert_with(|| Batch {
            dialect,
            calls: Vec::new(),
            asks: None,
            replies: Vec::new(),
        });
        if !batch.replies.is_empty() {
            return Err("The call before this one has no `reply` yet.".to_owned());
        }
        if batch.dialect != dialect {
            return Err("The calls of a batch are of one dialect.".to_owned());
        }
        batch.calls.push(call);
        Ok(())
    }

    fn asks(&mut self, line: usize) -> Read {
        let batch = self.batch.as_mut().filter(|batch| batch.replies.is_empty());
        let batch =
            batch.ok_or("A question and its answer stand between a call and its `reply`.")?;
        batch.asks.get_or_insert(line);
        Ok(())
    }

    fn reply(&mut self, ending: Ending, text: Block) -> Read {
        let open = |batch: &&mut Batch| batch.replies.len() < batch.calls.len();
        let batch = self.batch.as_mut().filter(open);
        let batch = batch.ok_or("There is no call for this `reply`.")?;
        batch.replies.push(Expected {
            ending,
            text,
            state: None,
            view: None,
        });
        Ok(())
    }

    fn state(&mut self, state: State) -> Read {
        match self.last_reply("state")?.state.replace(state) {
            None => Ok(()),
            Some(_) => Err("A reply has one `state`.".to_owned()),
        }
    }

    fn view(&mut self, view: Block) -> Read {
        match self.last_reply("view")?.view.replace(view) {
            None => Ok(()),
            Some(_) => Err("A reply has one `view`.".to_owned()),
        }
    }

    fn last_reply(&mut self, verb: &str) -> Result<&mut Expected, String> {
        let last = self
            .batch
            .as_mut()
            .and_then(|batch| batch.replies.last_mut());
        last.ok_or_else(|| format!("There is no `reply` for this `{verb}`."))
    }

    /// The line of the first call without a reply.
    fn unanswered(&self) -> Option<usize> {
        let batch = self.batch.as_ref()?;
        batch.calls.get(batch.replies.len()).map(|call| call.line)
    }

    /// Closes a batch that is answered.
    fn settle(&mut self) {
        self.story.steps.extend(self.batch.take().map(Step::Batch));
    }
}
