use super::super::graph::Graph;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::world::Aspect;

declare_rule! {
    /// A program imports itself: at once, or by way of others. Programs wait for those that they
    /// call, so a ring would never end, and a program that is part of one does not run at all.
    ///
    /// Every import of the ring is reported, in every file of it; the other imports are named in
    /// their order. Take one of them away: the program that is called last has to do without, or
    /// what both need moves to a program of its own.
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
    pub static RULE = "markdownlang/circular-import", Error, "Programs that import each other in a ring";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let Some(path) = subject.cx.path.filter(|_| !subject.imports.is_empty()) else { return };
    // What is imported is compared with the graph first.
    subject.imported();
    let Some(found) = Graph::of(subject.cx.world).rings(
        subject.cx.world,
        path,
        subject.cx.source,
        subject.cx.cancelled,
    ) else {
        return;
    };
    subject.cx.world.note(path, Aspect::Rings, found.id);
    for (index, ring) in &found.rings {
        let Some(import) = subject.imports.get(*index) else { continue };
        let message = match (ring.among, ring.steps.len() + ring.more) {
            (Some(count), _) => {
                format!(
                    "Circular dependency detected: this import leads back here; {count} programs import each other. Take away what closes the ring."
                )
            }
            (None, 1) => {
                "Circular dependency detected: this program imports itself. Remove the import."
                    .to_owned()
            }
            (None, 2) => format!(
                "Circular dependency detected: `{}` imports this program. One of the two imports has to go.",
                import.text
            ),
            (None, count) => format!(
                "Circular dependency detected: this import leads back here, over {count} imports. One of them has to go."
            ),
        };
        let finding = report.add(&RULE, import.span.clone(), message);
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
        if let Some(edits) = subject.remove_import(import) {
            finding.fix(Fix::suggestion("Remove this import", edits));
        }
    }
}
