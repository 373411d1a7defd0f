use super::{effect, severity};
use crate::declare_rule;
use crate::format::Context;
use crate::format::configuration::listed::{Cause, Fault};
use crate::rule::{Fix, Report, Severity};
use crate::suggestion::closest;
use crate::text::Edit;
use crate::world::{Entry, EntryKind, resolve};

declare_rule! {
    /// The manifest of a plugin, or a list of plugins, names a file or folder that doesn't exist. The
    /// client leaves out that part of the plugin, or can't install it.
    ///
    /// Nothing is reported if the path exists from the root of the repository, where some projects
    /// keep the files that they copy into plugins, or if Git ignores it. With more than ten missing
    /// paths, only the first is more than a hint.
    ///
    /// ````json file=../kettle/plugin.json
    /// {}
    /// ````
    ///
    /// ````json bad path=.claude-plugin/marketplace.json clients=claude-code
    /// {
    ///   "name": "tea",
    ///   "plugins": [{"name": "kettle", "source": "./ketle"}]
    /// }
    /// ````
    ///
    /// ````json good path=.claude-plugin/marketplace.json clients=claude-code
    /// {
    ///   "name": "tea",
    ///   "plugins": [{"name": "kettle", "source": "./kettle"}]
    /// }
    /// ````
    pub static RULE = "configuration/missing-path", Warning, "Path in a manifest that doesn't exist";
}

/// With more of them, the files were left out on purpose.
const MOST: usize = 10;

/// Reports missing paths.
pub fn check(cx: &Context, faults: &[Fault], report: &mut Report) {
    let missing: Vec<&Fault> =
        faults.iter().filter(|fault| fault.cause == Cause::Missing).collect();
    let many = missing.len() > MOST;
    for (index, fault) in missing.iter().enumerate() {
        let others = match (many, index) {
            (true, 0) => format!(", nor do {} other paths", missing.len() - 1),
            _ => String::new(),
        };
        let words = format!("`{}` does not exist{others}{}", fault.path, effect(fault));
        let finding = report.add(&RULE, fault.span.clone(), words);
        finding.severity = if many && index > 0 { Severity::Hint } else { severity(fault) };
        for path in near(cx, fault).into_iter().chain(elsewhere(cx, fault)) {
            let edits = vec![Edit::replace(fault.span.clone(), path.clone())];
            finding.fix(Fix::suggestion(format!("Replace with `{path}`"), edits));
        }
    }
}

/// The path with the most similar name that exists in its folder.
fn near(cx: &Context, fault: &Fault) -> Option<String> {
    let slash = if fault.path.ends_with('/') { "/" } else { "" };
    let path = fault.path.trim_end_matches('/');
    let (folder, name) = path.rsplit_once('/')?;
    let takes = fault.takes.or_else(|| name.contains('.').then_some(EntryKind::File));
    let entries = cx.world.list(&resolve(&fault.base.join("_"), folder));
    let fitting = entries.iter().filter(|entry| takes.is_none_or(|kind| entry.kind == kind));
    let near = closest(name, fitting.map(|entry| entry.name.as_str()))?;
    Some(format!("{folder}/{near}{slash}"))
}

/// The folders of this name in the folders of clients, such as `./.claude/skills`, the client's own
/// first.
fn elsewhere(cx: &Context, fault: &Fault) -> Vec<String> {
    let name = fault.path.strip_prefix("./").map(|name| name.trim_end_matches('/'));
    let Some(name) = name.filter(|name| !name.is_empty() && !name.contains('/')) else {
        return Vec::new();
    };
    if fault.takes != Some(EntryKind::Folder) {
        return Vec::new();
    }
    let slash = if fault.path.ends_with('/') { "/" } else { "" };
    let entries = cx.world.list(&fault.base);
    let has = |entry: &&Entry| {
        let folder = fault.base.join(&entry.name).join(name);
        entry.name.starts_with('.') && cx.world.kind(&folder) == Some(EntryKind::Folder)
    };
    let mut found: Vec<&str> = entries.iter().filter(has).map(|entry| &*entry.name).collect();
    found.sort_by_key(|folder| !fault.client.signs.iter().any(|sign| sign == folder));
    found.truncate(MOST_ELSEWHERE);
    found.into_iter().map(|folder| format!("./{folder}/{name}{slash}")).collect()
}

/// How many folders in other places are offered.
const MOST_ELSEWHERE: usize = 2;
