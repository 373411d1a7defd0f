//! Names of tools in front matter: those that a client doesn't know, and its own names for
//! them.

use std::collections::HashSet;

use serde_json::Value;

use super::names::in_json::text;
use super::problem::{Cause, Problem};
use super::reading::Read;
use super::subject::Subject;
use crate::client::{Client, Effect, Kind, Outcome, Role, catalog};
use crate::suggestion::closest;
use crate::text::Span;
use crate::yaml::{Entry, Kind as Node, ScalarType, Style, scalar_type};

/// A name of a tool and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    /// Bytes of the document; without the parentheses after the name.
    pub span: Span,
}

/// The problems that clients have with the tools that front matter lists.
pub fn problems<'a>(subject: &Subject<'a>) -> Vec<Problem<'a>> {
    let mut found = Vec::new();
    for role in &subject.file.judged {
        for (key, schema) in role
            .reads
            .properties()
            .filter(|(_, schema)| schema.get("x-names").and_then(Value::as_str) == Some("tool"))
        {
            let Some(entry) = subject.entry(key).filter(|_| !role.client.tools.names.is_empty())
            else {
                continue;
            };
            if is_lost(subject, role, entry) {
                continue;
            }
            // If no mapping is expected, the whole value is wrong.
            let switches =
                schema.get("type").is_some_and(|kind| kind.to_string().contains("object"));
            if entry.value.as_mapping().is_none() || switches {
                list(subject, role, key, entry, &mut found);
            }
        }
    }
    found
}

/// Whether a client reads no tools at all because of a mistake in this value.
fn is_lost(subject: &Subject, role: &Role, entry: &Entry) -> bool {
    let Some(front) = &subject.front else { return false };
    let start = entry.key.span.start;
    let line = subject.yaml.get(start..).and_then(|rest| rest.find('\n'));
    let end = line.map_or(subject.yaml.len(), |end| start + end).max(entry.value.span.end);
    front.tree.errors.iter().any(|error| start <= error.span.start && error.span.start < end)
        && matches!(*subject.read(role.reads.reading), Read::Refused)
}

/// The names in the value of a key: a list, or a string with commas or spaces.
pub fn named(subject: &Subject, entry: &Entry) -> Vec<Named> {
    let mut found = Vec::new();
    match &entry.value.kind {
        Node::Sequence(sequence) => {
            let texts = sequence.items.iter();
            for item in texts.filter(|item| scalar_type(item) == ScalarType::Str) {
                if let (Some(text), Node::Scalar(scalar)) = (item.as_str(), &item.kind) {
                    let quote = usize::from(matches!(
                        scalar.style,
                        Style::SingleQuoted | Style::DoubleQuoted
                    ));
                    let name = base(text.trim());
                    let start = subject.place(&item.span).start + quote;
                    found.push(Named { name: name.to_owned(), span: start..start + name.len() });
                }
            }
        }
        Node::Scalar(scalar) if scalar_type(&entry.value) == ScalarType::Str => {
            let span = subject.place(&entry.value.span);
            let written = subject.cx.source.slice(span.clone());
            let quote =
                usize::from(matches!(scalar.style, Style::SingleQuoted | Style::DoubleQuoted));
            let block = matches!(scalar.style, Style::Literal | Style::Folded);
            let inner = written.get(quote..written.len() - quote).unwrap_or_default();
            let skip = if block { inner.find('\n').unwrap_or(inner.len()) } else { 0 };
            for (at, item) in split(inner.get(skip..).unwrap_or_default()) {
                let name = base(item);
                let start = span.start + quote + skip + at;
                found.push(Named { name: name.to_owned(), span: start..start + name.len() });
            }
        }
        Node::Mapping(map) => {
            for (name, span) in map.entries.iter().filter_map(|entry| text(&entry.key)) {
                let start = subject.place(&span).start;
                let name = base(&name).to_owned();
                found.push(Named { span: start..start + name.len(), name });
            }
        }
        Node::Scalar(_) | Node::Alias(_) => {}
    }
    found.retain(|named| !named.name.is_empty());
    found
}

/// Runs of consecutive names in a list for which `common` is true.
pub fn runs(names: &[Named], common: impl Fn(&Named) -> bool) -> Vec<&[Named]> {
    names
        .chunk_by(|one, next| common(one) == common(next))
        .filter(|run| run.first().is_some_and(&common))
        .collect()
}

/// The span from the first of some names to the last.
pub fn place(names: &[Named]) -> Option<Span> {
    Some(names.first()?.span.start..names.last()?.span.end)
}

/// The part before the parentheses.
pub fn base(item: &str) -> &str {
    item.split('(').next().unwrap_or(item).trim_end()
}

/// The items of a string, separated by commas and spaces outside of parentheses.
pub fn split(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && (letter == ',' || letter.is_whitespace()) || at == text.len() => {
                if let Some(item) = text.get(start..at).filter(|item| !item.is_empty()) {
                    found.push((start, item));
                }
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    found
}

/// The meaning of a name for a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    Known,
    /// It works under an old name.
    Renamed(Vec<String>),
    /// An unknown name; one of these may have been meant.
    Unknown(Vec<String>),
    /// A tool from a server or an extension.
    Elsewhere,
}

