use std::collections::HashMap;

use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::yaml::{self, Entry, Kind, Mapping, Node};

declare_rule! {
    /// A key appears twice in one mapping.
    ///
    /// YAML doesn't allow this. Some parsers reject the file; others silently use one of the two
    /// values, and not all the same one. Keep the one you want.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// description: Greets somebody
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets somebody
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/duplicate-key", Error, "Duplicate key";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    if let Some(root) = &context.tree().root {
        visit(context, root, report);
    }
}

fn visit(context: &RuleContext, node: &Node, report: &mut Report) {
    match &node.kind {
        Kind::Sequence(sequence) => {
            sequence.items.iter().for_each(|item| visit(context, item, report))
        }
        Kind::Mapping(mapping) => {
            compare(context, mapping, report);
            for entry in &mapping.entries {
                visit(context, &entry.value, report);
            }
        }
        Kind::Scalar(_) | Kind::Alias(_) => {}
    }
}

fn compare(context: &RuleContext, mapping: &Mapping, report: &mut Report) {
    let mut known: HashMap<&str, &Entry> = HashMap::new();
    for entry in &mapping.entries {
        let Some(key) = entry.key.as_str() else { continue };
        let Some(first) = known.get(key) else {
            known.insert(key, entry);
            continue;
        };
        let message = format!("duplicate key `{key}`; keep one of the two");
        let finding = report.add(&RULE, context.absolute(&entry.key.span), message);
        finding.relate(context.absolute(&first.key.span), format!("the first `{key}`"));
        let equal = context.text(&first.value.span) == context.text(&entry.value.span);
        let remove = context.edits(yaml::remove_entry(&context.yaml, entry));
        finding.fix(Fix { safe: equal, ..Fix::suggestion("Remove this one", remove) });
        finding.fix(Fix::suggestion(
            "Remove the first one",
            context.edits(yaml::remove_entry(&context.yaml, first)),
        ));
    }
}
