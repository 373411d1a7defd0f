use super::super::field::{FIELDS, Holds, Key, SERVER_FIELDS, find};
use super::RuleContext;
use super::context::{describe, is_coerced, is_null};
use super::string_boolean::boolean;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::schema::Type;
use crate::text::Edit;
use crate::yaml::{self, Entry, Kind, Mapping, Node, ScalarType};

declare_rule! {
    /// The value of a field has the wrong type: a single path instead of a list, a list instead of
    /// a mapping, a number instead of a string.
    ///
    /// ````markdown file=helper.md
    /// ---
    /// name: helper
    /// description: Helps
    /// input: { type: object, properties: { who: { type: string } } }
    /// output: { type: object, properties: { text: { type: string } } }
    /// ---
    ///
    /// Help {{ .who }}.
    /// ````
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// imports: ./helper.md
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// imports:
    ///   - ./helper.md
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/wrong-type", Error, "Wrong type";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some(root) = &context.tree().root else { return };
    if root.as_mapping().is_none() {
        if context.tree().errors.is_empty() {
            report.add(
                &RULE,
                context.absolute(&root.span),
                format!("front matter must be a mapping of fields, but this is {}", describe(root)),
            );
        }
        return;
    }
    // Other rules report the settings of the model and the tests; a sample may be any value.
    let elsewhere = |holds| matches!(holds, Holds::Config | Holds::Cases | Holds::Anything);
    for key in FIELDS.iter().filter(|key| !elsewhere(key.holds)) {
        if let Some(entry) = context.entry(key.name) {
            value(context, key, entry, report);
        }
    }
    for entry in context.server_entries().flatten() {
        if let Some(key) = entry.key.as_str().and_then(|name| find(SERVER_FIELDS, name)) {
            value(context, key, entry, report);
        }
    }
}

fn value(context: &RuleContext, key: &Key, entry: &Entry, report: &mut Report) {
    let Some(node) = context.anchors.follow(&entry.value) else { return };
    // `missing-field` reports empty values.
    if is_null(node) {
        return;
    }
    let scalar = yaml::scalar_type(node);
    let fits = match (key.holds, &node.kind) {
        (Holds::Text | Holds::OneOf(_), Kind::Scalar(_)) => scalar == ScalarType::Str,
        (Holds::Schema, Kind::Scalar(_)) => matches!(scalar, ScalarType::Bool(_)),
        (Holds::Flag, Kind::Scalar(_)) => {
            matches!(scalar, ScalarType::Bool(_)) || boolean(node).is_some()
        }
        (Holds::Number { .. } | Holds::Integer { .. }, Kind::Scalar(_)) => {
            let number = yaml::to_json(node, &context.anchors).value.as_f64();
            number.is_some_and(|number| key.holds.allows_number(number))
        }
        (Holds::Schema | Holds::TextMap, Kind::Mapping(_)) => true,
        (Holds::Imports | Holds::Servers | Holds::TextList, Kind::Sequence(_)) => true,
        _ => false,
    };
    if fits {
        return items(context, key, node, report);
    }
    let range = key.holds.range().map(|range| format!(" {range}")).unwrap_or_default();
    let message = format!(
        "`{}` must be {}{range}, but this is {}",
        key.name,
        key.holds.expected(),
        describe(node)
    );
    let span = context.absolute(&entry.value.span);
    let finding = report.add(&RULE, span.clone(), message);
    if !std::ptr::eq(node, &raw const entry.value) || node.tag.is_some() {
        return;
    }
    match (key.holds, &node.kind) {
        (Holds::Text, Kind::Scalar(_)) => {
            finding.fix(Fix::safe(
                "Quote the value",
                vec![Edit::replace(span, yaml::quote(context.text(&node.span)))],
            ));
        }
        (Holds::Schema, Kind::Scalar(scalar)) if Type::named(&scalar.text).is_some() => {
            let schema = format!("{{ type: {} }}", scalar.text);
            finding.fix(Fix::suggestion(
                format!("Write `{schema}`"),
                vec![Edit::replace(span, schema)],
            ));
        }
        (Holds::Imports, Kind::Scalar(scalar)) => {
            finding.fix(Fix::safe(
                "Make it a list",
                vec![Edit::replace(span, format!("[{}]", yaml::print_flow_scalar(&scalar.text)))],
            ));
        }
        (Holds::TextList, Kind::Scalar(scalar)) => {
            let words: Vec<String> =
                scalar.text.split_whitespace().map(yaml::print_flow_scalar).collect();
            let title = if words.len() > 1 { "Split into a list" } else { "Make it a list" };
            finding.fix(Fix::suggestion(
                title,
                vec![Edit::replace(span, format!("[{}]", words.join(", ")))],
            ));
        }
        (Holds::TextMap, Kind::Sequence(sequence)) => {
            let pairs: Option<Vec<(&str, &str)>> =
                sequence.items.iter().map(|item| item.as_str()?.split_once('=')).collect();
            if let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) {
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(name, value)| {
                        format!(
                            "{}: {}",
                            yaml::print_flow_scalar(name),
                            yaml::print_flow_scalar(value)
                        )
                    })
                    .collect();
                let text = format!("{{ {} }}", pairs.join(", "));
                let text = if sequence.flow { text } else { format!(" {text}") };
                let start = if sequence.flow { node.span.start } else { context.colon_end(entry) };
                finding.fix(Fix::suggestion(
                    "Make it a mapping",
                    context.edits(vec![Edit::replace(start..node.span.end, text)]),
                ));
            }
        }
        (Holds::Flag, Kind::Scalar(scalar)) => {
            let meant = match scalar.text.to_ascii_lowercase().as_str() {
                "true" | "1" => "true",
                "false" | "0" => "false",
                _ => return,
            };
            finding.fix(Fix::safe(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(span, meant)],
            ));
        }
        (Holds::Servers, Kind::Mapping(mapping)) => {
            if let Some(edits) = as_list(context, node, mapping) {
                finding.fix(Fix::suggestion("Make it a list", context.edits(edits)));
            }
        }
        _ => {}
    }
}

