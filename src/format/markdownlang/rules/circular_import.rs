use super::super::graph::{Graph, RINGS, Ring};
use super::super::program::Import;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};

declare_rule! {
    /// A program imports itself, directly or through others. Programs wait for those that they
    /// call, so a ring would never end, and agentmd doesn't run a program in one.
    ///
    /// Every import of the ring is reported, in every file of it; the finding lists the other
    /// imports in order. Remove one of them, or move the shared part to a separate program.
    ///
    /// ````markdown file=helper.md
    /// ---
    /// name: helper
    /// description: Helps
    /// input: { type: object, properties: { who: { type: string } } }
    /// output: { type: object, properties: { text: { type: string } } }
    /// imports: [./program.md]
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
    pub static RULE = "markdownlang/circular-import", Error, "Circular import";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some(path) = context.cx.path.filter(|_| !context.imports.is_empty()) else { return };
    // First update the graph with the files of the imports.
    context.imported();
    let Some(found) = Graph::of(context.cx.world).rings(
        context.cx.world,
        path,
        context.cx.source,
        context.cx.cancelled,
    ) else {
        return;
    };
    context.cx.world.note(path, &RINGS, found.id);
    for (index, ring) in &found.rings {
        let Some(import) = context.imports.get(*index) else { continue };
        let finding = report.add(&RULE, import.span.clone(), message(import, ring));
        for (number, step) in ring.steps.iter().enumerate().skip(1) {
            let last = number + 1 == ring.steps.len();
            let more = if last && ring.more > 0 {
                format!(", and {} more", ring.more)
            } else {
                String::new()
            };
            let closes = last && ring.more == 0 && ring.among.is_none();
            let message =
                if closes { "which imports this program again" } else { "which imports the next" };
            finding.relate_file(&step.path, step.span.clone(), format!("{message}{more}"));
        }
        if let Some(edits) = context.remove_import(import) {
            finding.fix(Fix::suggestion("Remove this import", edits));
        }
    }
}

/// The message about an import that belongs to a ring.
pub fn message(import: &Import, ring: &Ring) -> String {
    match (ring.among, ring.steps.len() + ring.more) {
        (Some(count), _) => format!(
            "Circular dependency detected: {count} programs import each other; remove an import of the ring"
        ),
        (None, 1) => "Circular dependency detected: this program imports itself; remove the import"
            .to_owned(),
        (None, 2) => format!(
            "Circular dependency detected: `{}` imports this program; remove one of the two imports",
            import.text
        ),
        (None, count) => format!(
            "Circular dependency detected: {count} imports lead back here; remove one of them"
        ),
    }
}
