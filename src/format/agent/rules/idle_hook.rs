use crate::client::catalog;
use crate::declare_rule;
use crate::format::agent::hooks::{self, Idle};
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;

declare_rule! {
    /// The `hooks` in front matter name an event or a tool that the client doesn't have, or their matcher matches no
    /// tool: the hooks never run. See [configuration/unknown-name](../configuration/unknown-name.md) and
    /// [configuration/no-effect](../configuration/no-effect.md), which report the same in settings.
    ///
    /// ````markdown bad path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// hooks:
    ///   PreToolUse:
    ///     - matcher: bash
    ///       hooks:
    ///         - type: command
    ///           command: ./taste.sh
    /// ---
    ///
    /// Cook.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// hooks:
    ///   PreToolUse:
    ///     - matcher: Bash
    ///       hooks:
    ///         - type: command
    ///           command: ./taste.sh
    /// ---
    ///
    /// Cook.
    /// ````
    pub static RULE = "agent/idle-hook", Warning, "Hook that never runs";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let root = subject.front.as_ref().and_then(|front| front.tree.root.as_ref());
    let Some(root) = root.and_then(|root| root.as_mapping()) else { return };
    for role in &subject.file.judged {
        let key = role.client.settings.as_ref().map(|settings| settings.hooks.as_str());
        let reads = |key: &str| role.reads.key(key).is_some() && role.ignored(key).is_none();
        let Some(client) =
            key.filter(|key| reads(key)).and_then(|_| catalog().named(&role.client.name))
        else {
            continue;
        };
        let mut found = hooks::unknown(client, root);
        found.extend(hooks::idle(client, root));
        for Idle { span, words, meant, minor, effect } in found {
            let span = subject.place(&span);
            let words = format!("{words} ({}: {})", client.title, effect.text);
            let finding = report.add(&RULE, span.clone(), words);
            let severity = if minor { Severity::Hint } else { Severity::Warning };
            finding.severity = subject.weigh(Claim::Text, severity);
            if let Some(meant) = meant {
                let edits = vec![Edit::replace(span, meant.clone())];
                finding.fix(Fix::suggestion(format!("Replace with `{meant}`"), edits));
            }
        }
    }
}
