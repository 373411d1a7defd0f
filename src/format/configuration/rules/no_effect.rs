use super::unknown_name::each_client;
use crate::client::Client;
use crate::declare_rule;
use crate::format::Context;
use crate::format::agent::hooks::{self, Idle};
use crate::format::agent::names::in_json;
use crate::rule::{Fix, Report, Severity};
use crate::text::{Edit, Span};
use crate::yaml::{Mapping, Sequence};

declare_rule! {
    /// The client accepts an entry of its settings and never uses it: a permission for paths of a tool whose rules
    /// it doesn't read, or the matcher of a hook that matches no tool. What the entry should deny is allowed, and the
    /// hooks never run.
    ///
    /// A matcher is compared with the name of a tool only. For arguments, such as the command in `Bash(git push *)`, use
    /// `if` in the hook.
    ///
    /// It's a hint if the list has a rule with the same paths for the tool that counts, or if the event has no
    /// matcher: its hooks always run.
    ///
    /// ````json bad path=.claude/settings.json clients=claude-code
    /// {"permissions": {"deny": ["Write(secrets/**)"]}}
    /// ````
    ///
    /// ````json bad path=.claude/settings.json clients=claude-code
    /// {"hooks": {"PreToolUse": [{"matcher": "Bash(git push *)", "hooks": []}]}}
    /// ````
    ///
    /// ````json good path=.claude/settings.json clients=claude-code
    /// {"permissions": {"deny": ["Edit(secrets/**)", "Write"]}, "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}}
    /// ````
    pub static RULE = "configuration/no-effect", Warning, "Setting that the client never uses";
}

/// Reports rules for paths and matchers without effect.
pub fn check(cx: &Context, report: &mut Report) {
    each_client(cx, &mut |client, root, unused| {
        let mut found: Vec<(Idle, Option<Fix>)> = Vec::new();
        paths(cx, client, root, &mut found);
        found.extend(hooks::idle(client, root).into_iter().map(|idle| (idle, None)));
        for (idle, fix) in found {
            let words = format!("{} ({}: {})", idle.words, client.title, idle.effect.text);
            let finding = report.add(&RULE, idle.span, words);
            if unused || idle.minor {
                finding.severity = Severity::Hint;
            }
            finding.fixes.extend(fix);
        }
    });
}

fn paths(
    cx: &Context,
    client: &'static Client,
    root: &Mapping,
    found: &mut Vec<(Idle, Option<Fix>)>,
) {
    let Some(settings) = &client.settings else { return };
    let Some(given) = &settings.paths else { return };
    let lists = settings.rules.iter().filter_map(|key| in_json::value(root, key)?.as_sequence());
    for list in lists {
        for (index, item) in list.items.iter().enumerate() {
            let Some((rule, span)) = in_json::text(item) else { continue };
            let Some((tool, path)) = path_rule(&rule) else { continue };
            let Some(instead) = given.instead.get(tool) else { continue };
            let same = format!("{instead}({path})");
            let minor = list.items.iter().any(|other| other.as_str() == Some(&same));
            let (words, fix) = if minor {
                let fix = removed(cx, list, index)
                    .map(|span| Fix::suggestion("Remove the rule", vec![Edit::delete(span)]));
                (format!("redundant rule: `{same}` covers `{tool}`"), fix)
            } else {
                let edits = vec![Edit::replace(span.start..span.start + tool.len(), instead)];
                let fix = Fix::suggestion(format!("Replace with `{same}`"), edits);
                let words = format!(
                    "rules for `{instead}` decide about the paths of `{tool}`; did you mean `{same}`?"
                );
                (words, Some(fix))
            };
            found.push((Idle { span, words, meant: None, minor, effect: &given.effect }, fix));
        }
    }
}

/// The tool and the path of a rule. `Write(*)` is about the tool, and `Write(file_path:x)` about a parameter.
fn path_rule(rule: &str) -> Option<(&str, &str)> {
    let (tool, path) = rule.strip_suffix(')')?.split_once('(')?;
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let parameter = path.split_once(':').is_some_and(|(name, _)| name.chars().all(is_word));
    (!parameter && !matches!(path.trim(), "" | "*")).then_some((tool, path))
}

/// The span of an item with the comma next to it.
fn removed(cx: &Context, list: &Sequence, index: usize) -> Option<Span> {
    let own = &list.items.get(index)?.span;
    let plain = |span: &Span| {
        let between = cx.source.slice(span.clone());
        between.chars().all(|letter| letter == ',' || letter.is_whitespace())
    };
    let before = index.checked_sub(1).and_then(|last| list.items.get(last));
    let before = before.map(|last| last.span.end..own.start).filter(plain);
    let after = list.items.get(index + 1).map(|next| own.end..next.span.start).filter(plain);
    match (before, after) {
        (Some(before), _) => Some(before.start..own.end),
        (None, Some(after)) => Some(own.start..after.end),
        _ => None,
    }
}
