//! Completion in tests: keys, fields of the input, parts of the output, values.

use super::keys;
use super::tested::{Found, Tested, follow};
use super::{FIELD, is_expectation, program_of};
use crate::answer::{Completion, CompletionKind};
use crate::format::Context;
use crate::format::markdownlang::complete::{
    FrontMatterCursor, Typing, imports, keys as offers, values,
};
use crate::format::markdownlang::field::Key;
use crate::format::markdownlang::header;
use crate::schema::pointer;
use crate::template::function::Kinds;
use crate::template::types::{Field, Type, Types};
use crate::yaml::{Place, Segment, Tree, print_flow_scalar};

/// In a test file.
pub fn in_file(cx: &Context, tree: &Tree, offset: usize) -> Vec<Completion> {
    let yaml = cx.source.slice(0..cx.source.len());
    let cursor =
        FrontMatterCursor { yaml, start: 0, tree: std::borrow::Cow::Borrowed(tree), open: false };
    let typing = Typing::new(cx, &cursor, offset);
    let path: Vec<String> = typing
        .context
        .path
        .iter()
        .map(|segment| match segment {
            Segment::Key(key) => key.clone(),
            Segment::Index(index) => index.to_string(),
        })
        .collect();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let mut found = match (path.as_slice(), typing.context.place, typing.context.key.as_deref()) {
        (_, Place::Comment, _) => Vec::new(),
        ([], Place::Key, _) => offers::offered(&typing, keys::FILE).collect(),
        ([], Place::Value, Some("program")) => imports::item(&typing),
        ([], Place::Value, Some("model")) => values::field(&typing, "model"),
        (["cases", inside @ ..], ..) => {
            let program = || {
                let named = typing.node(&["program"]).and_then(|node| node.as_str());
                Tested::read(cx, program_of(cx.path?, named)).ok()
            };
            inside_cases(&typing, &path, inside, &program)
        }
        _ => Vec::new(),
    };
    found.retain(|item| item.edit.text != typing.written() || item.snippet.is_some());
    found
}

/// Inside `tests` of front matter; `path` leads to the collection that is being written.
pub fn inside(typing: &Typing, path: &[&str]) -> Vec<Completion> {
    let program = || {
        let header = header(typing.cx.source);
        Some(Tested { shown: String::new(), path: None, header })
    };
    match path {
        [FIELD, inside @ ..] => inside_cases(typing, path, inside, &program),
        _ => Vec::new(),
    }
}

fn inside_cases(
    typing: &Typing,
    path: &[&str],
    inside: &[&str],
    program: &dyn Fn() -> Option<Tested>,
) -> Vec<Completion> {
    let context = &typing.context;
    match (inside, context.place, context.key.as_deref()) {
        ([], Place::Key | Place::NewItem, _) => vec![new_case(typing)],
        ([_], Place::Item, _) if context.flow => vec![new_case(typing)],
        ([_], Place::Key | Place::Item, _) => offers::offered(typing, keys::CASE).collect(),
        ([_], Place::Value, Some("model")) => values::field(typing, "model"),
        ([_], Place::Value, Some("input")) | ([_, "input", ..], ..) => {
            fields(typing, program, "input", inside.get(2..).unwrap_or_default())
        }
        ([_, "expect", rest @ ..], ..) => expectation(typing, path, rest, program),
        _ => Vec::new(),
    }
}

fn new_case(typing: &Typing) -> Completion {
    const BLOCK: &str = "name: ${1:case}\ninput: { ${2} }\nexpect: { ${3} }";
    typing.new_item("case", BLOCK, 0)
}

fn expectation(
    typing: &Typing,
    path: &[&str],
    mut rest: &[&str],
    program: &dyn Fn() -> Option<Tested>,
) -> Vec<Completion> {
    let context = &typing.context;
    let mut steps: Vec<String> = Vec::new();
    loop {
        match (rest, context.place, context.key.as_deref()) {
            ([], Place::Key | Place::Item, _) => {
                let inner = !steps.is_empty();
                let outer_only = |key: &Key| inner && matches!(key.name, "judge" | "error");
                let mut found: Vec<Completion> = offers::offered(typing, keys::EXPECT).collect();
                found.retain(|item| {
                    keys::EXPECT.iter().all(|key| key.name != item.label || !outer_only(key))
                });
                return found;
            }
            ([], Place::Value, Some("judge")) | (["judge"], Place::Value, Some("program")) => {
                return imports::item(typing);
            }
            (["judge"], Place::Key, _) => return offers::offered(typing, keys::JUDGE).collect(),
            ([], Place::Value, Some("equals")) | (["equals", ..], ..) => {
                let steps = joined(&steps, rest.get(1..).unwrap_or_default());
                let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
                return fields(typing, program, "output", &steps);
            }
            (["at"], Place::Key, _) => return pointers(typing, program, &steps),
            (["at"], Place::Value, Some(place)) => {
                steps.extend(pointer::to_path(place));
                return value_of(typing, program, "output", &steps);
            }
            (["at", place, inner @ ..], ..) => {
                steps.extend(pointer::to_path(place));
                let at = path.get(..path.len().saturating_sub(inner.len())).unwrap_or_default();
                let node = typing.node(at);
                let value = node.map(|node| crate::yaml::to_json(node, &typing.anchors).value);
                // An empty mapping may become either.
                let plain = value.as_ref().and_then(serde_json::Value::as_object);
                let plain = plain.is_some_and(|entries| !entries.is_empty());
                if plain && !value.as_ref().is_some_and(is_expectation) && !inner.is_empty() {
                    let steps = joined(&steps, inner);
                    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
                    return fields(typing, program, "output", &steps);
                }
                rest = inner;
            }
            _ => return Vec::new(),
        }
    }
}

