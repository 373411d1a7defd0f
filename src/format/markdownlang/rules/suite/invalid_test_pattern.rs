use super::flaws;
use crate::declare_rule;
use crate::format::markdownlang::suite::Subject;
use crate::rule::Report;

declare_rule! {
    /// `matches` is not a regular expression that agentmd can compile. The
    /// [syntax](https://docs.rs/regex/latest/regex/#syntax) has no look-around and no
    /// backreferences. `agentmd test` refuses the file.
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
    ///     expect: { matches: "(hello|hi" }
    /// ````
    ///
    /// ````yaml good path=greet.test.yaml
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { matches: "(?i)(hello|hi)" }
    /// ````
    pub static RULE = "markdownlang/invalid-test-pattern", Error, "Invalid regular expression in a test";
}

pub fn check(subject: &Subject, report: &mut Report) {
    flaws(&RULE, subject, report, |_, _| {});
}
