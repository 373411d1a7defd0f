use super::super::interface::interface;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Report, Severity};
use crate::world::ReadError;

declare_rule! {
    /// The imported file cannot be called: it is no program, it cannot be read, or it has an error
    /// of its own. A program that imports it does not run.
    ///
    /// What is said is the first error of the file by itself; its place is named too. What the file
    /// imports in its turn is not looked at here: errors there are reported in that file.
    ///
    /// ````markdown file=helper.md
    /// ---
    /// name: helper
    /// description: Helps
    /// input: { type: object, properties: { who: { type: strin } } }
    /// output: { type: object, properties: { text: { type: string } } }
    /// ---
    ///
    /// Help {{ .who }}.
    /// ````
    ///
    /// ````markdown file=other.md
    /// ---
    /// name: other
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
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// imports:
    ///   - ./other.md
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/invalid-import", Error, "An imported file that is no program, or does not work";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for imported in subject.imported().iter().filter(|imported| !imported.is_self) {
        let (text, span) = (&imported.import.text, imported.import.span.clone());
        let source = match &imported.source {
            Ok(source) => source,
            // It exists, and more is not to be known.
            Err(ReadError::Outside) => continue,
            Err(error) => {
                report.add(&RULE, span, format!("`{text}` {error}, so it cannot be called."));
                continue;
            }
        };
        if !imported.is_program {
            let message = format!(
                "`{text}` is no program: a program begins with front matter that has a `name`, a `description`, `input` and `output`. Import one, or make it one."
            );
            report.add(&RULE, span, message).relate_file(
                &imported.path,
                source.line_span(0),
                "the file begins here",
            );
            continue;
        }
        let interface = interface(source);
        let errors = interface.get().map(|interface| &interface.errors).into_iter().flatten();
        let counts = |severity: Option<Severity>| severity == Some(Severity::Error);
        let first = errors
            .into_iter()
            .find(|flaw| counts(subject.cx.config.severity(flaw.rule, Some(&imported.path))));
        if let Some(flaw) = first {
            let finding = report.add(
                &RULE,
                span,
                format!("`{text}` has an error, so it cannot be called: {}", flaw.message),
            );
            finding.relate_file(
                &imported.path,
                flaw.span.clone(),
                format!("here ({})", flaw.rule.code),
            );
        }
    }
}
