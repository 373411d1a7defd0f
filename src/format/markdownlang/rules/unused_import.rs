use std::collections::HashSet;
use std::sync::Arc;

use super::super::imported::Imported;
use super::super::mention;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};

declare_rule! {
    /// The body mentions other imported programs, but not this one.
    ///
    /// Mentioning imported programs tells the model when to use which. One that is never mentioned
    /// is rarely called, although its description and schema are part of every request. Say in the
    /// body when to use it, or remove the import.
    ///
    /// A body that mentions none of its imports leaves the choice to the model, so nothing is
    /// reported. `code-review`, `code_review` and `code review` count as the same name, regardless
    /// of case and surrounding marks.
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
    ///   - ./tools/analyzer.md
    /// ---
    ///
    /// Greet {{ .who }} with the words that `helper` gives.
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
    /// Greet {{ .who }} with the words that `helper` gives.
    /// ````
    pub static RULE = "markdownlang/unused-import", Hint, "Unused import";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let named = |imported: &&Imported| {
        !imported.is_self && imported.header.name.as_ref().is_some_and(|name| !name.text.is_empty())
    };
    let imported: Vec<&Imported> = context.imported().iter().filter(named).collect();
    if imported.is_empty() {
        return;
    }
    let mentioned = mentioned(context, &imported);
    if mentioned.is_empty() || mentioned.len() == imported.len() {
        return;
    }
    for (_, imported) in imported.iter().enumerate().filter(|(index, _)| !mentioned.contains(index))
    {
        let name = imported.header.name.as_ref().map_or("", |name| name.text.as_str());
        let message =
            format!("the body never mentions `{name}`; say when to use it, or remove the import");
        let finding = report.add(&RULE, imported.import.span.clone(), message);
        finding.unnecessary();
        if let Some(edits) = context.remove_import(imported.import) {
            finding.fix(Fix::suggestion("Remove this import", edits));
        }
    }
}

/// The indices of the imported programs that the body mentions, in any spelling that prose uses for
/// a name.
fn mentioned(context: &RuleContext, imported: &[&Imported]) -> HashSet<usize> {
    let forms = imported.iter().enumerate().flat_map(|(index, imported)| {
        let name = imported.header.name.as_ref().map_or("", |name| name.text.as_str());
        let with = |mark: &str| name.replace(['-', '_'], mark);
        let mut forms = vec![name.to_owned(), with("-"), with("_"), with(" "), with("\\_")];
        forms.sort_unstable();
        forms.dedup();
        forms.into_iter().map(move |form| (index, form))
    });
    let (indices, names): (Vec<usize>, Vec<String>) = forms.unzip();
    let found = mention::names(context.cx.source, &Arc::from(names));
    found.into_iter().filter_map(|(form, _)| indices.get(form).copied()).collect()
}
