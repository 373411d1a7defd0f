//! Hooks of a client, in its settings or in front matter: events and matchers that it doesn't have.

use regex::Regex;

use super::names::in_json;
use super::tools::{self, Meaning};
use crate::client::{Client, Effect, Matchers, Outcome};
use crate::suggestion::closest;
use crate::text::Span;
use crate::yaml::{Mapping, Node, ScalarType, scalar_type};

/// A part of hooks or settings that has no effect.
pub struct Idle {
    pub span: Span,
    pub words: String,
    /// What is meant instead.
    pub meant: Option<String>,
    /// Nobody is hurt, or a newer version of the client may know the name.
    pub minor: bool,
    pub effect: &'static Effect,
}

impl Idle {
    /// A name that the client doesn't know; `past` if an earlier version did.
    pub fn unknown(
        what: &str,
        (name, span): (&str, Span),
        meant: Option<String>,
        past: bool,
        effect: &'static Effect,
    ) -> Self {
        let words = match &meant {
            Some(meant) => format!("unknown {what}: `{name}`; did you mean `{meant}`?"),
            None => format!("unknown {what}: `{name}`"),
        };
        let minor = meant.is_none() || past;
        Self { span, words, meant, minor, effect }
    }
}

/// Events and names in matchers that a client doesn't know.
pub fn unknown(client: &'static Client, root: &Mapping) -> Vec<Idle> {
    let mut found = Vec::new();
    events(client, root, &mut found);
    matched(client, root, &mut found);
    found
}

fn events(client: &'static Client, root: &Mapping, found: &mut Vec<Idle>) {
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
        found.push(Idle::unknown("hook event", (&name, span), meant, false, effect));
    }
}

/// Names in matchers that match nothing.
fn matched(client: &'static Client, root: &Mapping, found: &mut Vec<Idle>) {
    let Some((given, all)) = matchers(client, root) else { return };
    for matcher in all {
        let Some(names) = matcher.names() else { continue };
        let several = names.len() > 1;
        let effect = if several { &given.unmatched } else { &given.nothing };
        if let Some(values) = given.values.get(&matcher.event) {
            for (name, span) in names {
                if !values.iter().any(|value| value == name) {
                    let meant = closest(name, values.iter().map(String::as_str)).map(str::to_owned);
                    let what = "value of a matcher";
                    found.push(Idle::unknown(what, (name, span), meant, false, effect));
                }
            }
        } else if given.tools.contains(&matcher.event) {
            for (name, span) in names {
                let past = client.tools.retired.contains_key(name);
                if past && several {
                    continue;
                }
                let Some(meant) = tool(client, name, matcher.text.contains([',', ' '])) else {
                    continue;
                };
                found.push(Idle::unknown("tool", (name, span), meant, past, effect));
            }
        }
    }
}

/// What a name that isn't that of a tool may mean; `None` if it's one.
fn tool(client: &Client, name: &str, in_list: bool) -> Option<Option<String>> {
    let words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).collect();
    let is_known = |word: &&str| matches!(tools::meaning(client, word), Meaning::Known);
    if words.len() > 1 {
        return Some(words.iter().all(is_known).then(|| words.join("|")));
    }
    match tools::meaning(client, name) {
        Meaning::Unknown(instead) => match instead.as_slice() {
            [one] if is_known(&one.as_str()) => Some(Some(one.clone())),
            _ => Some(None),
        },
        // A server is no tool. In a list with commas, a pattern would match nothing.
        Meaning::Elsewhere => {
            let (head, rest) = client.tools.server_tool.as_ref()?.split_once("{server}")?;
            let between = rest.strip_suffix("{tool}")?;
            let inside = name.strip_prefix(head)?;
            let server = inside.strip_suffix(between).unwrap_or(inside);
            let is_whole = !server.contains(between) && !server.is_empty();
            is_whole.then(|| (!in_list).then(|| format!("{head}{server}{between}.*")))
        }
        Meaning::Known | Meaning::Renamed(_) => None,
    }
}

/// Matchers of a client that match nothing, and those of events without one.
pub fn idle(client: &'static Client, root: &Mapping) -> Vec<Idle> {
    let Some((given, all)) = matchers(client, root) else { return Vec::new() };
    let mut found = Vec::new();
    for matcher in all.into_iter().filter(|matcher| !matcher.is_any()) {
        let known = given.tools.contains(&matcher.event);
        let other =
            given.others.contains(&matcher.event) || given.values.contains_key(&matcher.event);
        let (words, effect) = if given.without.contains(&matcher.event) {
            (format!("`{}` has no matcher", matcher.event), &given.ignored)
        } else if !(known || other) || matcher.names().is_some() {
            continue;
        } else if let Some(why) = broken(&matcher.text) {
            (format!("`{}` is not a regular expression: {why}", matcher.text), &given.nothing)
        } else if known && is_rule(client, &matcher.text) {
            let words = format!("`{}` matches no tool: only names are compared", matcher.text);
            (words, &given.nothing)
        } else {
            continue;
        };
        let minor = effect.outcome == Outcome::Loaded;
        found.push(Idle { span: matcher.span, words, meant: None, minor, effect });
    }
    found
}

