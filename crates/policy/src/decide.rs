//! The order of deciding; the first line that has an opinion wins.

use std::path::{Component, PathBuf};

use toolpost_core::{Claim, Code, Decision, Effects, Extent, Plan};

use crate::Mode;

/// What is to be decided.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// What the call would do.
    pub plan: &'a Plan,
    /// The workspace roots, absolute, links resolved.
    pub roots: &'a [PathBuf],
    /// Toolpost's own configuration and store: no tool touches them.
    pub own_places: &'a [PathBuf],
    /// How a tool's default is read.
    pub mode: Mode,
}

/// What was decided, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Allow, ask or deny.
    pub decision: Decision,
    /// The line that said so, for the journal and for people.
    pub rule: String,
    /// The code of a refusal, where it comes to one.
    pub code: Code,
    /// Why, in one sentence for the model.
    pub fact: String,
    /// What the model can do instead.
    pub hint: String,
}

impl Verdict {
    fn allow(rule: &str) -> Self {
        Self {
            decision: Decision::Allow,
            rule: rule.to_owned(),
            code: Code::Denied,
            fact: String::new(),
            hint: String::new(),
        }
    }

    fn ask(rule: &str, fact: impl Into<String>) -> Self {
        Self {
            decision: Decision::Ask,
            fact: fact.into(),
            ..Self::allow(rule)
        }
    }

    fn deny(rule: &str, fact: impl Into<String>) -> Self {
        Self {
            decision: Decision::Deny,
            ..Self::ask(rule, fact)
        }
    }

    fn hint(self, hint: &str) -> Self {
        Self {
            hint: hint.to_owned(),
            ..self
        }
    }

    fn code(self, code: Code) -> Self {
        Self { code, ..self }
    }
}

/// Decides a planned call.
#[must_use]
pub fn decide(question: &Question<'_>) -> Verdict {
    let lines = [audits, plan_mode, protected_places, outside_roots];
    let opinion = lines.iter().find_map(|line| line(question));
    opinion.unwrap_or_else(|| by_mode(question))
}

/// Hard audits, which nothing waives.
fn audits(question: &Question<'_>) -> Option<Verdict> {
    let effects = &question.plan.effects;
    if effects.runs.is_some() {
        return None;
    }
    let mut claims = effects.reads.iter().chain(&effects.writes);
    let own = claims.find(|claim| {
        question
            .own_places
            .iter()
            .any(|place| claim.path.starts_with(place))
    })?;
    let fact = format!(
        "`{}` belongs to toolpost itself, and no tool may touch it.",
        own.path.display()
    );
    Some(Verdict::deny("audit: own places", fact))
}

/// What plan mode bans.
fn plan_mode(question: &Question<'_>) -> Option<Verdict> {
    if question.mode != Mode::Plan || question.plan.effects.only_reads() {
        return None;
    }
    let fact = format!(
        "`{}` would change something, and the mode is `plan`.",
        question.plan.title
    );
    Some(Verdict::deny("mode: plan", fact).hint("Only look for now; say what you would change."))
}

/// Places where a change needs a person: a repository's internals and agents' own configuration.
fn protected_places(question: &Question<'_>) -> Option<Verdict> {
    const NAMES: &[&str] = &[".git", ".toolpost", ".claude", ".codex", ".gemini"];
    let effects = &question.plan.effects;
    if effects.runs.is_some() {
        return None;
    }
    let is_protected = |claim: &&Claim| {
        let inside = question
            .roots
            .iter()
            .find_map(|root| claim.path.strip_prefix(root).ok());
        let mut names = inside.unwrap_or(&claim.path).components();
        names.any(|name| NAMES.iter().any(|protected| name.as_os_str() == *protected))
    };
    let claim = effects.writes.iter().find(is_protected)?;
    let fact = format!(
        "`{}` is a protected place, and changing it needs a person.",
        claim.path.display()
    );
    Some(Verdict::ask("protected place", fact))
}

/// A file tool's path outside the workspace roots.
fn outside_roots(question: &Question<'_>) -> Option<Verdict> {
    let effects = &question.plan.effects;
    if effects.runs.is_some() {
        return None;
    }
    // A claim is resolved before it is made; one that still climbs is taken for what it may reach.
    let climbs = |claim: &Claim| {
        claim
            .path
            .components()
            .any(|part| part == Component::ParentDir)
    };
    let inside = |claim: &Claim| {
        question
            .roots
            .iter()
            .any(|root| claim.path.starts_with(root))
    };
    let outside = |claim: &&Claim| climbs(claim) || !inside(claim);
    let claim = effects.reads.iter().chain(&effects.writes).find(outside)?;
    let fact = format!("`{}` lies outside the workspace.", claim.path.display());
    let verdict = Verdict::ask("outside the roots", fact).code(Code::Outside);
    Some(verdict.hint(
        "Use a path inside the workspace; only the user can start toolpost with another folder.",
    ))
}

