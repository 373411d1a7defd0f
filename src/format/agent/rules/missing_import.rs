use crate::client::Kind;
use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::format::agent::{files, imports};
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::Edit;

declare_rule! {
    /// `@path` outside of code includes another file. If it doesn't exist, the client includes
    /// nothing, silently. The path starts at the folder of the file, not at the root of the project. Files that
    /// `CLAUDE.md` or `GEMINI.md` imports, such as `AGENTS.md`, are checked too. Comments aren't checked, nor are names of npm packages such as
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
    let all = imports::of(subject.cx.source);
    let imported = || subject.file.kind == Kind::Memory && imports::is_imported(subject);
    if all.is_empty() || imports::reader(subject).is_none() && !imported() {
        return;
    }
    for import in all {
        let from_root = files::only_from_root(subject, &import.path);
        let missing = from_root.is_some() || files::is_missing(subject, &import.path);
        if import.comment || !missing || is_package(subject, &import.path) {
            continue;
        }
        let words = match &from_root {
            Some(_) => format!(
                "`{}` exists at the root, but not next to this file, so nothing is imported",
                import.path
            ),
            None => format!("`{}` does not exist, so nothing is imported", import.path),
        };
        let finding = report.add(&RULE, import.span.clone(), words);
        let near = from_root.or_else(|| files::nearest(subject, &import.path));
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
