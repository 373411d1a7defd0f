use crate::client::{Client, is_aside, is_left_alone};
use crate::declare_rule;
use crate::format::Context;
use crate::format::agent::hooks::{self, Idle};
use crate::format::agent::names::in_json;
use crate::format::agent::tools::{self, Meaning};
use crate::format::configuration::listed;
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;
use crate::yaml::Mapping;

declare_rule! {
    /// Settings name a hook event or a tool that the client doesn't have. The hooks of that event never
    /// run, and a rule for that tool permits and denies nothing. The same goes for names in the matcher of a
    /// hook, unless it's a regular expression: it contains other characters than letters, digits, `_`, `-`, spaces,
    /// `,` and `|`.
    ///
    /// This is a warning if a name that the client knows is similar, and a hint otherwise: newer
    /// versions of the client may know more names. A tool that the client no longer has is a hint, too; in a
    /// matcher with other tools, it's not reported. A server of a matcher needs `__.*` after its name.
    ///
    /// ````json bad path=.claude/settings.json clients=claude-code
    /// {"hooks": {"PreToolUsed": []}}
    /// ````
    ///
    /// ````json bad path=.claude/settings.json clients=claude-code
    /// {"permissions": {"deny": ["bash(rm *)"]}}
    /// ````
    ///
    /// ````json bad path=.claude/settings.json clients=claude-code
    /// {"hooks": {"PreToolUse": [{"matcher": "bash", "hooks": []}]}}
    /// ````
    ///
    /// ````json good path=.claude/settings.json clients=claude-code
    /// {"hooks": {"PreToolUse": [{"matcher": "Bash|mcp__tea__.*", "hooks": []}]}, "permissions": {"deny": ["Bash(rm *)"]}}
    /// ````
    pub static RULE = "configuration/unknown-name", Warning, "Event or tool in settings that the client doesn't have";
}

/// Calls `each` for every client whose settings these are, with their root, and whether nobody uses them.
pub fn each_client(cx: &Context, each: &mut dyn FnMut(&'static Client, &Mapping, bool)) {
    let Some(path) = cx.path else { return };
    let below = listed::below(cx);
    if is_aside(&below) {
        return;
    }
    let unused = is_left_alone(cx.world, cx.root().as_deref(), &below);
    for client in listed::clients(cx) {
        let mut files = client.settings.iter().flat_map(|settings| &settings.files);
        if files.any(|file| path.ends_with(file)) {
            in_json::with_root(cx.source, &mut |root| each(client, root, unused));
        }
    }
}

/// Reports unknown events, tools and values.
pub fn check(cx: &Context, report: &mut Report) {
    each_client(cx, &mut |client, root, unused| {
        let mut found = hooks::unknown(client, root);
        rules(client, root, &mut found);
        for unknown in found {
            let words = format!("{} ({}: {})", unknown.words, client.title, unknown.effect.text);
            let finding = report.add(&RULE, unknown.span.clone(), words);
            if unused || unknown.minor {
                finding.severity = Severity::Hint;
            }
            if let Some(name) = unknown.meant {
                let edits = vec![Edit::replace(unknown.span, name.clone())];
                finding.fix(Fix::suggestion(format!("Replace with `{name}`"), edits));
            }
        }
    });
}

fn rules(client: &'static Client, root: &Mapping, found: &mut Vec<Idle>) {
    let Some(settings) = &client.settings else { return };
    let lists = settings.rules.iter().filter_map(|key| in_json::value(root, key)?.as_sequence());
    for (rule, span) in lists.flat_map(|list| &list.items).filter_map(in_json::text) {
        let name = rule.split('(').next().unwrap_or_default();
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            || !name.chars().all(is_word)
            || settings.tools.iter().any(|tool| tool == name)
        {
            continue;
        }
        let Meaning::Unknown(instead) = tools::meaning(client, name) else { continue };
        let span = span.start..span.start + name.len();
        let meant = match instead.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        };
        let past = client.tools.retired.contains_key(name);
        let effect = &settings.unknown_tool;
        found.push(Idle::unknown("tool", (name, span), meant, past, effect));
    }
}
