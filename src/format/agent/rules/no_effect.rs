use crate::client::Outcome;
use crate::declare_rule;
use crate::format::agent::names::{self, Place, Word};
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::{Report, Severity};

declare_rule! {
    /// A client knows the key and ignores it in files of this kind, in plugins, or without another
    /// key; or it reads the front matter of the whole file as text. A key with an agent that the client
    /// doesn't have is a hint: it may be meant for another client.
    ///
    /// Remove it, or set the other key.
    ///
    /// ````markdown bad path=agents/helper.md clients=claude-code
    /// ---
    /// name: helper
    /// description: Helps
    /// permissionMode: plan
    /// ---
    ///
    /// Help.
    /// ````
    ///
    /// ````markdown good path=agents/helper.md clients=claude-code
    /// ---
    /// name: helper
    /// description: Helps
    /// ---
    ///
    /// Help.
    /// ````
    pub static RULE = "agent/no-effect", Hint, "Key or front matter without effect";
}

/// Whether a key names an agent that its clients don't have, so that it's probably meant for
/// another client.
fn is_foreign(subject: &Subject, key: &str) -> bool {
    let roles = names::readers(&subject.file);
    let mentions = names::of(subject.cx.source, &roles).into_iter();
    let mut agents = mentions.filter(|mention| {
        let here = matches!(&mention.place, Place::Front(at) if at == key);
        here && matches!(mention.word, Word::Agent(_))
    });
    agents.any(|mention| {
        let resolved = names::resolve(subject.cx, &roles, &mention);
        resolved.found.is_empty() && !resolved.built_in
    })
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::IgnoredKey) {
        let Some(first) = group.first() else { continue };
        let worst = group.iter().map(|problem| problem.effect.outcome).max();
        let refused = worst >= Some(Outcome::NotLoaded);
        let verdict = if refused { "is not allowed here" } else { "has no effect here" };
        let words = format!("`{}` {verdict}", first.key().unwrap_or_default());
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        if !refused {
            finding.unnecessary();
        }
        if first.key().is_some_and(|key| is_foreign(subject, key)) {
            finding.severity = Severity::Hint;
        }
    }
    for group in subject.groups(Cause::NoUse) {
        let Some(first) = group.first() else { continue };
        subject.report(
            &RULE,
            &group,
            first.span.clone(),
            "front matter has no effect in this file",
            report,
        );
    }
}
