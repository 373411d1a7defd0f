use super::RuleContext;
use super::context::{describe, is_coerced};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;
use crate::yaml::{self, Node};

declare_rule! {
    /// YAML reads an argument or environment variable as a number or a boolean.
    ///
    /// It is passed as a string, but not always as written: `1.10` is the number 1.1, `0x1F` is 31.
    /// Quotes preserve the text.
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
    ///     args: [--port, 8080]
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
    ///     args: [--port, "8080"]
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/coerced-scalar", Hint, "Unquoted number or boolean";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for entry in context.server_entries().flatten() {
        let Some(value) = context.anchors.follow(&entry.value) else { continue };
        match entry.key.as_str() {
            Some("args") => value
                .as_sequence()
                .into_iter()
                .flat_map(|sequence| &sequence.items)
                .for_each(|item| scalar(context, item, report)),
            Some("env") => value
                .as_mapping()
                .into_iter()
                .flat_map(|mapping| &mapping.entries)
                .for_each(|entry| scalar(context, &entry.value, report)),
            _ => {}
        }
    }
}

fn scalar(context: &RuleContext, node: &Node, report: &mut Report) {
    if !is_coerced(node) {
        return;
    }
    let span = context.absolute(&node.span);
    let finding = report.add(
        &RULE,
        span.clone(),
        format!("{} is passed as a string; quote it to keep it as written", describe(node)),
    );
    if node.tag.is_none() {
        finding.fix(Fix::safe(
            "Quote the value",
            vec![Edit::replace(span, yaml::quote(context.text(&node.span)))],
        ));
    }
}
