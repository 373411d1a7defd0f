use super::flaws;
use crate::declare_rule;
use crate::format::markdownlang::suite::Subject;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A test file, a case, or what it expects has an unknown key. `agentmd test` refuses the file,
    /// because a misspelled expectation would never be compared. Keys that begin with `x-` are
    /// not reported.
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
    ///     expect: { contain: Ada }
    /// ````
    ///
    /// ````yaml good path=greet.test.yaml
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { contains: Ada }
    /// ````
    pub static RULE = "markdownlang/unknown-test-key", Error, "Unknown key in a test";
}

pub fn check(subject: &Subject, report: &mut Report) {
    flaws(&RULE, subject, report, |flaw, finding| {
        if let Some(meant) = flaw.meant {
            let edit = Edit::replace(finding.span.clone(), meant);
            finding.fix(Fix::suggestion(format!("Rename to `{meant}`"), vec![edit]));
        }
    });
}