/// A list for servers written as a mapping by name, or for a single one.
fn as_list(context: &RuleContext, node: &Node, mapping: &Mapping) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    if mapping
        .get("command")
        .or(mapping.get("url"))
        .is_some_and(|entry| entry.value.as_mapping().is_none())
    {
        if mapping.flow {
            edits.extend([Edit::insert(node.span.start, "["), Edit::insert(node.span.end, "]")]);
        } else {
            edits.push(Edit::insert(node.span.start, "- "));
            let text = context.text(&node.span);
            let breaks = text.match_indices('\n').map(|(at, _)| node.span.start + at + 1);
            edits.extend(breaks.map(|at| Edit::insert(at, "  ")));
        }
    } else {
        for entry in &mapping.entries {
            let (name, value) =
                (yaml::print_flow_scalar(entry.key.as_str()?), entry.value.as_mapping()?);
            let dash = if mapping.flow { "" } else { "- " };
            let edit = match (mapping.flow, value.flow) {
                (_, true) if value.entries.is_empty() => return None,
                (_, true) => Edit::replace(
                    entry.key.span.start..entry.value.span.start + 1,
                    format!("{dash}{{ name: {name},"),
                ),
                (false, false) => Edit::replace(
                    entry.key.span.start..context.colon_end(entry),
                    format!("- name: {name}"),
                ),
                (true, false) => return None,
            };
            edits.push(edit);
        }
        if mapping.flow {
            edits.push(Edit::replace(node.span.start..node.span.start + 1, "["));
            edits.push(Edit::replace(node.span.end.saturating_sub(1)..node.span.end, "]"));
        }
    }
    let mended = crate::text::apply(&context.yaml, &edits).ok()?;
    (!edits.is_empty() && yaml::parse(&mended).errors.len() <= context.tree().errors.len())
        .then_some(edits)
}

/// The items of a list and the values of a mapping of the right type.
fn items(context: &RuleContext, key: &Key, node: &Node, report: &mut Report) {
    let (values, expected): (Vec<&Node>, _) = match (key.holds, &node.kind) {
        (Holds::Imports | Holds::TextList, Kind::Sequence(sequence)) => {
            (sequence.items.iter().collect(), "a string")
        }
        (Holds::Servers, Kind::Sequence(sequence)) => {
            (sequence.items.iter().collect(), "a mapping with a `name`")
        }
        (Holds::TextMap, Kind::Mapping(mapping)) => (
            mapping
                .entries
                .iter()
                .filter(|entry| !yaml::resolve::is_merge(entry))
                .map(|entry| &entry.value)
                .collect(),
            "a string",
        ),
        _ => return,
    };
    for value in values {
        let Some(target) = context.anchors.follow(value) else { continue };
        let fits = match (key.holds, &target.kind) {
            (Holds::Servers, Kind::Mapping(_)) => true,
            // `coerced-scalar` reports numbers, which become strings.
            (Holds::TextList | Holds::TextMap, Kind::Scalar(_)) => {
                !is_null(target) || key.holds == Holds::TextMap
            }
            (Holds::Imports, Kind::Scalar(scalar)) => {
                yaml::scalar_type(target) == ScalarType::Str && !scalar.text.trim().is_empty()
            }
            _ => false,
        };
        if fits {
            continue;
        }
        let what = describe(target);
        let what = if target.as_str() == Some("") { "empty".to_owned() } else { what };
        let span =
            if value.span.is_empty() { context.item_mark(value) } else { value.span.clone() };
        let finding = report.add(
            &RULE,
            context.absolute(&span),
            format!("each item of `{}` must be {expected}, but this is {what}", key.name),
        );
        if is_coerced(target) && key.holds == Holds::Imports && value.tag.is_none() {
            finding.fix(Fix::safe(
                "Quote the value",
                vec![Edit::replace(context.absolute(&span), yaml::quote(context.text(&span)))],
            ));
        } else if is_null(target) || target.as_str() == Some("") {
            finding.fix(Fix::suggestion(
                "Remove the item",
                context.edits(yaml::remove_item(&context.yaml, value)),
            ));
        }
    }
}
