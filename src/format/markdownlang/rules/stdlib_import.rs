use super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// `stdlib:` is reserved for a standard library that does not exist yet. A program that imports
    /// from it does not run.
    ///
    /// Import a program of your own instead.
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
    pub static RULE = "markdownlang/stdlib-import", Warning, "An import from the standard library that is to come";
}

use super::super::program::ImportKind;

pub fn check(subject: &Subject, report: &mut Report) {
    for import in subject.imports.iter().filter(|import| import.kind == ImportKind::Stdlib) {
        report.add(&RULE, import.span.clone(), "`stdlib:` is reserved and not implemented: this program will not run. Import a file instead.");
    }
}
