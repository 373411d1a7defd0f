//! Lists of tools: translates names through purposes that all clients share, and writes the list in
//! the form that the other client reads.

use serde_json::{Map, Value};

use super::{Work, has_tools, keys, scope};
use crate::client::{Client, Kind, Reads};
use crate::format::agent::tools::{Meaning, base, meaning, split};

/// The shape of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    List,
    /// A string with commas.
    Commas,
    /// A string with spaces.
    Spaces,
    /// A mapping from names to booleans; tools that it leaves out are on.
    Switches,
}

/// The items of a list, and those that are switched off; `None` for other values.
fn items(value: &Value) -> Option<(Vec<String>, Vec<String>)> {
    let texts = |items: &[Value]| -> Option<Vec<String>> {
        items.iter().map(|item| item.as_str().map(|text| text.trim().to_owned())).collect()
    };
    match value {
        Value::Array(items) => Some((texts(items)?, Vec::new())),
        Value::String(text) => {
            let text = text.trim().trim_start_matches('[').trim_end_matches(']');
            let items = split(text).into_iter().map(|(_, item)| scope::unquoted(item));
            Some((items.map(str::to_owned).collect(), Vec::new()))
        }
        Value::Object(entries) => {
            let with = |wanted: bool| {
                let chosen = entries.iter().filter(move |(_, on)| on.as_bool() == Some(wanted));
                chosen.map(|(name, _)| name.clone()).collect::<Vec<_>>()
            };
            let (on, off) = (with(true), with(false));
            (on.len() + off.len() == entries.len()).then_some((on, off))
        }
        _ => None,
    }
}

/// The items of a list; `None` for a mapping.
pub fn listed(value: &Value) -> Option<Vec<String>> {
    items(value).filter(|_| !value.is_object()).map(|(on, _)| on)
}

fn shape(schema: &Value) -> Shape {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => vec!["array"],
    };
    let spaces = schema.get("description").and_then(Value::as_str);
    if types.contains(&"array") {
        Shape::List
    } else if types.contains(&"object") {
        Shape::Switches
    } else if spaces.is_some_and(|text| text.contains("separated by spaces")) {
        Shape::Spaces
    } else {
        Shape::Commas
    }
}

/// The tools of a client that do the same as one of another.
fn translated(from: &Client, to: &Client, name: &str) -> Vec<String> {
    // Tools of servers are translated by their patterns.
    if let Some((server, tool)) = server_tool(from, name) {
        return server_name(to, &server, tool.as_deref()).into_iter().collect();
    }
    let mut purposes: Vec<&str> = purposes(from, name);
    if purposes.is_empty() {
        // The author may mean another client's tool, even if this client doesn't know it.
        purposes = crate::client::catalog()
            .clients
            .iter()
            .map(|client| self::purposes(client, name))
            .find(|found| !found.is_empty())
            .unwrap_or_default();
    }
    // The name of a set means all tools that this client writes as that set.
    let sets =
        from.writes.names.iter().filter(|(_, names)| names.iter().any(|other| other == name));
    for (purpose, _) in sets.filter(|_| !purposes.is_empty()).collect::<Vec<_>>() {
        if !purposes.contains(&purpose.as_str()) {
            purposes.push(purpose);
        }
    }
    let mut found: Vec<String> = Vec::new();
    for purpose in purposes {
        let chosen = [&[purpose][..], wider(purpose)].into_iter().find_map(|words| {
            let names: Vec<String> = words.iter().flat_map(|word| names(to, word)).collect();
            (!names.is_empty()).then_some(names)
        });
        for name in chosen.unwrap_or_default() {
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// The purposes of a tool. The name of a set has several.
fn purposes<'c>(client: &'c Client, name: &str) -> Vec<&'c str> {
    let tools = &client.tools;
    let same = |other: &str| {
        if tools.case_matters { other == name } else { other.eq_ignore_ascii_case(name) }
    };
    if let Some((_, purpose)) = tools.names.iter().find(|(other, _)| same(other)) {
        return vec![purpose];
    }
    let new = tools.renamed.get(name).or_else(|| tools.retired.get(name));
    if let Some(new) = new {
        let known = new.iter().filter_map(|name| tools.names.get(name)).map(String::as_str);
        return known.collect();
    }
    if tools.names.is_empty() {
        let writes = client.writes.names.iter();
        let named = writes.filter(|(_, names)| names.iter().any(|other| other == name));
        return named.map(|(purpose, _)| purpose.as_str()).collect();
    }
    Vec::new()
}

/// The names that a client has for a purpose.
fn names(client: &Client, purpose: &str) -> Vec<String> {
    if let Some(names) = client.writes.names.get(purpose) {
        return names.clone();
    }
    if !client.writes.names.is_empty() && client.tools.names.is_empty() {
        return Vec::new();
    }
    let named = client.tools.names.iter().filter(|(_, other)| *other == purpose);
    named.map(|(name, _)| name.clone()).take(1).collect()
}

/// Related purposes, for a client that has no tool for this one.
fn wider(purpose: &str) -> &'static [&'static str] {
    match purpose {
        "web" => &["web-fetch", "web-search"],
        "web-fetch" | "web-search" => &["web"],
        "codebase" | "usages" | "find" | "list" | "find-tests" => &["search", "find"],
        "read-many" | "problems" => &["read"],
        "write" | "notebook-edit" => &["edit"],
        "powershell" | "terminal-output" | "terminal-last" | "terminal-selection" => &["shell"],
        _ => &[],
    }
}

