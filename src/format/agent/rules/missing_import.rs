use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::format::agent::{files, imports};
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::Edit;

declare_rule! {
    /// `@path` outside of code includes another file. If it doesn't exist, the client includes
    /// nothing, silently. Comments aren't checked, nor are names of npm packages such as
    /// `@solana/web3.js`. A file that `.gitignore` names is a hint: something makes it.
    ///
    /// ````markdown bad path=CLAUDE.md clients=claude-code
    /// # Project
    ///
    /// Read @docs/rules.md first.
    /// ````
    ///
    /// ````markdown good path=CLAUDE.md clients=claude-code
    /// # Project
    ///
    /// Read `docs/rules.md` first.
    /// ````
    pub static RULE = "agent/missing-import", Warning, "Imported file is missing";
}

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    if imports::reader(subject).is_none() {
        return;
    }
    for import in imports::of(subject.cx.source) {
        if import.comment
            || !files::is_missing(subject, &import.path)
            || is_package(subject, &import.path)
        {
            continue;
        }
        let words = format!("`{}` does not exist, so nothing is imported", import.path);
        let finding = report.add(&RULE, import.span.clone(), words);
        let near = files::nearest(subject, &import.path);
        let made = files::is_ignored(subject, &import.path);
        let severity = if made { Severity::Hint } else { Severity::Warning };
        finding.severity = subject.weigh(Claim::Files, severity);
        if let Some(near) = near {
            finding.fix(Fix::suggestion(
                format!("Import `{near}`"),
                vec![Edit::replace(import.span, format!("@{near}"))],
            ));
        }
    }
}

/// Whether an import is the name of an npm package, `@scope/name.js`, and no folder has the scope's name.
fn is_package(subject: &Subject, path: &str) -> bool {
    let Some((scope, name)) = path.split_once('/') else { return false };
    let named = |stem: &str| {
        let is_lower = |letter: char| matches!(letter, 'a'..='z' | '0'..='9' | '-' | '_' | '.');
        !stem.is_empty() && stem.chars().all(is_lower)
    };
    named(scope)
        && !scope.starts_with('.')
        && name.strip_suffix(".js").is_some_and(named)
        && !files::exists(subject, scope)
}
