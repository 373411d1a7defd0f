use crate::client::{Client, Effect, is_aside, is_left_alone};
use crate::declare_rule;
use crate::format::Context;
use crate::format::agent::names::in_json;
use crate::format::agent::tools::{self, Meaning};
use crate::format::configuration::listed;
use crate::rule::{Fix, Report, Severity};
use crate::suggestion::closest;
use crate::text::{Edit, Span};
use crate::yaml::Mapping;

declare_rule! {
    /// Settings name a hook event or a tool that the client doesn't have. The hooks of that event never
    /// run, and a rule for that tool permits and denies nothing.
    ///
    /// This is a warning if a name that the client knows is similar, and a hint otherwise: newer
    /// versions of the client may know more names. A tool that the client no longer has is a hint, too.
    ///
    /// ````json bad path=.claude/settings.json clients=claude-code
    /// {"hooks": {"PreToolUsed": []}}
    /// ````
    ///
    /// ````json bad path=.claude/settings.json clients=claude-code
    /// {"permissions": {"deny": ["bash(rm *)"]}}
    /// ````
    ///
    /// ````json good path=.claude/settings.json clients=claude-code
    /// {"hooks": {"PreToolUse": []}, "permissions": {"deny": ["Bash(rm *)"]}}
    /// ````
    pub static RULE = "configuration/unknown-name", Warning, "Event or tool in settings that the client doesn't have";
}

/// Reports unknown events and tools.
pub fn check(cx: &Context, report: &mut Report) {
    let Some(path) = cx.path else { return };
    let below = listed::below(cx);
    if is_aside(&below) {
        return;
    }
    let unused = is_left_alone(cx.world, cx.root().as_deref(), &below);
    for client in listed::clients(cx) {
        let Some(settings) = &client.settings else { continue };
        if !settings.files.iter().any(|file| path.ends_with(file)) {
            continue;
        }
        let mut found = Vec::new();
        in_json::with_root(cx.source, &mut |root| {
            events(client, root, &mut found);
            rules(client, root, &mut found);
        });
        for unknown in found {
            let meant = unknown.meant.as_ref().map(|name| format!("; did you mean `{name}`?"));
            let words = format!(
                "unknown {}: `{}`{} ({}: {})",
                unknown.what,
                unknown.name,
                meant.unwrap_or_default(),
                client.title,
                unknown.effect.text
            );
            let finding = report.add(&RULE, unknown.span.clone(), words);
            if unused || unknown.meant.is_none() || unknown.past {
                finding.severity = Severity::Hint;
            }
            if let Some(name) = unknown.meant {
                let edits = vec![Edit::replace(unknown.span, name.clone())];
                finding.fix(Fix::suggestion(format!("Replace with `{name}`"), edits));
            }
        }
    }
}

struct Unknown {
    what: &'static str,
    name: String,
    span: Span,
    meant: Option<String>,
    /// An earlier version of the client had it.
    past: bool,
    effect: &'static Effect,
}

fn events(client: &'static Client, root: &Mapping, found: &mut Vec<Unknown>) {
    let Some(settings) = &client.settings else { return };
    let hooks = in_json::value(root, &settings.hooks).and_then(|node| node.as_mapping());
    for entry in hooks.into_iter().flat_map(|hooks| &hooks.entries) {
        let Some((name, span)) = in_json::text(&entry.key) else { continue };
        // A comment, or an event that is switched off, begins with another character.
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            || settings.events.contains(&name)
        {
            continue;
        }
        let meant = closest(&name, settings.events.iter().map(String::as_str)).map(str::to_owned);
        let effect = &settings.unknown_event;
        found.push(Unknown { what: "hook event", name, span, meant, past: false, effect });
    }
}

fn rules(client: &'static Client, root: &Mapping, found: &mut Vec<Unknown>) {
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
        let (name, effect) = (name.to_owned(), &settings.unknown_tool);
        found.push(Unknown { what: "tool", name, span, meant, past, effect });
    }
}