/// The server and the tool in a name; `None` instead of a tool means all of them.
fn server_tool(client: &Client, name: &str) -> Option<(String, Option<String>)> {
    let pattern = client.tools.server_tool.as_ref()?;
    let (head, rest) = pattern.split_once("{server}")?;
    let between = rest.strip_suffix("{tool}")?;
    let inside = name.strip_prefix(head)?;
    // The name of a built-in tool can look like that of a server's tool.
    if head.is_empty() && !purposes(client, name).is_empty() {
        return None;
    }
    let part_of_set = |server: &str| head.is_empty() && !purposes(client, server).is_empty();
    match inside.split_once(between) {
        Some((server, _)) if part_of_set(server) => None,
        Some((server, "*")) if !server.is_empty() => Some((server.to_owned(), None)),
        Some((server, tool)) if !server.is_empty() && !tool.is_empty() => {
            Some((server.to_owned(), Some(tool.to_owned())))
        }
        None if !head.is_empty() && !inside.is_empty() => Some((inside.to_owned(), None)),
        _ => None,
    }
}

fn server_name(client: &Client, server: &str, tool: Option<&str>) -> Option<String> {
    let pattern = client.tools.server_tool.as_ref()?;
    Some(pattern.replace("{server}", server).replace("{tool}", tool.unwrap_or("*")))
}

/// Converts the list in `key` to the other client's key `new`. `denied` is its key for tools that
/// an agent may not use.
pub fn convert(
    work: &mut Work,
    (key, value): (&str, &Value),
    (new, schema): (&str, &Value),
    denied: Option<(&str, &Value)>,
    values: &mut Map<String, Value>,
) {
    let (from, to) = (work.from.client, work.to.client);
    let Some((on, off)) = items(value) else {
        return work.drop_key(key, value, format!("{} reads another shape", to.title));
    };
    if !has_tools(to) && work.to.reads.kind == Kind::Skill {
        work.note(format!("`{key}` was left as it is: {} documents no names of tools", to.title));
        values.insert(new.to_owned(), value.clone());
        return;
    }
    if !has_tools(to) {
        return work.drop_key(
            key,
            value,
            format!("the names of {}'s tools aren't known", to.title),
        );
    }
    let restricts = off.iter().any(|name| name == "*");
    let switches = value.is_object();
    let on = translate(work, key, on, from, to);
    let off: Vec<String> = off.into_iter().filter(|name| name != "*").collect();
    let off = translate(work, key, off, from, to);
    if switches && shape(schema) == Shape::Switches {
        let mut map = Map::new();
        if restricts {
            map.insert("*".to_owned(), Value::Bool(false));
        }
        map.extend(on.into_iter().map(|name| (name, Value::Bool(true))));
        map.extend(off.into_iter().map(|name| (name, Value::Bool(false))));
        values.insert(new.to_owned(), Value::Object(map));
        return;
    }
    // An agent without a list has all tools.
    if on.is_empty() && (restricts || !switches) && work.to.reads.kind == Kind::Agent {
        let none = match shape(schema) {
            Shape::Switches => Some(written(Vec::new(), schema)),
            _ => schema.get("x-none").cloned(),
        };
        match none {
            Some(none) => _ = values.insert(new.to_owned(), none),
            None => {
                let why = format!(
                    "no tool of the list is left, and without one {} gives the agent all tools",
                    to.title
                );
                work.drop_key(key, value, why);
            }
        }
        return;
    }
    // Tools that a mapping switches on are on anyway, unless all others are off.
    if (!switches || restricts) && !on.is_empty() {
        values.insert(new.to_owned(), written(on, schema));
    } else if switches && !on.is_empty() {
        work.note(format!("`{key}`: {} are on anyway", on.join(", ")));
    }
    if off.is_empty() || restricts {
        return;
    }
    match denied {
        Some((denied, schema)) => {
            values.insert(denied.to_owned(), written(off, schema));
        }
        None => {
            let why = format!("{} can't switch off single tools: the agent has them", to.title);
            work.drop_key(key, &Value::String(off.join(", ")), why);
        }
    }
}

