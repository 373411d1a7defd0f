//! What clients do with front matter: whether they can read it, and the effect of its keys and
//! values.

use std::collections::HashSet;
use std::path::PathBuf;

use serde_json::Value;

use super::opening::{Head, Opening};
use super::problem::{Cause, Problem};
use super::reading::{Read, matches_delimiters};
use super::subject::Subject;
use super::{commented, conditions, globs, models, nested, tools};
use crate::client::{self, Effect, Kind, LimitOf, Occasion, Outcome, Reading, Reads, Role, Unit};
use crate::markdown::front::Delimiters;
use crate::schema::{self, Change, Compiled, Part, Type, ValueError};
use crate::text::Span;
use crate::world::EntryKind;
use crate::yaml::{self, Segment, Style};

/// What the judged clients do with the file because of its front matter, name and length.
pub fn problems<'a>(subject: &Subject<'a>) -> Vec<Problem<'a>> {
    let mut found = Vec::new();
    for role in &subject.file.judged {
        if role.reads.plain {
            found.extend(without_use(subject, role));
        } else {
            front_matter(subject, role, &mut found);
        }
        limits(subject, role, &mut found);
    }
    unknown(subject, &mut found);
    found
}

fn loaded(text: &str) -> Effect {
    Effect { outcome: Outcome::Loaded, text: text.to_owned() }
}

fn partly(text: &str) -> Effect {
    Effect { outcome: Outcome::Partly, text: text.to_owned() }
}

/// Front matter in a kind of file that doesn't use it.
fn without_use<'a>(subject: &Subject, role: &Role<'a>) -> Option<Problem<'a>> {
    let front = subject.front.as_ref().filter(|front| {
        front.delimiters == Delimiters::Complete && front.tree.entries().next().is_some()
    })?;
    Some(Problem::new(
        Cause::NoUse,
        role.client,
        None,
        front.opening.clone(),
        loaded("front matter is read as text"),
    ))
}

fn front_matter<'a>(subject: &Subject, role: &Role<'a>, found: &mut Vec<Problem<'a>>) {
    let reading = role.reads.reading;
    if reading == Reading::None {
        return;
    }
    let root = subject.front.as_ref().and_then(|front| front.tree.root.as_ref());
    if role.reads.list && root.is_some_and(|root| root.as_sequence().is_some()) {
        return;
    }
    let read = subject.read(reading);
    let unclosed =
        subject.front.as_ref().is_some_and(|front| front.delimiters == Delimiters::Unclosed);
    match &*read {
        Read::Nothing if !unclosed => {
            let indented = |opening: &Opening| opening.head == Head::Indented;
            // Codex ignores spaces on both sides.
            let codex = matches!(reading, Reading::SerdeYaml | Reading::CodexLines);
            if codex && subject.unopened().is_some_and(indented) {
                return;
            }
            let late = || {
                (subject.late().is_some() || subject.unopened().is_some())
                    .then(|| partly("all keys are lost"))
            };
            if let Some(effect) = role.without().cloned().or_else(late) {
                found.push(Problem::new(
                    Cause::NoFrontMatter,
                    role.client,
                    None,
                    subject.first_line(),
                    effect,
                ));
            }
        }
        Read::Nothing | Read::Refused => {
            let effect = role.unreadable().cloned().unwrap_or_else(|| partly("all keys are lost"));
            found.push(Problem::new(
                Cause::Unreadable,
                role.client,
                None,
                subject.first_line(),
                effect,
            ));
        }
        Read::Keys(keys) if keys.partly => {
            let effect = match reading {
                Reading::Vscode => {
                    role.unreadable().cloned().unwrap_or_else(|| partly("later keys are lost"))
                }
                _ => loaded("read all the same"),
            };
            found.push(Problem::new(
                Cause::Unreadable,
                role.client,
                None,
                subject.first_line(),
                effect,
            ));
            // The client may still reject the values that it reads from broken YAML.
            if reading != Reading::Vscode {
                let mut others = Vec::new();
                values(subject, role, &Value::Object(keys.values.clone()), &mut others);
                let refused = |problem: &Problem| problem.effect.outcome >= Outcome::NotLoaded;
                found.extend(others.into_iter().filter(refused));
            }
        }
        Read::Keys(keys) => values(subject, role, &Value::Object(keys.values.clone()), found),
    }
    // Its pattern requires the text on the line after `---`.
    let closing = subject.closing(reading).filter(|line| line.len() > 3);
    if let Some(line) = closing.filter(|_| matches_delimiters(reading) && read.keys().is_some()) {
        let effect = partly("the text below the front matter is lost");
        found.push(Problem::new(Cause::Unreadable, role.client, None, line, effect));
    }
}

