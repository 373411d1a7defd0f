use super::{effect, severity};
use crate::declare_rule;
use crate::format::configuration::listed::{Cause, Fault};
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;

declare_rule! {
    /// A path in the manifest of a plugin, or in a list of plugins, has a form that the client refuses:
    /// it doesn't begin with `./`, or it leads out of the plugin, whose folder is all that is
    /// installed. With more than ten such paths, only the first is more than a hint.
    ///
    /// ````markdown file=../commands/brew.md
    /// Brew tea.
    /// ````
    ///
    /// ````json bad path=.claude-plugin/plugin.json clients=claude-code
    /// {
    ///   "name": "tea",
    ///   "commands": ["commands/brew.md"]
    /// }
    /// ````
    ///
    /// ````json good path=.claude-plugin/plugin.json clients=claude-code
    /// {
    ///   "name": "tea",
    ///   "commands": ["./commands/brew.md"]
    /// }
    /// ````
    pub static RULE = "configuration/unusable-path", Warning, "Path in a manifest that the client refuses";
}

/// With more of them, only the first keeps its severity.
const MOST: usize = 10;

/// Reports paths with a form that the client refuses.
pub fn check(faults: &[Fault], report: &mut Report) {
    let count = faults.iter().filter(|fault| fault.cause != Cause::Missing).count();
    let mut first = true;
    for fault in faults {
        let (words, fixed) = match fault.cause {
            Cause::Missing => continue,
            Cause::Prefix(prefix) => {
                let fixed = format!("{prefix}{}", fault.path.trim_start_matches('/'));
                (format!("`{}` doesn't begin with `{prefix}`", fault.path), Some(fixed))
            }
            Cause::Outside => (format!("`{}` leads out of the folder", fault.path), None),
        };
        let finding = report.add(&RULE, fault.span.clone(), format!("{words}{}", effect(fault)));
        finding.severity = if count > MOST && !first { Severity::Hint } else { severity(fault) };
        first = false;
        if let Some(fixed) = fixed {
            let edits = vec![Edit::replace(fault.span.clone(), fixed.clone())];
            finding.fix(Fix::suggestion(format!("Replace with `{fixed}`"), edits));
        }
    }
}
