//! What each judged client does with a file, in one word with reasons.

use super::problem::{Cause, Problem};
use super::subject::Subject;
use crate::client::{Client, Kind, Outcome};
use crate::format::Context;

use super::file::File;

/// What one client does with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The name that settings and JSON use.
    pub client: String,
    pub title: String,
    pub kind: Kind,
    pub outcome: Outcome,
    /// Why it isn't simply loaded, each in a few words.
    pub reasons: Vec<String>,
    /// The place of the first reason.
    pub place: Option<usize>,
}

/// The kind of a document and the verdicts of the judged clients; `None` if no client reads it.
pub fn verdicts(cx: &Context) -> Option<(Kind, Vec<Verdict>)> {
    let file = File::of(cx).filter(|file| !file.guess && file.kind != Kind::Own)?;
    let subject = Subject::new(cx, file);
    Some((subject.file.kind, of(&subject)))
}

/// The verdicts on a file.
pub fn of(subject: &Subject) -> Vec<Verdict> {
    let mut found: Vec<Verdict> = Vec::new();
    for role in subject.file.judged.iter().filter(|role| role.reads.kind != Kind::Own) {
        found.push(verdict(subject, role.client, role.reads.kind));
    }
    for problem in subject.problems.iter().filter(|problem| problem.cause == Cause::Misplaced) {
        if found.iter().all(|verdict| verdict.client != problem.client.name) {
            found.push(verdict(subject, problem.client, subject.file.kind));
        }
    }
    found
}

fn verdict(subject: &Subject, client: &Client, kind: Kind) -> Verdict {
    let own: Vec<&Problem> =
        subject.problems.iter().filter(|problem| std::ptr::eq(problem.client, client)).collect();
    let outcome = own.iter().map(|problem| problem.effect.outcome).max().unwrap_or(Outcome::Loaded);
    let mut counted: Vec<&&Problem> =
        own.iter().filter(|problem| problem.effect.outcome > Outcome::Loaded).collect();
    counted.sort_by_key(|problem| std::cmp::Reverse(problem.effect.outcome));
    let mut reasons: Vec<String> = Vec::new();
    for problem in &counted {
        let reason = problem.told();
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    Verdict {
        client: client.name.clone(),
        title: client.title.clone(),
        kind,
        outcome,
        reasons,
        place: counted.first().map(|problem| problem.span.start),
    }
}

impl Verdict {
    /// The verdict in a word or two, for a lens: `Codex: not loaded`.
    pub fn short(&self) -> String {
        match self.outcome {
            Outcome::Loaded => format!("{} ✓", self.title),
            Outcome::Partly => format!("{}: partly", self.title),
            Outcome::NotLoaded => format!("{}: not loaded", self.title),
            Outcome::DoesNotStart => format!("{}: does not start", self.title),
        }
    }

    /// The verdict with its reasons, in Markdown.
    pub fn line(&self) -> String {
        let word = match self.outcome {
            Outcome::Loaded => "loaded",
            Outcome::Partly => "loaded in part",
            Outcome::NotLoaded => "not loaded",
            Outcome::DoesNotStart => "does not start",
        };
        if self.reasons.is_empty() {
            format!("- {}: {word}", self.title)
        } else {
            format!("- {}: {word} ({})", self.title, self.reasons.join("; "))
        }
    }
}

/// All verdicts in one line.
pub fn summary(verdicts: &[Verdict]) -> String {
    verdicts.iter().map(Verdict::short).collect::<Vec<_>>().join(" · ")
}

/// All verdicts, one per line, in Markdown.
pub fn list(kind: Kind, verdicts: &[Verdict]) -> String {
    let lines: Vec<String> = verdicts.iter().map(Verdict::line).collect();
    format!("**{}**\n\n{}", kind.name().replace('-', " "), lines.join("\n"))
}
