use std::sync::{Arc, OnceLock};

use super::narrow_glob;
use crate::client::dialect::{self, Glob};
use crate::client::loading::{Base, Mode};
use crate::client::{Reading, Role};
use crate::declare_rule;
use crate::format::agent::globs::{self, Files};
use crate::format::agent::loaded;
use crate::format::agent::subject::Subject;
use crate::rule::{Diagnostic, Report};
use crate::world::{Knowledge, slashed};
use crate::yaml::Entry;

declare_rule! {
    /// No file of the workspace matches any of the globs that decide when the client loads this file,
    /// so it is never loaded on its own. Globs are matched as the client does it.
    ///
    /// This is a hint, because such files may not exist yet, and only `agentmd check` gives it. In an
    /// editor, the hover on a glob says how many files match. Globs for hidden folders aren't checked,
    /// and neither are workspaces without any source files. Globs in quotes or lists aren't checked in rules
    /// of Windsurf, whose documentation doesn't say how it reads them.
    ///
    /// ````typescript file=../../src/kettle.ts
    /// export {};
    /// ````
    ///
    /// ````markdown bad path=.claude/rules/tea.md clients=claude-code
    /// ---
    /// paths: source/**/*.ts
    /// ---
    ///
    /// Warm the pot.
    /// ````
    ///
    /// ````markdown good path=.claude/rules/tea.md clients=claude-code
    /// ---
    /// paths: src/**/*.ts
    /// ---
    ///
    /// Warm the pot.
    /// ````
    pub static RULE = "agent/unmatched-glob", Hint, "Globs that match no file";
}

/// The files of a workspace, which the command line reads once.
type Known = OnceLock<Files>;

pub fn check(subject: &Subject, report: &mut Report) {
    let cx = subject.cx;
    if cx.world.knowledge() == Knowledge::Later {
        return;
    }
    let idle: Vec<&Role> =
        subject.file.judged.iter().filter(|role| matches_nothing(subject, role)).collect();
    let Some(entry) = idle.first().and_then(|role| globs_of(subject, role)) else { return };
    let span = subject.value_place(entry);
    // If the glob is too narrow, that's the cause, and already reported.
    let told = |found: &Diagnostic| {
        std::ptr::eq(found.rule, &narrow_glob::RULE)
            && found.span.start < span.end
            && span.start < found.span.end
    };
    if report.diagnostics.iter().any(told) {
        return;
    }
    let mut titles: Vec<&str> = idle.iter().map(|role| role.client.title.as_str()).collect();
    titles.dedup();
    let words = format!(
        "no file of the workspace matches ({}: never loaded on its own)",
        titles.join(", ")
    );
    report.add(&RULE, span, words);
}

/// The globs that decide when a client loads a file.
fn globs_of<'s>(subject: &'s Subject, role: &Role) -> Option<&'s Entry> {
    let mut matching = role.reads.when.iter().filter(|when| when.mode == Mode::Match);
    let key = matching.find_map(|when| when.globs.as_ref().or(when.key.as_ref()))?;
    subject.entry(key)
}

fn matches_nothing(subject: &Subject, role: &Role) -> bool {
    // A copy in a collection is meant for another workspace.
    let root = subject.cx.root();
    let base = subject.file.path.ancestors().nth(role.parts);
    if !role.own || role.plugin || base.is_none() || base != root.as_deref() {
        return false;
    }
    // If a client reads lines rather than YAML, it's unknown how it reads quotes and lists.
    let marked = |entry: &Entry| {
        let written = subject.cx.source.slice(subject.value_place(entry));
        written.starts_with(['"', '\'', '[', '-'])
    };
    if role.reads.reading == Reading::CursorLines && globs_of(subject, role).is_some_and(marked) {
        return false;
    }
    let read = subject.read(role.reads.reading);
    let Some(keys) = read.keys() else { return false };
    let globs = loaded::conditions(role.reads, &keys.values);
    let hidden = |glob: &String| {
        glob.starts_with('.') && !glob.starts_with("./")
            || glob.contains("/.")
            || glob.starts_with('!')
    };
    if globs.is_empty() || globs.iter().any(hidden) {
        return false;
    }
    let known: Arc<Known> = subject.cx.world.memo().get();
    let files = known.get_or_init(|| globs::files(subject));
    let compiled: Vec<Glob> = globs
        .iter()
        .flat_map(|glob| dialect::expanded(&role.reads.globs, glob))
        .map(|glob| Glob::new(&role.reads.globs, &glob))
        .collect();
    // VS Code matches whole paths, so the folders above the workspace count.
    let above = match (role.reads.globs.base, &root) {
        (Base::Absolute, Some(root)) => format!("{}/", slashed(root).trim_end_matches('/')),
        _ => String::new(),
    };
    let matches = |path: &String| {
        let path = format!("{above}{path}");
        compiled.iter().any(|glob| glob.matches(&path))
    };
    files.all && files.paths.iter().any(|path| is_source(path)) && !files.paths.iter().any(matches)
}

/// Whether a file is a source file; a collection of rules has none.
fn is_source(path: &str) -> bool {
    const OTHERS: &[&str] = &["md", "mdc", "json", "toml", "yaml", "yml", "txt"];
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && !OTHERS.contains(&ending))
}
