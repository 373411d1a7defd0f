//! Changes to a schema, as edits of its YAML.

use serde_json::Value;

use super::RuleContext;
use crate::schema::{Change, pointer};
use crate::text::{Edit, apply};
use crate::yaml::{self, Entry, Kind, Node};

/// The edits that make all changes, if the result is YAML with no more mistakes than before.
pub fn edits(context: &RuleContext, field: &str, changes: &[Change]) -> Option<Vec<Edit>> {
    let entry = context.program.header.entry(field)?;
    let writer = Writer { context, field, entry };
    let mut edits = Vec::new();
    for change in changes {
        let made = writer.change(change)?;
        if made.is_empty() {
            return None;
        }
        edits.extend(made);
    }
    if edits.is_empty() {
        return None;
    }
    // Parsing takes as long as for the whole front matter, and a body may suggest hundreds.
    if context.tree().errors.is_empty() && changes.iter().all(|change| writer.is_harmless(change)) {
        return Some(edits);
    }
    let mended = apply(&context.yaml, &edits).ok()?;
    (yaml::parse(&mended).errors.len() <= context.tree().errors.len()).then_some(edits)
}

struct Writer<'a, 'b> {
    context: &'b RuleContext<'a>,
    field: &'b str,
    entry: &'a Entry,
}

