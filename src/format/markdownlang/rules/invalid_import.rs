use super::super::interface::interface;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Report, Severity};
use crate::world::ReadError;

declare_rule! {
    /// The imported file can't be called: it isn't a program, it can't be read, or it has an error.
    /// A program that imports it doesn't run.
    ///
    /// The message quotes the first error in the file and names its location. The file's own
    /// imports are not checked here; errors in them are reported in that file.
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
    pub static RULE = "markdownlang/invalid-import", Error, "Imported file is not a valid program";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for imported in context.imported().iter().filter(|imported| !imported.is_self) {
        let (text, span) = (&imported.import.text, imported.import.span.clone());
        let source = match &imported.source {
            Ok(source) => source,
            // It exists, but nothing more can be known.
            Err(ReadError::Outside) => continue,
            Err(error) => {
                report.add(&RULE, span, format!("`{text}` {error}, so it cannot be called"));
                continue;
            }
        };
        if !imported.is_program {
            let message = format!(
                "`{text}` is not a program: it needs front matter with `name`, `description`, `input` and `output`"
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
            .find(|flaw| counts(context.cx.config.severity(flaw.rule, Some(&imported.path))));
        if let Some(flaw) = first {
            let finding = report.add(
                &RULE,
                span,
                format!("`{text}` has an error and cannot be called: {}", flaw.message),
            );
            finding.relate_file(
                &imported.path,
                flaw.span.clone(),
                format!("here ({})", flaw.rule.code),
            );
        }
    }
}
