use super::Subject;
use super::subject::{describe, is_coerced};
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

pub fn check(subject: &Subject, report: &mut Report) {
    for entry in subject.server_entries().flatten() {
        let Some(value) = subject.anchors.follow(&entry.value) else { continue };
        match entry.key.as_str() {
            Some("args") => value
                .as_sequence()
                .into_iter()
                .flat_map(|sequence| &sequence.items)
                .for_each(|item| scalar(subject, item, report)),
            Some("env") => value
                .as_mapping()
                .into_iter()
                .flat_map(|mapping| &mapping.entries)
                .for_each(|entry| scalar(subject, &entry.value, report)),
            _ => {}
        }
    }
}

fn scalar(subject: &Subject, node: &Node, report: &mut Report) {
    if !is_coerced(node) {
        return;
    }
    let span = subject.absolute(&node.span);
    let finding = report.add(
        &RULE,
        span.clone(),
        format!("{} is passed as a string; quote it to keep it as written", describe(node)),
    );
    if node.tag.is_none() {
        finding.fix(Fix::safe(
            "Quote the value",
            vec![Edit::replace(span, yaml::quote(subject.text(&node.span)))],
        ));
    }
}
