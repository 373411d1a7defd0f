use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// `stdlib:` is reserved for a standard library that doesn't exist yet. A program that imports
    /// from it doesn't run.
    ///
    /// Import your own program instead.
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
    /// imports:
    ///   - stdlib:json-parser
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
    pub static RULE = "markdownlang/stdlib-import", Warning, "Import from the future standard library";
}

use super::super::program::ImportKind;

pub fn check(context: &RuleContext, report: &mut Report) {
    for import in context.imports.iter().filter(|import| import.kind == ImportKind::Stdlib) {
        report.add(&RULE, import.span.clone(), MESSAGE);
    }
}

pub const MESSAGE: &str = "`stdlib:` is reserved but not implemented; import a file instead";