/// Keys and values against the schema of the kind.
fn values<'a>(subject: &Subject, role: &Role<'a>, value: &Value, found: &mut Vec<Problem<'a>>) {
    let errors = role.reads.compiled().map(|schema: &Compiled| schema.errors_in_document(value));
    let errors = errors.unwrap_or_default();
    let own = role.reads.kind == Kind::Own;
    let mut lists: HashSet<(String, Cause)> = HashSet::new();
    for error in errors {
        let Some(problem) = violation(subject, role, value, &error) else { continue };
        // All items of a list have the same cause.
        let item = error.pointer.matches('/').count() > 1 && !own;
        let key = problem.key().unwrap_or_default().to_owned();
        if !item || lists.insert((key, problem.cause)) {
            found.push(problem);
        }
    }
    models::problems(subject, role, value, found);
    // The schema doesn't contain keys that are required only together with another key.
    let absent = missing(role, value);
    let told = |problem: &Problem| {
        problem.cause == Cause::MissingKey && std::ptr::eq(problem.client, role.client)
    };
    if !own && !absent.is_empty() && !found.iter().any(told) {
        let effect = absent.first().and_then(|key| role.effect(key, "required"));
        let effect = effect.unwrap_or_else(|| partly("not read"));
        let place = subject.first_line();
        let problem = Problem::new(Cause::MissingKey, role.client, None, place, effect);
        found.push(problem.about(absent));
    }
    for entry in subject.entries() {
        let Some(key) = entry.key.as_str() else { continue };
        let unmet =
            role.reads.key(key).and_then(|schema| conditions::unmet(schema, &|key| value.get(key)));
        let ignored = role.ignored(key).or(unmet);
        if let Some(effect) = ignored.filter(|_| !is_nothing(value.get(key))) {
            found.push(Problem::new(
                Cause::IgnoredKey,
                role.client,
                Some(key),
                subject.place(&entry.key.span),
                effect,
            ));
        }
        if let Some(name) =
            role.reads.key(key).and_then(|schema| schema.get("x-renamed")).and_then(Value::as_str)
        {
            let effect = loaded("deprecated");
            found.push(
                Problem::new(
                    Cause::DeprecatedKey,
                    role.client,
                    Some(key),
                    subject.place(&entry.key.span),
                    effect,
                )
                .instead(vec![name.to_owned()]),
            );
        }
    }
    folder(subject, role, value, found);
}