/// The tool's default, read through the mode.
fn by_mode(question: &Question<'_>) -> Verdict {
    let effects = &question.plan.effects;
    let rule = format!("mode: {}", question.mode.name());
    let passes = match question.mode {
        Mode::Auto | Mode::Headless => effects.extent == Extent::Stated,
        Mode::AllowList => false,
        Mode::Manual | Mode::Plan => effects.only_reads(),
        Mode::Edits => effects.runs.is_none() && effects.reaches.is_empty() && is_stated(effects),
    };
    if passes {
        return Verdict::allow(&rule);
    }
    let fact = format!(
        "`{}` needs a person's consent in mode `{}`.",
        question.plan.title,
        question.mode.name()
    );
    Verdict::ask(&rule, fact).hint("Say what you wanted to do, or go on without it.")
}

fn is_stated(effects: &Effects) -> bool {
    effects.extent == Extent::Stated
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use toolpost_core::{Claim, Code, Command, Decision, Effects, Plan};

    use super::{Question, decide};
    use crate::Mode;

    fn check(mode: Mode, effects: Effects, expected: (Decision, &str)) {
        let plan = Plan {
            title: "Do it".to_owned(),
            effects,
            ..Plan::default()
        };
        let (roots, own_places) = ([PathBuf::from("/w")], [PathBuf::from("/w/state")]);
        let question = Question {
            plan: &plan,
            roots: &roots,
            own_places: &own_places,
            mode,
        };
        let verdict = decide(&question);
        assert_eq!(
            (verdict.decision, verdict.rule.as_str()),
            expected,
            "{mode:?} {plan:?}"
        );
        assert_eq!(verdict.fact.is_empty(), verdict.decision == Decision::Allow);
    }

    fn runs() -> Effects {
        let command = Command {
            text: "true".to_owned(),
            cwd: PathBuf::from("/w"),
        };
        Effects {
            runs: Some(command),
            ..Effects::changes(Claim::tree("/"))
        }
    }

    #[test]
    fn the_mode_decides_what_no_line_does() {
        use Decision::{Allow, Ask, Deny};
        let read = || Effects::reads(Claim::entry("/w/a"));
        let write = || Effects::changes(Claim::entry("/w/a"));
        for (mode, reading, writing, running) in [
            (Mode::Manual, Allow, Ask, Ask),
            (Mode::Edits, Allow, Allow, Ask),
            (Mode::Auto, Allow, Allow, Allow),
            (Mode::Headless, Allow, Allow, Allow),
            (Mode::AllowList, Ask, Ask, Ask),
            (Mode::Plan, Allow, Deny, Deny),
        ] {
            let rule = format!("mode: {}", mode.name());
            check(mode, read(), (reading, &rule));
            check(mode, write(), (writing, &rule));
            check(mode, runs(), (running, &rule));
        }
    }

    #[test]
    fn unknown_effects_ask_in_every_mode() {
        for mode in [
            Mode::Manual,
            Mode::Edits,
            Mode::Auto,
            Mode::Headless,
            Mode::AllowList,
        ] {
            check(
                mode,
                Effects::EVERYTHING,
                (Decision::Ask, &format!("mode: {}", mode.name())),
            );
        }
    }

    #[test]
    fn places_come_before_modes() {
        use Decision::{Allow, Ask, Deny};
        let read = |path: &str| Effects::reads(Claim::entry(path));
        let write = |path: &str| Effects::changes(Claim::entry(path));
        check(Mode::Auto, read("/w/state/db"), (Deny, "audit: own places"));
        check(Mode::Auto, write("/w/state"), (Deny, "audit: own places"));
        check(Mode::Auto, read("/w/state2"), (Allow, "mode: auto"));
        check(Mode::Auto, read("/etc/passwd"), (Ask, "outside the roots"));
        check(
            Mode::Auto,
            read("/w/../etc/passwd"),
            (Ask, "outside the roots"),
        );
        check(Mode::Auto, write("/wide/a"), (Ask, "outside the roots"));
        check(
            Mode::Auto,
            write("/w/.git/hooks/pre-commit"),
            (Ask, "protected place"),
        );
        check(Mode::Auto, read("/w/.git/config"), (Allow, "mode: auto"));
        check(Mode::Auto, write("/w/.gitignore"), (Allow, "mode: auto"));
        check(Mode::Plan, write("/etc/passwd"), (Deny, "mode: plan"));
    }

    #[test]
    fn a_path_outside_has_its_own_code() {
        let effects = Effects::reads(Claim::entry("/etc/passwd"));
        let plan = Plan {
            title: "Read".to_owned(),
            effects,
            ..Plan::default()
        };
        let (roots, own_places) = ([PathBuf::from("/w")], []);
        let question = Question {
            plan: &plan,
            roots: &roots,
            own_places: &own_places,
            mode: Mode::Auto,
        };
        assert_eq!(decide(&question).code, Code::Outside);
    }
}