fn joined(steps: &[String], rest: &[&str]) -> Vec<String> {
    steps.iter().cloned().chain(rest.iter().map(|step| (*step).to_owned())).collect()
}

/// The fields of the input or the output at a path, or values there.
fn fields(
    typing: &Typing,
    program: &dyn Fn() -> Option<Tested>,
    field: &str,
    path: &[&str],
) -> Vec<Completion> {
    let context = &typing.context;
    let mut steps: Vec<String> = path.iter().map(|step| (*step).to_owned()).collect();
    match (context.place, context.key.as_deref()) {
        (Place::Value, Some(key)) => {
            // The value of `input` or `equals` itself is the root.
            let name = if field == "input" { "input" } else { "equals" };
            let inside = context.path.contains(&Segment::Key(name.to_owned()))
                || context.path.contains(&Segment::Key("at".to_owned()));
            if inside || key != name {
                steps.push(key.to_owned());
            }
            value_of(typing, program, field, &steps)
        }
        (Place::Item, _) if context.flow || !steps.is_empty() => {
            value_of(typing, program, field, &steps)
        }
        (Place::Key, _) => names(typing, program, field, &steps),
        _ => Vec::new(),
    }
}

fn types(program: &dyn Fn() -> Option<Tested>, field: &str) -> Option<Types> {
    Some(Types::new(Some(program()?.schema(field)?)))
}

fn names(
    typing: &Typing,
    program: &dyn Fn() -> Option<Tested>,
    field: &str,
    steps: &[String],
) -> Vec<Completion> {
    let Some(types) = types(program, field) else { return Vec::new() };
    let Found::Type(kind) = follow(&types, steps) else { return Vec::new() };
    let free = types.fields(&kind).into_iter().filter(|(name, _)| !typing.has(name));
    free.zip(0..)
        .map(|((name, field), rank)| {
            let (kind, required) = match field {
                Field::Declared { kind, required, .. } => (kind, required),
                _ => (Type::any(), false),
            };
            let block = format!("{}: {}", print_flow_scalar(&name), placeholder(&types, &kind));
            let rank = rank + if required { 0 } else { 100 };
            let mut item = typing.entry(&name, &block, CompletionKind::Key, rank);
            let summary = types.summary(&kind);
            item.detail = Some(if required { format!("required {summary}") } else { summary });
            item
        })
        .collect()
}

/// The beginning of a value of this kind.
fn placeholder(types: &Types, kind: &Type) -> &'static str {
    let kinds = types.kinds(kind);
    match () {
        () if kinds == Kinds::OBJECT => "{ ${1} }",
        () if kinds == Kinds::LIST => "[${1}]",
        () => "${1}",
    }
}

fn value_of(
    typing: &Typing,
    program: &dyn Fn() -> Option<Tested>,
    field: &str,
    steps: &[String],
) -> Vec<Completion> {
    let Some(types) = types(program, field) else { return Vec::new() };
    let Found::Type(kind) = follow(&types, steps) else { return Vec::new() };
    if let Some(allowed) = types.values(&kind) {
        return allowed
            .into_iter()
            .zip(0..)
            .map(|(value, rank)| match value.as_str() {
                Some(text) => typing.value(text, CompletionKind::EnumMember, rank),
                None => {
                    let text = value.to_string();
                    typing.written_value(&text, text.clone(), CompletionKind::EnumMember, rank)
                }
            })
            .collect();
    }
    match types.kinds(&kind) {
        Kinds::BOOLEAN => values::booleans(typing, None),
        _ => Vec::new(),
    }
}

/// JSON Pointers into the output.
fn pointers(
    typing: &Typing,
    program: &dyn Fn() -> Option<Tested>,
    steps: &[String],
) -> Vec<Completion> {
    const MOST: usize = 100;
    const DEEPEST: u32 = 4;
    let Some(types) = types(program, "output") else { return Vec::new() };
    let Found::Type(root) = follow(&types, steps) else { return Vec::new() };
    let mut open = vec![(String::new(), root, 0u32)];
    let mut found = Vec::new();
    while let Some((at, kind, depth)) = open.pop() {
        if found.len() >= MOST {
            break;
        }
        if !at.is_empty() && !typing.has(&at) {
            let rank = u32::try_from(found.len()).unwrap_or_default() + 100 * depth;
            let block = format!("{}: ${{1}}", print_flow_scalar(&at));
            let mut item = typing.entry(&at, &block, CompletionKind::Key, rank);
            item.detail = Some(types.summary(&kind));
            found.push(item);
        }
        if depth >= DEEPEST {
            continue;
        }
        let mut inner: Vec<_> = types
            .fields(&kind)
            .into_iter()
            .filter_map(|(name, field)| match field {
                Field::Declared { kind, .. } => Some((pointer::join(&at, &name), kind, depth + 1)),
                _ => None,
            })
            .collect();
        if types.kinds(&kind) == Kinds::LIST {
            inner.push((pointer::item(&at, 0), types.item(&kind, 0), depth + 1));
        }
        inner.reverse();
        open.extend(inner);
    }
    found
}
