//! Round trips: keys that both clients have survive.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::client::Kind;
use crate::format::agent::convert::body::names;
use crate::format::agent::convert::{Place, convert, origin, places, source, targets};
use crate::format::agent::skeleton;
use crate::yaml;

/// Values that a schema takes.
fn value(key: &str, schema: &Value) -> BoxedStrategy<Value> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return proptest::sample::select(values.clone()).boxed();
    }
    if schema.get("x-names").is_some() || key == "name" {
        return Just(Value::Null).boxed();
    }
    if key == "arguments" {
        let names = proptest::collection::vec("[a-z]{1,6}", 1..3);
        return names.prop_map(|names| Value::String(names.join(" "))).boxed();
    }
    let types: Vec<String> = match schema.get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(many)) => {
            many.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => vec!["string".to_owned()],
    };
    let one = |kind: String| match kind.as_str() {
        "boolean" => any::<bool>().prop_map(Value::Bool).boxed(),
        "number" | "integer" => (1..100_i64).prop_map(Value::from).boxed(),
        "array" => proptest::collection::vec("[a-z]{1,6}", 1..3)
            .prop_map(|items| Value::Array(items.into_iter().map(Value::String).collect()))
            .boxed(),
        "object" => proptest::collection::hash_map("[a-z]{1,5}", "[a-z0-9 ]{1,6}[a-z]", 1..3)
            .prop_map(|entries| {
                Value::Object(
                    entries.into_iter().map(|(key, text)| (key, Value::String(text))).collect(),
                )
            })
            .boxed(),
        _ => "[a-zA-Z0-9][a-zA-Z0-9 :,#'\"日🦆.-]{0,40}[a-z]".prop_map(Value::String).boxed(),
    };
    proptest::sample::select(types).prop_flat_map(one).boxed()
}

/// Front matter of a kind, some of its keys with a value.
fn front(place: Place) -> BoxedStrategy<Map<String, Value>> {
    let keys: Vec<(String, Value)> = place
        .reads
        .properties()
        .filter(|(_, schema)| {
            schema.get("x-ignored").is_none() && schema.get("x-renamed").is_none()
        })
        .map(|(key, schema)| (key.to_owned(), place.reads.resolved(schema).clone()))
        .collect();
    let entries: Vec<_> = keys
        .into_iter()
        .map(|(key, schema)| {
            let value = value(&key, &schema);
            proptest::option::of(value).prop_map(move |value| (key.clone(), value))
        })
        .collect();
    entries
        .prop_map(|entries| {
            entries
                .into_iter()
                .filter_map(|(key, value)| Some((key, value.filter(|value| !value.is_null())?)))
                .collect()
        })
        .boxed()
}

fn written(values: &Map<String, Value>) -> String {
    let lines = values.iter().map(|(key, value)| match value {
        Value::String(text) => format!("{}: {}\n", yaml::print_scalar(key), yaml::quote(text)),
        value => format!("{}: {value}\n", yaml::print_scalar(key)),
    });
    lines.collect()
}

fn body() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        proptest::sample::select(vec![
            "Look at $0.",
            "Then $1 and $2",
            "$ARGUMENTS",
            "@src/a.ts",
            "!`git log`",
            "costs 5$",
            "`code`",
            "日本 🦆",
            "\n\n",
            "- item",
            "{{x}}",
            "${HOME}",
        ]),
        0..8,
    )
    .prop_map(|parts| format!("# Title\n\n{}\n", parts.join(" ")))
}

