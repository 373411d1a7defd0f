use std::collections::HashSet;

use crate::client::Kind;
use crate::declare_rule;
use crate::format::agent::body;
use crate::format::agent::commands::{Runner, names};
use crate::format::agent::subject::Subject;
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
    /// probably copied.
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

/// So many missing names are warnings in one file.
const MOST: usize = 5;

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    if subject.file.kind != Kind::Memory || subject.file.judged.is_empty() {
        return;
    }
    let mut seen = HashSet::new();
    for (placed, found) in body::mentions(subject.cx.source) {
        for command in &found.commands {
            let near = names(subject, command.runner, false);
            if near.open || near.names.contains(&command.name) {
                continue;
            }
            let all = names(subject, command.runner, true);
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
            // One name is one cause; with many, the document was copied from another project.
            let again = !seen.insert(command.name.clone()) || seen.len() > MOST;
            let severity = if again { Severity::Hint } else { Severity::Warning };
            finding.severity = subject.at_most_here(severity);
            if let Some(name) = closest {
                finding.fix(Fix::suggestion(
                    format!("Replace with `{name}`"),
                    vec![Edit::replace(span, name)],
                ));
            }
        }
    }
}