fn violation<'a>(
    subject: &Subject,
    role: &Role<'a>,
    value: &Value,
    error: &ValueError,
) -> Option<Problem<'a>> {
    let keyword = error.kind.as_str();
    let unescape = |part: &str| part.replace("~1", "/").replace("~0", "~");
    let top = error.pointer.split('/').nth(1).map(unescape);
    let own = role.reads.kind == Kind::Own;
    let nested = error.pointer.matches('/').count() > 1;
    let absent = missing(role, value);
    let (key, cause) = match (keyword, &top) {
        ("required", None) if !own || !absent.is_empty() => {
            (absent.first()?.clone(), Cause::MissingKey)
        }
        ("additionalProperties" | "unevaluatedProperties", Some(key))
            if !nested && role.reads.key(key).is_none() =>
        {
            (key.clone(), Cause::UnknownKey)
        }
        ("minLength", Some(key)) if !own => (key.clone(), Cause::MissingKey),
        ("maxLength", Some(key)) if !own => {
            (key.clone(), if key == "name" { Cause::InvalidName } else { Cause::TooLong })
        }
        (_, Some(key)) if own && (nested || !matches!(keyword, "type" | "enum")) => {
            (key.clone(), Cause::WrongValue)
        }
        ("pattern", Some(key)) if key == "name" => (key.clone(), Cause::InvalidName),
        ("pattern", Some(key)) if key == "description" => (key.clone(), Cause::Markup),
        ("type", Some(key)) => (
            key.clone(),
            if !own && value.get(key).is_some_and(Value::is_null) {
                Cause::MissingKey
            } else {
                Cause::WrongType
            },
        ),
        (_, Some(key)) => (key.clone(), Cause::WrongValue),
        ("required", _) | (_, None) if own => return Some(whole(subject, role, error)),
        (_, None) => return None,
    };
    // A key without a value has the effect of a missing one, and only where it's required.
    let nothing = value.get(&key).is_some_and(Value::is_null);
    let entry = subject.entry(&key);
    let comment = entry.filter(|_| nothing).and_then(|entry| commented::value(subject, entry));
    let unneeded = nothing && cause == Cause::MissingKey && !role.reads.requires(&key);
    // A name was commented out on purpose.
    let named = || role.reads.key(&key).is_some_and(|schema| schema.get("x-names").is_some());
    if unneeded && (comment.is_none() || named()) {
        return None;
    }
    let cause = if unneeded { Cause::WrongValue } else { cause };
    // Several missing keys are one problem.
    let keys = if keyword == "required" && top.is_none() { absent } else { vec![key.clone()] };
    let broken = if nothing { "required" } else { keyword };
    let effect = keys
        .iter()
        .filter_map(|key| match broken {
            "required" => spared(subject, role, key).or_else(|| role.effect(key, broken)),
            _ => role.effect(key, broken),
        })
        .max_by_key(|effect| effect.outcome)
        .unwrap_or_else(|| partly(&format!("`{key}` has no effect")));
    let effect = match cause {
        Cause::MissingKey if role.reads.anywhere && value.get("id").is_some() => {
            loaded(&effect.text)
        }
        Cause::MissingKey if is_chosen(role, value) => {
            loaded("loaded on demand, by its description")
        }
        Cause::WrongValue
            if effect.outcome == Outcome::Partly
                && (is_nothing(value.get(&key)) || is_default(role, &key, value.get(&key))) =>
        {
            loaded(&effect.text)
        }
        _ => effect,
    };
    let span = match (cause, entry) {
        (Cause::UnknownKey, Some(entry)) => subject.place(&entry.key.span),
        (Cause::TooLong, Some(entry)) => beyond(subject, role, &key, entry),
        (_, Some(entry)) => at(subject, error).unwrap_or_else(|| subject.value_place(entry)),
        (_, None) => subject.first_line(),
    };
    let detail = match cause {
        Cause::TooLong => format!(
            "{}/{}",
            value.get(&key).and_then(Value::as_str).map_or(0, |text| text.chars().count()),
            limit(role, &key)
        ),
        Cause::WrongType | Cause::WrongValue => expected(role, &key),
        Cause::InvalidName => {
            value.get(&key).and_then(Value::as_str).unwrap_or_default().to_owned()
        }
        _ => String::new(),
    };
    let problem = Problem::new(cause, role.client, None, span, effect).about(keys).with(detail);
    if let Some(span) = comment {
        let text = subject.cx.source.slice(span.clone());
        return Some(problem.commented_out(span, &text, &key));
    }
    let says = nested && cause != Cause::UnknownKey
        || own && cause == Cause::WrongValue
        || own && cause == Cause::WrongType && !is_mistyped(role, &key, value.get(&key));
    let path = path(value, &error.pointer);
    let list = expected(role, &key).is_empty() || keyword != "enum";
    let wanted = nested::declared_at(role.reads, &path)
        .map(|schema| words(role, schema))
        .filter(|words| keyword == "type" && nested && !own && !words.is_empty());
    let problem = match wanted {
        Some(wanted) => problem.because(&in_words(&path), &format!("must be {wanted}")),
        None if says && (nested || list) => problem.because(&in_words(&path), &error.message),
        None => problem,
    };
    let names = error.fixes.iter().flat_map(|fix| &fix.changes).filter_map(|change| match change {
        Change::Rename { name, .. } if own => Some(name.clone()),
        _ => None,
    });
    Some(problem.instead(names.collect()))
}