/// Whether a pattern is the permission for some calls of a tool, and matches no tool.
fn is_rule(client: &Client, pattern: &str) -> bool {
    let tools = &client.tools;
    let name = pattern.strip_suffix(')').and_then(|pattern| pattern.split_once('('));
    let named = name.is_some_and(|(name, _)| tools.names.contains_key(name));
    let names = || tools.names.keys().chain(tools.renamed.keys()).chain(tools.retired.keys());
    named && Regex::new(pattern).is_ok_and(|regex| !names().any(|name| regex.is_match(name)))
}

/// The matcher of some hooks.
struct Matcher {
    event: String,
    text: String,
    /// Without quotes.
    span: Span,
}

impl Matcher {
    /// Whether it matches everything.
    fn is_any(&self) -> bool {
        matches!(self.text.as_str(), "" | "*" | ".*")
    }

    /// The names that it lists, with their places; `None` for a regular expression.
    fn names(&self) -> Option<Vec<(&str, Span)>> {
        let plain = |letter: char| {
            letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | ' ' | ',' | '|')
        };
        if !self.text.chars().all(plain) {
            return None;
        }
        let mut found = Vec::new();
        let mut start = self.span.start;
        for item in self.text.split(['|', ',']) {
            let at = start + item.len() - item.trim_start().len();
            let name = item.trim();
            if !name.is_empty() {
                found.push((name, at..at + name.len()));
            }
            start += item.len() + 1;
        }
        Some(found)
    }
}

/// The matchers in settings.
fn matchers(client: &'static Client, root: &Mapping) -> Option<(&'static Matchers, Vec<Matcher>)> {
    let settings = client.settings.as_ref()?;
    let matchers = settings.matchers.as_ref()?;
    let hooks = in_json::value(root, &settings.hooks)?.as_mapping()?;
    let mut found = Vec::new();
    for event in &hooks.entries {
        let items = event.value.as_sequence().into_iter().flat_map(|list| &list.items);
        for item in items.filter_map(Node::as_mapping) {
            let value = item.get(&matchers.key).map(|entry| &entry.value);
            let value = value.filter(|value| scalar_type(value) == ScalarType::Str);
            let Some((text, span)) = value.and_then(in_json::text) else { continue };
            let event = event.key.as_str().unwrap_or_default().to_owned();
            found.push(Matcher { event, text, span });
        }
    }
    Some((matchers, found))
}

/// Why JavaScript doesn't accept a regular expression, if that's certain.
fn broken(pattern: &str) -> Option<&'static str> {
    /// What the next quantifier would repeat.
    enum Last {
        Nothing,
        Item,
        /// Another `?` makes it lazy.
        Quantifier,
        Lazy,
    }
    let mut letters = pattern.chars().peekable();
    let (mut depth, mut last) = (0_u32, Last::Nothing);
    while let Some(letter) = letters.next() {
        last = match letter {
            '\\' => {
                if letters.next().is_none() {
                    return Some("it ends with a `\\`");
                }
                Last::Item
            }
            '[' => {
                let mut closed = false;
                while let Some(inside) = letters.next() {
                    match inside {
                        '\\' => {
                            letters.next();
                        }
                        ']' => {
                            closed = true;
                            break;
                        }
                        _ => {}
                    }
                }
                if !closed {
                    return Some("a `[` is never closed");
                }
                Last::Item
            }
            '(' => {
                depth += 1;
                if letters.peek() == Some(&'?') {
                    letters.next();
                }
                Last::Nothing
            }
            ')' => {
                let Some(less) = depth.checked_sub(1) else { return Some("a `)` is never opened") };
                depth = less;
                Last::Item
            }
            '|' => Last::Nothing,
            '*' | '+' | '?' => match last {
                Last::Item => Last::Quantifier,
                Last::Quantifier if letter == '?' => Last::Lazy,
                _ => return Some("a quantifier has nothing to repeat"),
            },
            _ => Last::Item,
        };
    }
    (depth > 0).then_some("a `(` is never closed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certain_mistakes_of_patterns_are_known() {
        for (pattern, wrong) in [
            ("^Bash$|mcp__.*", false),
            ("(?:Edit|Write).*?", false),
            ("(?!Bash)\\(x[)(]{2,3}?[^\\]]+", false),
            ("日本+🦆*", false),
            ("a{,2}*", false),
            ("*.py", true),
            ("Edit(*.py)", true),
            ("Edit|(Write", true),
            ("Edit)|Write", true),
            ("[Edit", true),
            ("a**", true),
            ("|+", true),
            ("a+??", true),
            ("x\\", true),
        ] {
            assert_eq!(broken(pattern).is_some(), wrong, "{pattern}");
        }
    }

    #[test]
    fn names_have_places() {
        let of = |text: &str| {
            let span = 10..10 + text.len();
            let matcher = Matcher { event: String::new(), text: text.to_owned(), span };
            matcher.names().map(|names| {
                names.into_iter().map(|(name, span)| (name.to_owned(), span.start)).collect()
            })
        };
        let named = |names: &[(&str, usize)]| -> Option<Vec<(String, usize)>> {
            Some(names.iter().map(|(name, at)| ((*name).to_owned(), *at)).collect())
        };
        assert_eq!(of("Edit|Write"), named(&[("Edit", 10), ("Write", 15)]));
        assert_eq!(of(" Edit, Write ,"), named(&[("Edit", 11), ("Write", 17)]));
        assert_eq!(of("Edit.*"), None);
        assert_eq!(of("*"), None);
    }
}
