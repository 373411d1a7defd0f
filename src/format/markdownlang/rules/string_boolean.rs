use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;
use crate::yaml::{Entry, Kind, Node, Style};

declare_rule! {
    /// YAML 1.2 reads `yes`, `no`, `on` and `off` as strings, not as booleans like YAML 1.1.
    ///
    /// The field expects a boolean, so the string has the wrong type. Write `true` or `false`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: cache
    ///     command: cache-server
    ///     disabled: yes
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
    /// mcp_servers:
    ///   - name: cache
    ///     command: cache-server
    ///     disabled: true
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/string-boolean", Warning, "`yes`, `no`, `on` or `off` instead of a boolean";
}

/// Keywords of JSON Schema whose value is a boolean or a schema.
const BOOLEANS: &[&str] = &[
    "uniqueItems",
    "deprecated",
    "readOnly",
    "writeOnly",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
];
/// Keywords whose value is of the type that the schema has.
const VALUES: &[&str] = &["default", "const"];

/// The boolean that YAML 1.1 reads the word as.
pub fn boolean(node: &Node) -> Option<&'static str> {
    let Kind::Scalar(scalar) = &node.kind else { return None };
    if scalar.style != Style::Plain {
        return None;
    }
    match scalar.text.to_ascii_lowercase().as_str() {
        "yes" | "on" | "y" => Some("true"),
        "no" | "off" | "n" => Some("false"),
        _ => None,
    }
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for entry in
        context.server_entries().flatten().filter(|entry| entry.key.as_str() == Some("disabled"))
    {
        test(context, entry, report);
    }
    for node in ["input", "output"].into_iter().filter_map(|key| context.value(key)) {
        visit(context, node, report);
    }
}

fn visit(context: &RuleContext, node: &Node, report: &mut Report) {
    match &node.kind {
        Kind::Sequence(sequence) => {
            sequence.items.iter().for_each(|item| visit(context, item, report))
        }
        Kind::Mapping(mapping) => {
            let boolean =
                mapping.get("type").is_some_and(|entry| entry.value.as_str() == Some("boolean"));
            for entry in &mapping.entries {
                let key = entry.key.as_str().unwrap_or_default();
                if BOOLEANS.contains(&key) || boolean && VALUES.contains(&key) {
                    test(context, entry, report);
                }
                visit(context, &entry.value, report);
            }
        }
        Kind::Scalar(_) | Kind::Alias(_) => {}
    }
}

fn test(context: &RuleContext, entry: &Entry, report: &mut Report) {
    let Some(meant) = boolean(&entry.value) else { return };
    let (span, text) = (context.absolute(&entry.value.span), context.text(&entry.value.span));
    let finding = report.add(
        &RULE,
        span.clone(),
        format!("`{text}` is a string in YAML 1.2; write `{meant}`"),
    );
    finding.fix(Fix::safe(format!("Replace with `{meant}`"), vec![Edit::replace(span, meant)]));
}