impl<'a> Writer<'a, '_> {
    fn change(&self, change: &Change) -> Option<Vec<Edit>> {
        match change {
            Change::Replace { pointer, value } => {
                let node = self.node(pointer)?;
                let text = match value {
                    Value::String(text) if node.as_str().is_some() => {
                        self.context.print(&self.context.absolute(&node.span), text)
                    }
                    _ => print(value),
                };
                if let Some(entry) = self.owner(pointer) {
                    return Some(self.replace(entry, &text));
                }
                let siblings = pointer::split_last(pointer)
                    .and_then(|(list, _)| self.node(list)?.as_sequence());
                // A name already in the list would appear twice.
                if siblings.is_some_and(|list| {
                    list.items
                        .iter()
                        .any(|item| value.is_string() && item.as_str() == value.as_str())
                }) {
                    return None;
                }
                Some(vec![Edit::replace(node.span.clone(), text)])
            }
            Change::Rename { pointer, name } => Some(vec![Edit::replace(
                self.owner(pointer)?.key.span.clone(),
                yaml::print_flow_scalar(name),
            )]),
            Change::Remove { pointer } => match self.owner(pointer) {
                Some(entry) => Some(yaml::remove_entry(&self.context.yaml, entry)),
                None => Some(yaml::remove_item(&self.context.yaml, self.item(pointer)?)),
            },
            Change::Insert { pointer, key, value } => self
                .is_own(&pointer::join(pointer, key))
                .then(|| self.insert(pointer, key, &print(value))),
            Change::Require { pointer, name } => self
                .is_own(&pointer::join(pointer, "required"))
                .then(|| self.require(pointer, name))
                .flatten(),
        }
    }

    /// Whether valid YAML certainly stays valid: a name is added after a scalar in brackets.
    fn is_harmless(&self, change: &Change) -> bool {
        let Change::Require { pointer, .. } = change else { return false };
        let list = self.node(&format!("{pointer}/required")).and_then(Node::as_sequence);
        let last = list.filter(|list| list.flow).and_then(|list| list.items.last());
        last.is_some_and(|last| matches!(last.kind, Kind::Scalar(_)) && !last.is_absent())
    }

    /// Whether a change at a pointer only changes the schema there: no alias leads to it, and it
    /// hides nothing that is merged.
    fn is_own(&self, pointer: &str) -> bool {
        let anchors = &self.context.anchors;
        let is_shared = |node: &Node| match &node.kind {
            Kind::Alias(_) => true,
            _ => node.anchor.as_ref().is_some_and(|(name, _)| self.is_used(name)),
        };
        let root = self.context.tree().root.as_ref();
        let is_written = root
            .and_then(Node::as_mapping)
            .is_some_and(|root| root.entries.iter().any(|entry| std::ptr::eq(entry, self.entry)));
        let mut node = &self.entry.value;
        if !is_written || is_shared(node) {
            return false;
        }
        for step in pointer::to_path(pointer) {
            let next = match &node.kind {
                Kind::Mapping(mapping) => match mapping.get(&step) {
                    Some(entry) => Some(&entry.value),
                    None if crate::format::markdownlang::read::entries(mapping, anchors)
                        .iter()
                        .any(|entry| entry.key.as_str() == Some(&step)) =>
                    {
                        return false;
                    }
                    None => None,
                },
                Kind::Sequence(sequence) => {
                    step.parse::<usize>().ok().and_then(|index| sequence.items.get(index))
                }
                _ => None,
            };
            match next {
                Some(next) if is_shared(next) => return false,
                Some(next) => node = next,
                None => break,
            }
        }
        true
    }

    /// Whether an alias refers to an anchor of this name.
    fn is_used(&self, name: &str) -> bool {
        self.context
            .yaml
            .match_indices(name)
            .any(|(at, _)| self.context.yaml.get(..at).is_some_and(|before| before.ends_with('*')))
    }

    /// The node at a pointer, following aliases.
    fn node(&self, pointer: &str) -> Option<&'a Node> {
        yaml::locate(&self.entry.value, pointer, &self.context.anchors).map(|target| target.node)
    }

    /// The entry whose value is at a pointer.
    fn owner(&self, pointer: &str) -> Option<&'a Entry> {
        let Some((parent, key)) = pointer::split_last(pointer) else { return Some(self.entry) };
        self.node(parent)?.as_mapping()?.get(&key)
    }

    fn item(&self, pointer: &str) -> Option<&'a Node> {
        let (parent, index) = pointer::split_last(pointer)?;
        self.node(parent)?.as_sequence()?.items.get(index.parse::<usize>().ok()?)
    }

    /// A block value begins below its key, so its replacement begins after the colon.
    fn replace(&self, entry: &Entry, text: &str) -> Vec<Edit> {
        let colon = self.context.colon_end(entry);
        let between = self.context.text(&(colon..entry.value.span.start.max(colon)));
        match between.contains(['\n', '\r']) && !between.contains('#') {
            true => vec![Edit::replace(colon..entry.value.span.end, format!(" {text}"))],
            false => yaml::replace_value(entry, text),
        }
    }

    fn insert(&self, pointer: &str, key: &str, value: &str) -> Vec<Edit> {
        let segments = pointer::to_path(pointer);
        let path: Vec<&str> =
            std::iter::once(self.field).chain(segments.iter().map(String::as_str)).collect();
        yaml::insert_entry(&self.context.yaml, self.context.tree(), &path, key, value, None)
    }

    fn require(&self, pointer: &str, name: &str) -> Option<Vec<Edit>> {
        let name = yaml::print_flow_scalar(name);
        let Some(list) = self.node(&format!("{pointer}/required")) else {
            return Some(self.insert(pointer, "required", &format!("[{name}]")));
        };
        let Kind::Sequence(sequence) = &list.kind else { return None };
        let last = sequence.items.last();
        let edit = match (last, sequence.flow) {
            (None, _) => Edit::replace(list.span.clone(), format!("[{name}]")),
            (Some(last), true) => Edit::insert(last.span.end, format!(", {name}")),
            (Some(last), false) => {
                let dash = self.context.item_mark(last).start;
                Edit::insert(last.span.end, format!("{}- {name}", self.context.separator(dash)))
            }
        };
        Some(vec![edit])
    }
}

/// A value in flow style.
fn print(value: &Value) -> String {
    match value {
        Value::String(text) => yaml::print_flow_scalar(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(print).collect::<Vec<_>>().join(", "))
        }
        Value::Object(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", yaml::print_flow_scalar(key), print(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
        other => other.to_string(),
    }
}
