use super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The path of an import holds `..`. The specification allows it; the original program refuses
    /// it. This matters only to authors whose programs must run there too.
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
    pub static RULE = "compat/dotdot-import", Info, "An import that leaves the folder", off;
}

pub fn check(subject: &Subject, report: &mut Report) {
    for import in subject
        .imports
        .iter()
        .filter(|import| import.text.split(['/', '\\']).any(|part| part == ".."))
    {
        report.add(&RULE, import.span.clone(), "The original program refuses paths with `..`. Move the file below this folder if it must run there.");
    }
}
