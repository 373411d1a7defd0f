use std::sync::{Arc, OnceLock};

use crate::client::Role;
use crate::client::dialect::{self, Glob};
use crate::client::loading::Base;
use crate::declare_rule;
use crate::format::agent::globs::{self, Files};
use crate::format::agent::loaded;
use crate::format::agent::subject::Subject;
use crate::rule::Report;
use crate::world::{Knowledge, slashed};

declare_rule! {
    /// No file of the workspace matches any of the globs that decide when the client loads this file,
    /// so it is never loaded on its own. Globs are matched as the client does it.
    ///
    /// This is a hint, because such files may not exist yet, and only `agentmd check` gives it. In an
    /// editor, the hover on a glob says how many files match. Globs for hidden folders aren't checked,
    /// and neither are workspaces without any source files.
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

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    let cx = subject.cx;
    if cx.world.knowledge() == Knowledge::Later {
        return;
    }
    let idle: Vec<&Role> =
        subject.file.judged.iter().filter(|role| matches_nothing(subject, role)).collect();
    let Some(first) = idle.first() else { return };
    let key = first.reads.when.iter().find_map(|when| when.globs.as_ref().or(when.key.as_ref()));
    let entry = key.and_then(|key| subject.entry(key));
    let Some(entry) = entry else { return };
    let mut titles: Vec<&str> = idle.iter().map(|role| role.client.title.as_str()).collect();
    titles.dedup();
    let words = format!(
        "no file of the workspace matches ({}: never loaded on its own)",
        titles.join(", ")
    );
    report.add(&RULE, subject.value_place(entry), words);
}

fn matches_nothing(subject: &Subject, role: &Role) -> bool {
    // A copy in a collection is for another workspace.
    let root = subject.cx.root();
    let base = subject.file.path.ancestors().nth(role.parts);
    if !role.own || role.plugin || base.is_none() || base != root.as_deref() {
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

/// Whether a file is one of a project, which a collection of rules has none of.
fn is_source(path: &str) -> bool {
    const OTHERS: &[&str] = &["md", "mdc", "json", "toml", "yaml", "yml", "txt"];
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && !OTHERS.contains(&ending))
}