/// Whether any client has, or had, a tool with this name.
pub fn is_one(written: &str) -> bool {
    let name = base(written.trim());
    let has = |client: &Client| {
        let tools = &client.tools;
        tools.names.keys().any(|other| other.eq_ignore_ascii_case(name))
            || tools.renamed.contains_key(name)
            || tools.retired.contains_key(name)
            || tools.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
    };
    !name.is_empty() && catalog().clients.iter().any(has)
}

/// The meaning of the name of a tool for a client.
pub fn meaning(client: &Client, name: &str) -> Meaning {
    let tools = &client.tools;
    let same = |other: &str| {
        if tools.case_matters { other == name } else { other.eq_ignore_ascii_case(name) }
    };
    if name == "*" || tools.names.keys().any(|other| same(other)) {
        return Meaning::Known;
    }
    if tools.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
        || name.contains(|letter| tools.separators.contains(letter))
    {
        return Meaning::Elsewhere;
    }
    if let Some(own) = of_server(client, name) {
        return Meaning::Unknown(vec![own]);
    }
    if let Some(new) = tools.renamed.get(name) {
        return Meaning::Renamed(new.clone());
    }
    if let Some(instead) = tools.retired.get(name) {
        return Meaning::Unknown(instead.clone());
    }
    Meaning::Unknown(instead(client, name))
}

/// The client's name for the tool of a server in another client's notation: `mcp__tea__boil`.
fn of_server(client: &Client, name: &str) -> Option<String> {
    let own = client.tools.server_tool.as_ref()?;
    let patterns = catalog().clients.iter().filter_map(|other| other.tools.server_tool.as_ref());
    patterns.filter(|pattern| *pattern != own).find_map(|pattern| {
        let (head, rest) = pattern.split_once("{server}")?;
        // Many names contain a single `_`.
        let inside = name.strip_prefix(head).filter(|_| head.ends_with("__"))?;
        let (server, tool) =
            inside.split_once(rest.strip_suffix("{tool}")?).unwrap_or((inside, "*"));
        let is_whole = !server.is_empty() && !tool.is_empty();
        is_whole.then(|| own.replace("{server}", server).replace("{tool}", tool))
    })
}

