use std::collections::{HashMap, HashSet};

use super::super::imported::Imported;
use super::super::mention::PYTHON;
use super::super::program::Text;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// Two imported programs have the same name, or an imported program is named `python`.
    ///
    /// An imported program becomes a tool with the `name` in its front matter, and every program
    /// has a tool `python`, so a call could only reach one of the two. Rename one of them.
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
    /// ````markdown file=tools/helper.md
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
    /// ````markdown file=tools/analyzer.md
    /// ---
    /// name: analyzer
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
    ///   - ./tools/helper.md
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
    ///   - ./tools/analyzer.md
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/tool-name-collision", Error, "Duplicate tool name";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let mut files = HashSet::new();
    let mut names: HashMap<&str, &Imported> = HashMap::new();
    for imported in context
        .imported()
        .iter()
        .filter(|imported| !imported.is_self && files.insert(&imported.identity))
    {
        let Some(Text { text: name, span: place }) =
            imported.header.name.as_ref().filter(|name| !name.text.is_empty())
        else {
            continue;
        };
        let (written, span) = (&imported.import.text, imported.import.span.clone());
        if name == PYTHON {
            let message =
                format!("`{written}` is named `{name}`, like the built-in interpreter; rename it");
            report.add(&RULE, span, message).relate_file(&imported.path, place.clone(), "its name");
        } else if let Some(first) = names.get(name.as_str()) {
            let message = format!(
                "`{written}` and `{}` are both named `{name}`; rename one of them",
                first.import.text
            );
            let finding = report.add(&RULE, span, message);
            finding.relate(first.import.span.clone(), "the other import").relate_file(
                &imported.path,
                place.clone(),
                "the name of this one",
            );
        } else {
            names.insert(name, imported);
        }
    }
}