/// Whether a value doesn't have the type that the key's own schema declares, so that the message
/// can name that type.
fn is_mistyped(role: &Role, key: &str, value: Option<&Value>) -> bool {
    let schema = role.reads.key(key).map(|schema| role.reads.resolved(schema));
    let Some(value) = value.filter(|value| !value.is_null()) else { return false };
    schema.is_some_and(|schema| {
        let types = Type::declared(schema);
        !types.is_empty() && !types.iter().any(|kind| kind.accepts(value))
    })
}

/// What a schema reports about the front matter as a whole.
fn whole<'a>(subject: &Subject, role: &Role<'a>, error: &ValueError) -> Problem<'a> {
    let effect = role.effect("", "").unwrap_or_else(|| partly(""));
    let problem = Problem::new(Cause::WrongValue, role.client, None, subject.first_line(), effect);
    problem.because("", &error.message)
}

/// The keys and indices that lead to a value.
fn path(value: &Value, pointer: &str) -> Vec<Segment> {
    let mut value = Some(value);
    let steps = schema::pointer::to_path(pointer).into_iter();
    let step = |step: String| {
        let list = value.and_then(Value::as_array);
        let index = step.parse().ok().filter(|_| list.is_some());
        let segment = index.map_or_else(|| Segment::Key(step.clone()), Segment::Index);
        value = value.and_then(|value| match &segment {
            Segment::Key(key) => value.get(key.as_str()),
            Segment::Index(index) => value.get(*index),
        });
        segment
    };
    steps.map(step).collect()
}

/// A path for people, who count from one: ``item 2 of `tools` ``.
fn in_words(path: &[Segment]) -> String {
    let Some((last, above)) = path.split_last() else { return String::new() };
    if let Segment::Index(index) = last {
        return format!("item {} of {}", index + 1, in_words(above));
    }
    let from = above.iter().rposition(|segment| matches!(segment, Segment::Index(_)));
    let from = from.map_or(0, |index| index + 1);
    let keys = path.iter().skip(from).filter_map(|segment| match segment {
        Segment::Key(key) => Some(key.as_str()),
        Segment::Index(_) => None,
    });
    let keys = format!("`{}`", keys.collect::<Vec<_>>().join("."));
    match above.get(..from).filter(|list| !list.is_empty()) {
        Some(list) => format!("{keys} in {}", in_words(list)),
        None => keys,
    }
}

/// Where the key or the value of an error is written.
fn at(subject: &Subject, error: &ValueError) -> Option<Span> {
    let tree = subject.front.as_ref()?.tree;
    let target = yaml::locate(tree.root.as_ref()?, &error.pointer, &tree.anchors())?;
    let span = match (error.part, target.key) {
        (Part::Key, Some(key)) => key,
        (_, key) if target.value.is_empty() => key?,
        _ => target.value,
    };
    Some(subject.place(&span))
}

/// The missing required keys. Each is a separate error, and all have the same place.
fn missing(role: &Role, value: &Value) -> Vec<String> {
    let values = &|key: &str| value.get(key);
    let is = |key: &str, name| {
        role.reads.key(key).is_some_and(|schema| conditions::any(schema, name, values))
    };
    let sometimes =
        role.reads.properties().map(|(key, _)| key).filter(|key| is(key, "x-required-with"));
    schema::required(&role.reads.keys)
        .chain(sometimes)
        .filter(|key| value.get(key).is_none() && !is(key, "x-optional-with"))
        .map(str::to_owned)
        .collect()
}

/// The effect of a missing key in the place of another program that doesn't need it.
fn spared(subject: &Subject, role: &Role, key: &str) -> Option<Effect> {
    let places = role.reads.key(key)?.get("x-optional-in")?.as_array()?;
    let place = subject.cx.place_of(subject.file.path);
    let holds = |spared: &&Value| {
        let glob = spared.get("glob").and_then(Value::as_str);
        glob.is_some_and(|glob| client::reaches(glob, place))
    };
    client::effect(places.iter().find(holds)?.get("effect")?)
}

