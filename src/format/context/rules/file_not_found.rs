use std::path::Path;

use super::super::compare::Verdict;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean_or};
use crate::text::Edit;
use crate::world::{EntryKind, resolve};

declare_rule! {
    /// The file that the item names doesn't exist. Paths are relative to the workspace folder, or
    /// else to the folder of the document. Files outside the workspace are not checked.
    ///
    /// ````markdown file=src/agent.lisp
    /// (a)
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from src/agnet.lisp:1-1)
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from src/agent.lisp:1-1)
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    pub static RULE = "context/file-not-found", Warning, "File not found";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, verdict) in context.verdicts() {
        let (Verdict::Missing, Some(file)) = (verdict, &item.header.file) else { continue };
        let name = context.text(file);
        let meant = neighbour(context, &name);
        let message = format!(
            "file `{name}` not found in the workspace{}",
            did_you_mean_or(meant.as_deref(), "correct the path, or remove the item")
        );
        let finding = report.add(&RULE, file.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(file.clone(), meant)],
            ));
        }
    }
}

/// The file in the same folder with the most similar name.
fn neighbour(context: &RuleContext, name: &str) -> Option<String> {
    let (folder, last) = name.rsplit_once('/').map_or(("", name), |(folder, last)| (folder, last));
    if Path::new(name).is_absolute() {
        return None;
    }
    let root = context.cx.root()?;
    let at = resolve(&root.join("-"), folder);
    if !at.starts_with(&root) {
        return None;
    }
    let entries = context.cx.world.list(&at);
    let names = entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::File)
        .map(|entry| entry.name.as_str());
    let meant = closest(last, names)?;
    Some(if folder.is_empty() { meant.to_owned() } else { format!("{folder}/{meant}") })
}
