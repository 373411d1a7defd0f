use std::collections::HashSet;

use super::super::program::Text;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// An imported program has the same name as this one.
    ///
    /// An imported program becomes a tool with the `name` in its front matter. A model that runs as
    /// `greet` and has a tool `greet` confuses the two, and so do metrics. Rename one of them.
    ///
    /// ````markdown file=helper.md
    /// ---
    /// name: greet
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
    /// imports:
    ///   - ./helper.md
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: welcome
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// imports:
    ///   - ./helper.md
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/name-collision", Warning, "Imported program has this program's name";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some(own) = context.name.as_ref().filter(|own| !own.text.is_empty()) else { return };
    let mut seen = HashSet::new();
    for imported in context
        .imported()
        .iter()
        .filter(|imported| !imported.is_self && seen.insert(&imported.identity))
    {
        let Some(Text { text: name, span: place }) =
            imported.header.name.as_ref().filter(|name| name.text == own.text)
        else {
            continue;
        };
        let written = &imported.import.text;
        let message =
            format!("`{written}` is also named `{name}`, like this program; rename one of them");
        report.add(&RULE, own.span.clone(), message).relate_file(
            &imported.path,
            place.clone(),
            "the name of the imported program",
        );
    }
}
