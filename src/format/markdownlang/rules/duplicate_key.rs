use std::collections::HashMap;

use super::RuleContext;
use crate::declare_rule;
use crate::format::front_matter::{shift, shifted};
use crate::rule::{Fix, Report};
use crate::text::Span;
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
        report_tree(root, &context.yaml, context.offset(), report);
    }
}

/// Reports the duplicates in YAML that begins at `offset` of the document.
pub(super) fn report_tree(root: &Node, text: &str, offset: usize, report: &mut Report) {
    Finder { text, offset }.visit(root, report);
}

struct Finder<'a> {
    text: &'a str,
    offset: usize,
}

impl Finder<'_> {
    fn visit(&self, node: &Node, report: &mut Report) {
        match &node.kind {
            Kind::Sequence(sequence) => {
                sequence.items.iter().for_each(|item| self.visit(item, report))
            }
            Kind::Mapping(mapping) => {
                self.compare(mapping, report);
                for entry in &mapping.entries {
                    self.visit(&entry.value, report);
                }
            }
            Kind::Scalar(_) | Kind::Alias(_) => {}
        }
    }

    fn compare(&self, mapping: &Mapping, report: &mut Report) {
        let absolute = |span: &Span| shift(span, self.offset);
        let mut known: HashMap<&str, &Entry> = HashMap::new();
        for entry in &mapping.entries {
            let Some(key) = entry.key.as_str() else { continue };
            let Some(first) = known.get(key) else {
                known.insert(key, entry);
                continue;
            };
            let message = format!("duplicate key `{key}`; keep one of the two");
            let finding = report.add(&RULE, absolute(&entry.key.span), message);
            finding.relate(absolute(&first.key.span), format!("the first `{key}`"));
            let value = |entry: &Entry| self.text.get(entry.value.span.clone());
            let equal = value(first) == value(entry);
            let remove = shifted(yaml::remove_entry(self.text, entry), self.offset);
            finding.fix(Fix { safe: equal, ..Fix::suggestion("Remove this one", remove) });
            let remove = shifted(yaml::remove_entry(self.text, first), self.offset);
            finding.fix(Fix::suggestion("Remove the first one", remove));
        }
    }
}
