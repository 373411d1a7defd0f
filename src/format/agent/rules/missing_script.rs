use std::cell::LazyCell;
use std::collections::HashSet;

use crate::client::Kind;
use crate::declare_rule;
use crate::format::agent::body;
use crate::format::agent::commands::{Command, Runner, names};
use crate::format::agent::forbidden::is_forbidden;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::{Claim, Sign};
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::suggestion;
use crate::text::Edit;

declare_rule! {
    /// A memory file tells the model to run a script of `package.json`, a target of a Makefile or a
    /// recipe of a justfile, but the project doesn't define it. The model runs it anyway and loses
    /// a turn.
    ///
    /// agentmd looks in this folder, above it and below it. It reports nothing if it finds no such
    /// file, if that file includes others, or if the command changes the folder. Further mentions
    /// of a name are hints, and so is everything after the fifth finding, because the document was
    /// probably copied. A command that the text tells the model not to run is a hint too. So is one
    /// in a document that names no script that exists, if none has a similar name.
    ///
    /// ````json file=package.json
    /// {"scripts": {"lint": "eslint .", "test": "vitest"}}
    /// ````
    ///
    /// ````markdown bad path=AGENTS.md clients=codex
    /// # Project
    ///
    /// Check your work with `npm run tests`.
    /// ````
    ///
    /// ````markdown good path=AGENTS.md clients=codex
    /// # Project
    ///
    /// Check your work with `npm run test`.
    /// ````
    pub static RULE = "agent/missing-script", Warning, "Script or target that does not exist";
}

/// At most this many commands are looked up to find out whether the document is about this project.
const MOST_COMMANDS: usize = 256;

/// At most this many missing names are warnings in one file.
const MOST: usize = 5;

pub fn check(subject: &Subject, report: &mut Report) {
    if subject.file.kind != Kind::Memory || subject.file.judged.is_empty() {
        return;
    }
    let mut seen = HashSet::new();
    let commands = LazyCell::new(|| {
        let all = body::mentions(subject.cx.source).flat_map(|(_, found)| found.commands.clone());
        all.take(MOST_COMMANDS).collect::<Vec<Command>>()
    });
    for (placed, found) in body::mentions(subject.cx.source) {
        for command in &found.commands {
            let near = names(subject, command.runner, false);
            if near.open || near.names.contains(&command.name) {
                continue;
            }
            let all = names(subject, command.runner, true);
            let others = || {
                let mut same = commands.iter().filter(|other| other.runner == command.runner);
                same.any(|other| all.names.contains(&other.name))
            };
            if !all.any || all.open || all.names.contains(&command.name) {
                continue;
            }
            let (what, place) = match command.runner {
                Runner::Package => ("script", "`package.json`"),
                Runner::Make => ("target", "the Makefile"),
                Runner::Just => ("recipe", "the justfile"),
            };
            let span = placed.start + command.span.start..placed.start + command.span.end;
            let closest = suggestion::closest(&command.name, all.names.iter().map(String::as_str));
            let end = closest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
            let words = format!("{place} has no {what} `{}`{end}", command.name);
            let finding = report.add(&RULE, span.clone(), words);
            // Each name is one cause; if there are many, the document was probably copied from
            // another project.
            let again = !seen.insert(command.name.clone()) || seen.len() > MOST;
            let aside = again || is_forbidden(subject.cx.source, span.start);
            let severity = if aside { Severity::Hint } else { Severity::Warning };
            let sign = Sign::of(closest.is_some(), others());
            finding.severity = subject.weigh(Claim::Mention(sign), severity);
            if let Some(name) = closest {
                finding.fix(Fix::suggestion(
                    format!("Replace with `{name}`"),
                    vec![Edit::replace(span, name)],
                ));
            }
        }
    }
}