/// Whether the model decides when a rule is loaded, because of a key that the rule has.
fn is_chosen(role: &Role, value: &Value) -> bool {
    let mut loads = role.reads.loads.iter().filter(|loads| loads.when == Occasion::Choice);
    loads.any(|loads| {
        let needed = loads.needs.as_ref().and_then(|key| value.get(key)).and_then(Value::as_str);
        loads.with.is_empty() && needed.is_some_and(|text| !text.trim().is_empty())
    })
}

/// Whether a value means "none". If the client ignores such a value, that's what its author meant.
fn is_nothing(value: Option<&Value>) -> bool {
    match value {
        Some(Value::String(text)) => {
            let text = text.trim().to_ascii_lowercase();
            matches!(text.as_str(), "" | "none" | "null" | "off" | "no" | "false" | "default")
        }
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(entries)) => entries.is_empty(),
        Some(value) => value.is_null() || *value == Value::Bool(false),
        None => true,
    }
}

/// Whether a value describes what the client does without the key.
fn is_default(role: &Role, key: &str, value: Option<&Value>) -> bool {
    let words = role.reads.key(key).and_then(|schema| schema.get("x-default")?.as_array());
    words.zip(value).is_some_and(|(words, value)| words.contains(value))
}

fn limit(role: &Role, key: &str) -> u64 {
    role.reads
        .key(key)
        .and_then(|schema| schema.get("maxLength"))
        .and_then(Value::as_u64)
        .unwrap_or_default()
}

/// The part of a value beyond the limit, if the text is read exactly as it's written.
fn beyond(subject: &Subject, role: &Role, key: &str, entry: &yaml::Entry) -> Span {
    let whole = subject.value_place(entry);
    let plain =
        matches!(&entry.value.kind, yaml::Kind::Scalar(scalar) if scalar.style == Style::Plain);
    let text = subject.cx.source.slice(whole.clone());
    let most = usize::try_from(limit(role, key)).unwrap_or(usize::MAX);
    match text.char_indices().nth(most) {
        Some((at, _)) if plain && !text.contains('\n') => whole.start + at..whole.end,
        _ => whole,
    }
}

/// What a key accepts, in words.
pub fn expected(role: &Role, key: &str) -> String {
    role.reads.key(key).map_or_else(String::new, |schema| words(role, schema))
}

/// What a schema accepts, in words.
fn words(role: &Role, schema: &Value) -> String {
    if schema.get("x-boolean").is_some() {
        return "`true` or `false`".to_owned();
    }
    let schema = role.reads.resolved(schema);
    if let Some(values) = nested::choices(schema) {
        let words: Vec<String> =
            values.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        return words.join(", ");
    }
    let name = |name: &str| match name {
        "array" => "a list",
        "object" => "a mapping",
        "string" => "a string",
        "boolean" => "`true` or `false`",
        "integer" => "an integer",
        "null" => "empty",
        _ => "a number",
    };
    match schema.get("type") {
        Some(Value::String(one)) => name(one).to_owned(),
        Some(Value::Array(several)) => {
            several.iter().filter_map(Value::as_str).map(name).collect::<Vec<_>>().join(" or ")
        }
        _ => String::new(),
    }
}

/// A name that differs from that of the folder.
fn folder<'a>(subject: &Subject, role: &Role<'a>, value: &Value, found: &mut Vec<Problem<'a>>) {
    let (Some(effect), Some(name), Some(folder)) =
        (&role.reads.folder, value.get("name").and_then(Value::as_str), subject.file.folder())
    else {
        return;
    };
    let Some(entry) = subject.entry("name").filter(|_| name != folder && !name.is_empty()) else {
        return;
    };
    // Outside the places of clients, the skill will often end up in another folder.
    let slug =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let effect = if role.reads.anywhere
        && (subject.file.moved || !folder.chars().all(slug) || !is_among_skills(subject))
    {
        loaded(&effect.text)
    } else {
        effect.clone()
    };
    let problem =
        Problem::new(Cause::Folder, role.client, Some("name"), subject.value_place(entry), effect);
    found.push(problem.with(name).instead(vec![folder.to_owned()]));
}

