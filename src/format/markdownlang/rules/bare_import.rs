use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// An import is a path that begins with `./`, `../` or `/`, or `stdlib:` and a name. `helper.md` alone is none of them.
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
    ///   - helper.md
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
    pub static RULE = "markdownlang/bare-import", Error, "An import without `./`";
}

use super::super::program::ImportKind;

pub fn check(subject: &Subject, report: &mut Report) {
    for import in subject.imports.iter().filter(|import| import.kind == ImportKind::Bare && !import.text.trim().is_empty()) {
        let text = &import.text;
        if let Some((scheme, _)) = text.split_once("://") {
            report.add(&RULE, import.span.clone(), format!("Programs are imported from files, not over `{scheme}`. Write the path of a file."));
            continue;
        }
        let path = format!("./{}", text.trim().replace('\\', "/"));
        let finding = report.add(&RULE, import.span.clone(), format!("`{text}` is no path. Write `{path}` for a file in the folder of this one."));
        finding.fix(Fix::safe(format!("Replace with `{path}`"), vec![Edit::replace(import.span.clone(), crate::yaml::print_flow_scalar(&path))]));
    }
}
