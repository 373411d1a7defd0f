use super::super::RuleContext;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::{Fix, Report};
use crate::template::check::{Problem, ProblemKind};
use crate::text::Edit;

declare_rule! {
    /// Inside `range` or `with`, a field is read from the element, and the input has a field with
    /// the same name.
    ///
    /// There, `.lang` is a field of the element, and `$.lang` one of the input. The schema doesn't say
    /// which fields the element has: declare them, or write `$.lang`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { lang: { type: string }, files: { type: array, items: { type: object } } }, required: [lang, files] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ range .files }}Translate to {{ .lang }}.{{ end }}{{ .lang }}
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { lang: { type: string }, files: { type: array, items: { type: object } } }, required: [lang, files] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ range .files }}Translate {{ . }} to {{ $.lang }}.{{ end }}
    /// ````
    pub static RULE = "markdownlang/shadowed-field", Hint, "Field of an element or of the input";
}

pub fn check(_: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let ProblemKind::MaybeRoot { name } = &problem.kind else { return };
    let span = unit.absolute(&problem.span);
    let message = format!("`.{name}` is a field of this element; did you mean `$.{name}`?");
    let dollar = Edit::insert(span.start - 1, "$");
    report
        .add(&RULE, span, message)
        .fix(Fix::suggestion(format!("Replace with `$.{name}`"), vec![dollar]));
}