/// Whether the folder of a skill is part of a collection: next to that of another skill, or in a
/// folder of skills.
fn is_among_skills(subject: &Subject) -> bool {
    let world = subject.cx.world;
    let Some(own) = subject.file.path.parent() else { return false };
    let Some(around) = own.parent().filter(|_| !own.ends_with("skill")) else { return false };
    let named = around.file_name().is_some_and(|name| name.to_string_lossy().contains("skills"));
    let others = || world.list(around).into_iter().filter(|entry| entry.kind == EntryKind::Folder);
    let is_skill =
        |folder: PathBuf| folder != own && world.kind(&folder.join("SKILL.md")).is_some();
    named || others().take(MOST_SIBLINGS).any(|entry| is_skill(around.join(entry.name)))
}

/// At most this many neighbouring folders are searched.
const MOST_SIBLINGS: usize = 400;

fn limits<'a>(subject: &Subject, role: &Role<'a>, found: &mut Vec<Problem<'a>>) {
    for limit in &role.reads.limits {
        let from = if limit.of == LimitOf::Body { subject.body() } else { 0 };
        let bytes = subject.cx.source.len() - from.min(subject.cx.source.len());
        if bytes <= limit.most {
            continue;
        }
        let text = subject.cx.source.text();
        let first = text.byte_to_char(from);
        let (length, cut) = match limit.unit {
            Unit::Bytes => (bytes, crate::text::floor(text, from + limit.most)),
            Unit::Characters => (
                text.len_chars() - first,
                text.char_to_byte((first + limit.most).min(text.len_chars())),
            ),
        };
        // Cutting off trailing whitespace loses nothing.
        let lost = limit.effect.outcome > Outcome::Partly
            || text.slice(text.byte_to_char(cut)..).chars().any(|letter| !letter.is_whitespace());
        if length > limit.most && lost {
            let line = subject.cx.source.line_span(cut);
            let span = if line.end > cut { cut..line.end } else { line };
            let unit = if limit.unit == Unit::Bytes { "bytes" } else { "characters" };
            let of = if limit.of == LimitOf::Body { "body" } else { "file" };
            found.push(
                Problem::new(Cause::TooLong, role.client, None, span, limit.effect.clone())
                    .with(format!("{of}/{length}/{}/{unit}", limit.most)),
            );
        }
    }
}

/// Keys that no judged client reads.
fn unknown<'a>(subject: &Subject<'a>, found: &mut Vec<Problem<'a>>) {
    let judged: Vec<&Role<'a>> = subject
        .file
        .judged
        .iter()
        .filter(|role| !role.reads.plain && role.reads.properties().next().is_some())
        .collect();
    // Clients that read by line accept values that aren't valid YAML.
    let is_yaml = judged.iter().any(|role| !role.reads.reading.is_by_line());
    if judged.is_empty()
        || subject.front.as_ref().is_none_or(|front| {
            front.delimiters != Delimiters::Complete || is_yaml && !front.tree.errors.is_empty()
        })
    {
        return;
    }
    let known: HashSet<&str> =
        judged.iter().flat_map(|role| role.reads.properties().map(|(key, _)| key)).collect();
    let present: HashSet<&str> = subject.entries().filter_map(|entry| entry.key.as_str()).collect();
    for entry in subject.entries() {
        let Some(key) = entry.key.as_str().filter(|key| !known.contains(key) && *key != "<<")
        else {
            continue;
        };
        if found
            .iter()
            .any(|problem| problem.cause == Cause::UnknownKey && problem.key() == Some(key))
        {
            continue;
        }
        for role in &judged {
            let span = subject.place(&entry.key.span);
            let meant = meant(role, key, &entry.value)
                .filter(|meant| !present.contains(meant) && !for_all_files(role, &entry.value));
            let instead_is_read = judged
                .iter()
                .any(|other| meant.is_some_and(|meant| other.reads.key(meant).is_some()));
            let (cause, effect) = match meant {
                Some(_) if instead_is_read => (
                    Cause::UnknownKey,
                    role.effect("", "mistaken")
                        .unwrap_or_else(|| partly(&format!("`{key}` has no effect"))),
                ),
                _ => {
                    // If the client's own editor reports the key, we do, too.
                    let mut reported = role.reads.editor_reports.iter();
                    let told = role.own
                        && role.reads.kind != Kind::Skill
                        && reported.any(|rule| rule == "agent/unknown-key");
                    let cause = if told { Cause::UnknownKey } else { Cause::UnusedKey };
                    let effect = role.reads.unknown.clone();
                    (cause, effect.unwrap_or_else(|| loaded("the key has no effect")))
                }
            };
            let instead = meant.into_iter().map(str::to_owned).collect();
            found.push(Problem::new(cause, role.client, Some(key), span, effect).instead(instead));
        }
    }
}

