use std::collections::HashSet;
use std::path::PathBuf;

use crate::client::Kind;
use crate::declare_rule;
use crate::format::Context;
use crate::format::agent::file::File;
use crate::format::agent::forbidden::is_forbidden;
use crate::format::agent::imports::{Import, Reach};
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::format::agent::{files, imports};
use crate::rule::Report;
use crate::rule::{Fix, Related, Severity};
use crate::text::Edit;

declare_rule! {
    /// `@path` outside of code includes another file. If it doesn't exist, the client includes
    /// nothing, silently. The path starts at the folder of the file, not at the root of the project.
    ///
    /// The path ends at the next space: in `@docs/rules.md.` or `@docs/rules.md, then`, the punctuation is a part of it,
    /// and nothing is included.
    ///
    /// Imports of imported files are checked too: those in `AGENTS.md` there, those of other files at the import that
    /// leads to them. Comments aren't checked, nor are names of npm packages such as `@solana/web3.js`. A file that
    /// `.gitignore` names is a hint: something makes it.
    ///
    /// In a command, the path starts at the root of the project. A missing file without a similar name is a hint there:
    /// the command may make it.
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

pub fn check(subject: &Subject, report: &mut Report) {
    let all = imports::of(subject.cx.source);
    if subject.file.kind == Kind::Command {
        return included(subject, &all, report);
    }
    let reaches = imports::reaches(subject);
    let imported = || subject.file.kind == Kind::Memory && imports::is_imported(subject);
    if all.is_empty() || reaches.is_empty() && !imported() {
        return;
    }
    let mut seen = HashSet::new();
    for (index, import) in all.iter().enumerate().filter(|(_, import)| !import.comment) {
        let Some(missing) = Missing::of(subject, import) else {
            if import.glued {
                let imports = |other: &Import| !other.glued && other.path == import.path;
                if !all.iter().any(imports) {
                    glued(subject, import, report);
                }
            } else if let Some((_, reach)) = reaches.get(index) {
                check_below(subject, import, reach, &mut seen, report);
            }
            continue;
        };
        let words = format!("`{}` {}, so nothing is imported", import.path, missing.words);
        let finding = report.add(&RULE, import.span.clone(), words);
        finding.severity = subject.weigh(Claim::Files, missing.severity);
        if let Some(near) = missing.near {
            let space = if import.glued { " " } else { "" };
            finding.fix(Fix::suggestion(
                format!("Import `{near}`"),
                vec![Edit::replace(import.span.clone(), format!("@{near}{space}"))],
            ));
        }
    }
}

/// Reports missing files that a command includes.
fn included(subject: &Subject, all: &[Import], report: &mut Report) {
    let mut given = subject.file.judged.iter().filter_map(|role| role.reads.substitutes.as_ref());
    if !given.any(|given| given.files && given.file_form.is_none()) {
        return;
    }
    for import in all.iter().filter(|import| !import.comment) {
        let path = import.path.as_str();
        if !files::is_missing(subject, path) || is_package(subject, path) {
            continue;
        }
        let words = format!("`{path}` does not exist, so nothing is included");
        let finding = report.add(&RULE, import.span.clone(), words);
        let near = files::nearest_from_root(subject, path);
        let expected = near.is_some()
            && !files::is_ignored(subject, path)
            && !files::is_shown(subject, &import.span)
            && !is_forbidden(subject.cx.source, import.span.start);
        let severity = if expected { Severity::Warning } else { Severity::Hint };
        finding.severity = subject.weigh(Claim::Files, severity);
        if let Some(near) = near {
            let edits = vec![Edit::replace(import.span.clone(), format!("@{near}"))];
            finding.fix(Fix::suggestion(format!("Include `{near}`"), edits));
        }
    }
}

/// Reports an import of an existing file that clients don't find because of the character after its
/// path.
fn glued(subject: &Subject, import: &Import, report: &mut Report) {
    let source = subject.cx.source;
    let end = source.line_span(import.span.end).end;
    let mut after = source.slice(import.span.end..end).chars().next().into_iter();
    let Some(sign) = after.next().filter(|_| files::exists(subject, &import.path)) else { return };
    let words = format!("clients read `{sign}` as part of the path, so nothing is imported");
    let at = import.span.end;
    let finding = report.add(&RULE, at..at + sign.len_utf8(), words);
    finding.severity = subject.weigh(Claim::Files, Severity::Warning);
    finding.fix(Fix::suggestion("Insert a space", vec![Edit::insert(at, " ")]));
}

/// Reports missing imports of imported files, unless they are reported in these files themselves.
fn check_below(
    subject: &Subject,
    import: &Import,
    reach: &Reach,
    seen: &mut HashSet<(PathBuf, usize)>,
    report: &mut Report,
) {
    for (path, below) in &reach.missing {
        if !seen.insert((path.clone(), below.span.start)) {
            continue;
        }
        let Ok(source) = subject.cx.world.read(path) else { continue };
        let cx = Context { source: &source, path: Some(path), ..*subject.cx };
        let own = File::of(&cx).is_some_and(|file| file.kind == Kind::Memory && !file.guess);
        if own {
            continue;
        }
        let file = File { path, ..subject.file.clone() };
        let Some(missing) = Missing::of(&Subject::of_keys(&cx, file), below) else { continue };
        let words = format!(
            "{} imports `{}`, which {}",
            imports::shown(subject, path),
            below.path,
            missing.words
        );
        let finding = report.add(&RULE, import.span.clone(), words);
        finding.severity = subject.weigh(Claim::Files, missing.severity);
        finding.related.push(Related {
            path: Some(path.clone()),
            span: below.span.clone(),
            message: "imported here".to_owned(),
        });
    }
}

/// An import without a target.
struct Missing {
    words: &'static str,
    severity: Severity,
    /// The path that was probably meant.
    near: Option<String>,
}

impl Missing {
    fn of(subject: &Subject, import: &Import) -> Option<Self> {
        let path = import.path.as_str();
        let from_root = files::only_from_root(subject, path);
        let missing = from_root.is_some() || files::is_missing(subject, path);
        if !missing || is_package(subject, path) {
            return None;
        }
        let words = match &from_root {
            Some(_) => "exists at the root, but not next to the file that imports it",
            None => "does not exist",
        };
        let made = files::is_ignored(subject, path);
        let severity = if made { Severity::Hint } else { Severity::Warning };
        let near = from_root.or_else(|| files::nearest(subject, path));
        Some(Self { words, severity, near })
    }
}

/// Whether an import is the name of an npm package, `@scope/name.js`, and there's no folder with
/// the scope's name.
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
