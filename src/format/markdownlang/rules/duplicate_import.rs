use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Span;

declare_rule! {
    /// The same program is imported twice, perhaps under two names: `./helper.md` and
    /// `./tools/../helper.md`, or a symlink to it. The second import has no effect.
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
    ///   - ./helper.md
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
    ///   - ./helper.md
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/duplicate-import", Warning, "Duplicate import";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let from = context.cx.path.unwrap_or(Path::new(""));
    let mut known: HashMap<PathBuf, &Span> = HashMap::new();
    for import in &context.imports {
        let target = import
            .path(from)
            .map_or_else(|| import.text.clone().into(), |path| context.cx.world.identity(&path));
        let Some(first) = known.get(&target).copied() else {
            known.insert(target, &import.span);
            continue;
        };
        let finding = report.add(
            &RULE,
            import.span.clone(),
            format!("`{}` is already imported; remove one of the two", import.text),
        );
        finding.unnecessary().relate(first.clone(), "the first import");
        if let Some(edits) = context.remove_import(import) {
            finding.fix(Fix::safe("Remove this import", edits));
        }
    }
}