/// Whether a rule has a glob that matches every file, so that it's meant to be always loaded.
fn for_all_files(role: &Role, value: &yaml::Node) -> bool {
    role.reads.kind == Kind::Rule && words_of(value).into_iter().any(globs::is_everything)
}

/// The words of a list or of a string.
fn words_of(value: &yaml::Node) -> Vec<&str> {
    match &value.kind {
        yaml::Kind::Sequence(list) => list.items.iter().filter_map(|item| item.as_str()).collect(),
        _ => value.as_str().unwrap_or_default().split([',', ' ']).map(str::trim).collect(),
    }
}

/// Whether a key accepts a value of this shape: `agents: [a]` isn't a mistyped `agent: a`.
fn takes(role: &Role, key: &str, value: &yaml::Node) -> bool {
    let schema = role.reads.key(key).map(|schema| role.reads.resolved(schema));
    let listed = |kind: &str| match schema.and_then(|schema| schema.get("type")) {
        None => schema.is_none_or(|schema| schema.get("enum").is_none()),
        Some(Value::String(one)) => one == kind,
        Some(several) => several.as_array().is_some_and(|list| list.iter().any(|one| one == kind)),
    };
    match &value.kind {
        yaml::Kind::Sequence(_) => listed("array"),
        yaml::Kind::Mapping(_) => listed("object"),
        _ => true,
    }
}

/// The key that an unknown one was meant to be: one that authors commonly confuse it with, or one
/// that differs only in case, hyphens or a single letter.
fn meant<'a>(role: &Role<'a>, key: &str, value: &yaml::Node) -> Option<&'a str> {
    let reads: &'a Reads = role.reads;
    let lists = |schema: &Value| {
        schema
            .get("x-mistaken")
            .and_then(Value::as_array)
            .is_some_and(|names| names.iter().any(|name| name == key))
    };
    let folded = |key: &str| {
        key.chars()
            .filter(|letter| !matches!(letter, '-' | '_'))
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let word = folded(key);
    let near = |name: &str| {
        let name = folded(name);
        let (least, most) = (name.len().min(word.len()), name.len().max(word.len()));
        // `mode` and `tool` are words; `modl` and `tols` aren't.
        let part = name.starts_with(&word) || word.starts_with(&name);
        let apart = least >= 5 || least == 4 && most == 5 && !part;
        name == word || apart && strsim::damerau_levenshtein(&name, &word) == 1
    };
    // A key of another kind of file isn't a mistake for one of this kind.
    let elsewhere = role.client.reads.iter().any(|other| other.key(key).is_some());
    // `tools: [claude, cursor]` lists the clients that a file is for.
    let tools = |schema: &Value| {
        schema.get("x-names").and_then(Value::as_str) != Some("tool")
            || words_of(value).iter().any(|word| tools::is_one(word))
    };
    let mistaken = reads.properties().find(|(_, schema)| lists(schema) && tools(schema));
    mistaken
        .or_else(|| {
            reads
                .properties()
                .find(|(name, _)| !elsewhere && near(name) && takes(role, name, value))
        })
        .map(|(name, _)| name)
}
