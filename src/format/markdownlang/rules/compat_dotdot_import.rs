use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The path of an import contains `..`. The specification allows it, but the reference
    /// implementation rejects it. This only matters if the program must run there too.
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
    /// ````markdown file=../tools/helper.md
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
    ///   - ../tools/helper.md
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
    pub static RULE = "compat/dotdot-import", Info, "Import outside the folder", off;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for import in context
        .imports
        .iter()
        .filter(|import| import.text.split(['/', '\\']).any(|part| part == ".."))
    {
        report.add(
            &RULE,
            import.span.clone(),
            "the reference implementation rejects paths with `..`; move the file below this folder",
        );
    }
}