/// The client's names for a tool in another spelling, or with another client's name.
fn instead(client: &Client, name: &str) -> Vec<String> {
    let names = &client.tools.names;
    if let Some(other) = names.keys().find(|other| other.eq_ignore_ascii_case(name)) {
        return vec![other.clone()];
    }
    let others = || catalog().clients.iter().filter(|other| !std::ptr::eq(*other, client));
    let current = |word: &str| {
        others().find_map(|other| {
            other
                .tools
                .names
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(word))
                .map(|(_, does)| does.as_str())
        })
    };
    let renamed = others().find_map(|other| other.tools.renamed.get(name));
    let words: Vec<&str> =
        renamed.map_or_else(|| vec![name], |new| new.iter().map(String::as_str).collect());
    let mut found: Vec<String> = Vec::new();
    for does in words.into_iter().filter_map(current) {
        // In some clients, `web` and `codebase` are sets of tools.
        let wanted: &[&str] = match does {
            "web" => &["web-fetch", "web-search"],
            "codebase" | "usages" | "search" => &["search"],
            "terminal-output" | "terminal-last" => &["shell"],
            _ => &[],
        };
        let matching = names
            .iter()
            .filter(|(_, own)| own.as_str() == does || wanted.contains(&own.as_str()))
            .map(|(name, _)| name.clone());
        for name in matching {
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    if found.is_empty() && !is_one(name) {
        // Names of tools are short words, and many of them are similar.
        let most = if name.len() < 6 { 1 } else { 2 };
        let near = closest(name, names.keys().map(String::as_str));
        let lower = name.to_lowercase();
        let near =
            near.filter(|near| strsim::damerau_levenshtein(&near.to_lowercase(), &lower) <= most);
        found.extend(near.map(str::to_owned));
    }
    found
}

/// Whether a key lists the tools that a subagent gets.
pub fn grants(subject: &Subject, key: &str) -> bool {
    subject.file.kind == Kind::Agent && key == "tools"
}

fn list<'a>(
    subject: &Subject,
    role: &Role<'a>,
    key: &str,
    entry: &Entry,
    found: &mut Vec<Problem<'a>>,
) {
    let mut names = named(subject, entry);
    let mut seen = HashSet::new();
    names.retain(|named| seen.insert(named.name.clone()));
    let meanings: Vec<(&Named, Meaning)> =
        names.iter().map(|named| (named, meaning(role.client, &named.name))).collect();
    let is_map = entry.value.as_mapping().is_some();
    let unknown: Vec<&(&Named, Meaning)> = meanings
        .iter()
        .filter(|(named, meaning)| match meaning {
            // A mapping may contain tools of any server or extension.
            Meaning::Unknown(instead) => !is_map || !instead.is_empty() || is_one(&named.name),
            _ => false,
        })
        .collect();
    let tools = &role.client.tools;
    let span = |wrong: &[&Named]| {
        let wrong: HashSet<&str> = wrong.iter().map(|named| named.name.as_str()).collect();
        runs(&names, |named| wrong.contains(named.name.as_str()))
            .first()
            .and_then(|run| place(run))
            .unwrap_or_default()
    };
    let list = |names: &[&Named]| {
        names.iter().map(|named| format!("`{}`", named.name)).collect::<Vec<_>>().join(", ")
    };
    let grants = grants(subject, key);
    if !unknown.is_empty() {
        let wrong: Vec<&Named> = unknown.iter().map(|(named, _)| *named).collect();
        let instead: Vec<String> = unknown
            .iter()
            .map(|(_, meaning)| {
                if let Meaning::Unknown(instead) = meaning {
                    instead.join(" ")
                } else {
                    String::new()
                }
            })
            .collect();
        let none = unknown.len() == meanings.len();
        // Denying a retired tool does no harm.
        let denied = key.starts_with("disallowed");
        let gone = denied && wrong.iter().all(|named| tools.retired.contains_key(&named.name));
        let (cause, outcome, text) = match (grants && tools.complete, none) {
            _ if gone => (Cause::UnknownTool, Outcome::Loaded, "the tool is gone"),
            _ if grants && let Some(effect) = &tools.unknown => {
                (Cause::UnknownTool, effect.outcome, effect.text.as_str())
            }
            (true, true) => (Cause::NoUsableTool, Outcome::NotLoaded, "the agent can't be started"),
            (true, false) => (Cause::UnknownTool, Outcome::Partly, "the agent does not get them"),
            (false, _) if tools.complete && instead.iter().any(|words| !words.is_empty()) => {
                (Cause::UnknownTool, Outcome::Partly, "no effect")
            }
            _ => (
                Cause::UnknownTool,
                Outcome::Loaded,
                "no effect unless an extension or a server has them",
            ),
        };
        let effect = Effect { outcome, text: text.to_owned() };
        found.push(
            Problem::new(cause, role.client, Some(key), span(&wrong), effect)
                .with(list(&wrong))
                .instead(instead),
        );
    }
    let renamed: Vec<(&Named, &Vec<String>)> =
        meanings
            .iter()
            .filter_map(|(named, meaning)| {
                if let Meaning::Renamed(new) = meaning { Some((*named, new)) } else { None }
            })
            .collect();
    // If old names keep working, they aren't reported.
    if !renamed.is_empty() && !tools.complete {
        let names: Vec<&Named> = renamed.iter().map(|(named, _)| *named).collect();
        let effect = Effect { outcome: Outcome::Loaded, text: "still works".to_owned() };
        let instead = renamed.iter().map(|(_, new)| new.join(" ")).collect();
        found.push(
            Problem::new(Cause::RenamedTool, role.client, Some(key), span(&names), effect)
                .with(list(&names))
                .instead(instead),
        );
    }
    if grants {
        let plan =
            subject.entry("permissionMode").and_then(|entry| entry.value.as_str()) == Some("plan");
        let kept = |named: &&Named| {
            tools.withheld.contains(&named.name) && !(plan && named.name == "ExitPlanMode")
        };
        let withheld: Vec<&Named> = names.iter().filter(kept).collect();
        if !withheld.is_empty() {
            let effect =
                Effect { outcome: Outcome::Partly, text: "never given to a subagent".to_owned() };
            found.push(
                Problem::new(Cause::WithheldTool, role.client, Some(key), span(&withheld), effect)
                    .with(list(&withheld)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_split_outside_of_parentheses() {
        assert_eq!(
            split("Read, grep  Bash(ls *, x)")
                .into_iter()
                .map(|(_, item)| item)
                .collect::<Vec<_>>(),
            ["Read", "grep", "Bash(ls *, x)"]
        );
        assert_eq!(split("日本,🦆"), [(0, "日本"), (7, "🦆")]);
    }

    #[test]
    fn names_of_other_clients_are_translated() {
        let claude = catalog().named("claude").unwrap();
        for (name, expected) in [
            ("Read", Meaning::Known),
            ("mcp__tracker__list", Meaning::Elsewhere),
            ("Task", Meaning::Renamed(vec!["Agent".to_owned()])),
            ("MultiEdit", Meaning::Unknown(vec!["Edit".to_owned()])),
            ("grep", Meaning::Unknown(vec!["Grep".to_owned()])),
            ("run_shell_command", Meaning::Unknown(vec!["Bash".to_owned()])),
            ("editFiles", Meaning::Unknown(vec!["Edit".to_owned()])),
            ("nothing", Meaning::Unknown(vec![])),
        ] {
            assert_eq!(meaning(claude, name), expected, "{name}");
        }
        let copilot = catalog().named("copilot").unwrap();
        assert_eq!(meaning(copilot, "bash"), Meaning::Known);
        assert_eq!(meaning(copilot, "github/*"), Meaning::Elsewhere);
    }
}
