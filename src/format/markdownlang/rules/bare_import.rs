use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;
use crate::world;

declare_rule! {
    /// An import doesn't start with `./`, `../`, `/` or `stdlib:`. `helper.md` alone isn't a valid
    /// path.
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
    pub static RULE = "markdownlang/bare-import", Error, "Import without `./`";
}

use super::super::program::ImportKind;

pub fn check(context: &RuleContext, report: &mut Report) {
    for import in context
        .imports
        .iter()
        .filter(|import| import.kind == ImportKind::Bare && !import.text.trim().is_empty())
    {
        let text = &import.text;
        if let Some((scheme, _)) = text.split_once("://") {
            report.add(
                &RULE,
                import.span.clone(),
                format!("imports must be files, not `{scheme}` URLs; write a path"),
            );
            continue;
        }
        if text.starts_with('~') {
            report.add(
                &RULE,
                import.span.clone(),
                "`~` is not expanded; write the path relative to this file, or from `/`",
            );
            continue;
        }
        let path = text.trim().replace('\\', "/");
        let path =
            if ImportKind::of(&path) == ImportKind::Bare { format!("./{path}") } else { path };
        // The slash of `./name` is missing.
        let slash = text.trim().strip_prefix('.').map(|name| format!("./{name}"));
        let exists = |path: &String| {
            let from = context.cx.path?;
            context.cx.world.kind(&world::resolve(from, path))
        };
        let path = slash
            .filter(|meant| exists(meant).is_some() && exists(&path).is_none())
            .unwrap_or(path);
        let message = format!("imports must start with `./` or `../`: write `{path}`");
        let finding = report.add(&RULE, import.span.clone(), message);
        let there = context
            .cx
            .path
            .is_none_or(|from| context.cx.world.kind(&world::resolve(from, &path)).is_some());
        let edits = vec![Edit::replace(import.span.clone(), context.print(&import.span, &path))];
        finding
            .fix(Fix { safe: there, ..Fix::suggestion(format!("Replace with `{path}`"), edits) });
    }
}