/// The key that switches single tools on and off.
pub fn switches(reads: &Reads) -> Option<(&str, &Value)> {
    reads.properties().find(|(_, schema)| {
        keys::names(schema) == Some("tool") && shape(reads.resolved(schema)) == Shape::Switches
    })
}

/// Adds tools that an agent may not use to the key for them.
pub fn deny(
    work: &mut Work,
    (key, tools): (&str, Vec<String>),
    (place, schema): (&str, &Value),
    values: &mut Map<String, Value>,
) {
    let (from, to) = (work.from.client, work.to.client);
    // `Bash(rm *)` denies some commands: without the rest, it would deny all of them.
    let (whole, limited): (Vec<String>, Vec<String>) =
        tools.into_iter().partition(|item| work.stays() || base(item) == item);
    for item in limited {
        let why = "limits aren't converted, and without them the whole tool would be off";
        work.drop_key(key, &Value::String(item), why);
    }
    let new = translate(work, key, whole, from, to);
    if new.is_empty() {
        return;
    }
    work.note(format!("`{key}` became `{place}`"));
    let schema = work.to.reads.resolved(schema);
    let value = match (shape(schema), values.get(place)) {
        (Shape::Switches, known) => {
            let mut map = known.and_then(Value::as_object).cloned().unwrap_or_default();
            map.extend(new.into_iter().map(|name| (name, Value::Bool(false))));
            Value::Object(map)
        }
        (_, known) => {
            let mut all = known.and_then(listed).unwrap_or_default();
            all.extend(new.into_iter().filter(|name| !all.contains(name)).collect::<Vec<_>>());
            written(all, schema)
        }
    };
    values.insert(place.to_owned(), value);
}

fn translate(
    work: &mut Work,
    key: &str,
    names: Vec<String>,
    from: &Client,
    to: &Client,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for item in names {
        let name = base(&item).to_owned();
        if name == "*" {
            if !found.contains(&name) {
                found.push(name);
            }
            continue;
        }
        // A client understands its own names with limits, such as `Bash(git diff:*)`.
        let own = work.stays() && meaning(to, &name) == Meaning::Known;
        let mut new = if own { vec![item.clone()] } else { translated(from, to, &name) };
        if new.is_empty() && meaning(to, &name) == Meaning::Known {
            new.push(name.clone());
        }
        if work.to.reads.kind == Kind::Agent {
            new.retain(|name| !to.tools.withheld.iter().any(|withheld| withheld == base(name)));
        }
        if new.is_empty() {
            let why = format!("{} has no such tool", to.title);
            work.drop_key(key, &Value::String(item), why);
            continue;
        }
        if own {
            found.extend(new.into_iter().filter(|item| !found.contains(item)).collect::<Vec<_>>());
            continue;
        }
        if let Some(only) = item.get(name.len()..).filter(|only| only.trim().len() > 2) {
            let why = format!("limits aren't converted: `{}` may do more", new.join("`, `"));
            work.drop_key(key, &Value::String(format!("{name}{only}")), why);
        }
        if new != [name.clone()] {
            work.note(format!("`{name}` became `{}`", new.join("`, `")));
        }
        new.retain(|name| !found.contains(name));
        found.extend(new);
    }
    found
}

fn written(names: Vec<String>, schema: &Value) -> Value {
    let text = |between: &str| Value::String(names.join(between));
    match shape(schema) {
        Shape::List => Value::Array(names.into_iter().map(Value::String).collect()),
        Shape::Commas => text(", "),
        Shape::Spaces => text(" "),
        Shape::Switches => {
            let mut map = Map::new();
            map.insert("*".to_owned(), Value::Bool(names.iter().any(|name| name == "*")));
            map.extend(names.into_iter().map(|name| (name, Value::Bool(true))));
            Value::Object(map)
        }
    }
}