/// Pairs of Markdown kinds of different clients.
fn pairs() -> Vec<(Place, Place)> {
    let pairs = places().flat_map(|from| targets(from).map(move |to| (from, to)));
    let known = |place: &Place| place.has_front_matter() && !place.reads.anywhere;
    pairs
        .filter(|(from, to)| known(from) && known(to) && from.reads.text_key.is_none())
        .filter(|(from, to)| from.reads.kind != Kind::Skill || to.reads.kind == Kind::Skill)
        .filter(|(from, to)| to.reads.kind != Kind::Skill || from.reads.kind == Kind::Skill)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Every value that isn't dropped in either direction is unchanged at the end, and nothing is
    /// lost without being listed.
    #[test]
    fn shared_keys_survive_a_round_trip((from, to, values) in proptest::sample::select(pairs())
        .prop_flat_map(|(from, to)| front(from).prop_map(move |values| (from, to, values))),
        body in body()) {
        let path = skeleton::path(from.reads, "brew").unwrap();
        let path = Path::new("/w").join(path);
        let mut values = values;
        values.insert("name".to_owned(), Value::String("brew".to_owned()));
        values.entry("description").or_insert_with(|| Value::String("d".to_owned()));
        let text = format!("---\n{}---\n\n{body}", written(&values));
        let first = origin(Path::new("/w"), &path, Some(from)).unwrap();
        let Ok(before) = source::read(&text, from) else { return Ok(()) };
        let Ok(there) = convert(&text, &first, to) else { return Ok(()) };
        let second = origin(Path::new("/w"), &Path::new("/w").join(&there.path), Some(to)).unwrap();
        let back = convert(&there.text, &second, from);
        prop_assert!(back.is_ok(), "{} -> {}: {back:?}\n{}", from.name(), to.name(), there.text);
        let back = back.unwrap();
        let after = source::read(&back.text, from);
        prop_assert!(after.is_ok());
        let after = after.ok().unwrap();
        let lost = |key: &str| {
            let all = there.dropped.iter().chain(&back.dropped);
            let said = there.notes.iter().chain(&back.notes);
            all.clone().any(|dropped| dropped.key.as_deref() == Some(key))
                || said.clone().any(|note| note.contains(&format!("`{key}")))
        };
        // Keys that say when a rule is loaded depend on each other.
        let rule = matches!(from.reads.kind, Kind::Rule | Kind::Instructions);
        for (key, value) in &before.values {
            let one = |value: &Value| match value {
                Value::Array(items) if items.len() == 1 => items.first().cloned().unwrap(),
                Value::Array(items) => Value::String(items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")),
                Value::Bool(_) | Value::Number(_) => Value::String(value.to_string()),
                value => value.clone(),
            };
            let one = |value: &Value| match one(value) {
                Value::String(text) => Value::String(text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",")),
                value => value,
            };
            let boolean = |value: &Value| match value.as_str().map(str::to_lowercase).as_deref() {
                Some("yes" | "on" | "true" | "1") => Value::String("true".to_owned()),
                Some("no" | "off" | "false" | "0") => Value::String("false".to_owned()),
                _ => value.clone(),
            };
            let same = after.values.get(key).is_some_and(|other| boolean(&one(other)) == boolean(&one(value)));
            // The name of the file counts as a name, too.
            let same = same || key == "name" && value.as_str() == Some(second.name.as_str());
            let known = from.reads.key(key).is_some();
            prop_assert!(
                same || lost(key) || rule || !known || super::super::is_empty(value),
                "{} -> {}: `{key}: {value}` became {:?}\n{text}\n{}\n{}",
                from.name(), to.name(), after.values.get(key), there.text, back.text
            );
        }
        let texts = |conversion: &crate::format::agent::convert::Conversion| {
            conversion.dropped.iter().any(|dropped| dropped.key.is_none())
                || conversion.notes.iter().any(|note| {
                    note.ends_with("inserts the file") || note.ends_with("counts them differently")
                })
        };
        if !texts(&there) && !texts(&back) {
            // A name may become a number, and a single argument may become all of them.
            let named = |file: &source::Text| {
                let first = from.reads.substitutes.as_ref().filter(|rules| rules.named.is_some());
                let first = first.and_then(|rules| rules.first).unwrap_or_default() as usize;
                names(file.values.get("arguments")).iter().enumerate().fold(file.body.clone(), |text, (at, name)| {
                    text.replace(&format!("${name}"), &format!("${}", at + first))
                })
            };
            let fold = |text: &str| text.trim().replace("\\$", "$").replace("$0", "$ARGUMENTS").replace("$1", "$ARGUMENTS");
            prop_assert_eq!(fold(&named(&before)), fold(&named(&after)), "{} -> {}\n{}", from.name(), to.name(), there.text);
        }
    }
}

/// Agents of clients whose tools are known, in pairs, with some tools of the first.
fn tools() -> impl Strategy<Value = (Place, Place, Vec<String>)> {
    let known = |place: &Place| {
        let lists = place
            .reads
            .properties()
            .any(|(key, schema)| key == "tools" && schema.get("x-names").is_some());
        place.reads.kind == Kind::Agent && lists && !place.client.tools.names.is_empty()
    };
    let pairs: Vec<(Place, Place)> = places()
        .filter(known)
        .flat_map(|from| targets(from).filter(known).map(move |to| (from, to)))
        .filter(|(from, _)| from.reads.text_key.is_none())
        .collect();
    proptest::sample::select(pairs).prop_flat_map(|(from, to)| {
        let names: Vec<String> = from.client.tools.names.keys().cloned().collect();
        let most = names.len().min(6);
        proptest::sample::subsequence(names, 1..=most).prop_map(move |names| (from, to, names))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// A tool is in the list at the end, or named among dropped or changed items. One that both
    /// clients have for a single purpose is in the list.
    #[test]
    fn tools_stay_or_are_named((from, to, names) in tools()) {
        let path = Path::new("/w").join(skeleton::path(from.reads, "brew").unwrap());
        let schema = from.reads.key("tools").unwrap();
        let list = match schema.get("type").and_then(Value::as_str) {
            Some("object") => names.iter().fold("{\"*\": false".to_owned(), |list, name| format!("{list}, {name}: true")) + "}",
            _ => format!("[{}]", names.join(", ")),
        };
        let text = format!("---\nname: brew\ndescription: d\ntools: {list}\n---\nx\n");
        let there = convert(&text, &origin(Path::new("/w"), &path, Some(from)).unwrap(), to).unwrap();
        let second = origin(Path::new("/w"), &Path::new("/w").join(&there.path), Some(to)).unwrap();
        let back = convert(&there.text, &second, from).unwrap();
        let after = source::read(&back.text, from).ok().unwrap().values.get("tools").cloned().unwrap_or_default();
        let kept: Vec<String> = match &after {
            Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Value::Object(entries) => entries.keys().cloned().collect(),
            Value::String(text) => text.split(", ").map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let count = |place: &Place, purpose: &str| {
            let tools = &place.client.tools;
            let named = tools.names.iter().filter(|(name, other)| {
                *other == purpose && !tools.withheld.contains(name)
            });
            named.count()
        };
        for name in &names {
            let purpose = &from.client.tools.names[name];
            if count(&from, purpose) == 1 && count(&to, purpose) == 1 && from.client.writes.names.is_empty() && to.client.writes.names.is_empty() {
                prop_assert!(kept.contains(name), "{} -> {}: {name}\n{}\n{}", from.name(), to.name(), there.text, back.text);
            }
            let said = there.notes.iter().chain(&back.notes).any(|note| note.contains(&format!("`{name}`")))
                || there.dropped.iter().chain(&back.dropped).any(|dropped| dropped.value == *name);
            prop_assert!(kept.contains(name) || said, "{} -> {}: {name}\n{}\n{}", from.name(), to.name(), there.text, back.text);
        }
    }
}
