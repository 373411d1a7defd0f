use super::flaws;
use crate::declare_rule;
use crate::format::markdownlang::suite::Subject;
use crate::rule::Report;

declare_rule! {
    /// A test can't be read: a value has the wrong type, `name`, `expect` or `cases` is missing, two
    /// cases have the same name, or an expectation is not a valid JSON Pointer or JSON Schema.
    /// `agentmd test` refuses the file.
    ///
    /// ````markdown file=greet.md
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````yaml bad path=greet.test.yaml
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { at: { text: Hello Ada } }
    /// ````
    ///
    /// ````yaml good path=greet.test.yaml
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { at: { /text: Hello Ada } }
    /// ````
    pub static RULE = "markdownlang/invalid-test", Error, "Invalid test";
}

pub fn check(subject: &Subject, report: &mut Report) {
    flaws(&RULE, subject, report, |_, _| {});
}
