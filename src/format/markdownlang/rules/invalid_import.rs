use super::super::graph::{Graph, RINGS};
use super::super::imported::Imported;
use super::super::interface::interface;
use super::super::program::ImportKind;
use super::{RuleContext, circular_import, import_not_found, stdlib_import};
use crate::declare_rule;
use crate::rule::suppression::suppress;
use crate::rule::{Diagnostic, Report, Rule, Severity};
use crate::source::Source;
use crate::text::Span;
use crate::world::ReadError;

declare_rule! {
    /// The imported file can't be called: it isn't a program, it can't be read, or it has an error.
    /// A program that imports it doesn't run.
    ///
    /// The message quotes the first error in the file and names its location. This may be an import
    /// of its own that doesn't exist or is circular. What is wrong inside the files that it imports
    /// is reported in that file.
    ///
    /// If the file imports `stdlib:`, which doesn't exist yet, this is only a warning, as in the
    /// file itself.
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
    let mut budget = MOST_LOOKED_UP;
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
        let own = interface.get().map(|interface| &interface.errors).into_iter().flatten();
        let of_imports = import_flaws(context, imported, source, &mut budget);
        let flaws = of_imports
            .iter()
            .map(|flaw| (flaw.rule, &flaw.span, &flaw.message))
            .chain(own.map(|flaw| (flaw.rule, &flaw.span, &flaw.message)));
        let severity = |rule: &Rule| context.cx.config.severity(rule, Some(&imported.path));
        let errors = flaws.clone().filter(|(rule, ..)| severity(rule) == Some(Severity::Error));
        let first = |(_, span, _): &(&Rule, &Span, &String)| (span.start, span.end);
        let Some((rule, place, message)) = errors.min_by_key(first).or_else(|| {
            flaws
                .filter(|(rule, ..)| severity(rule).is_some())
                .find(|(rule, ..)| rule.code == stdlib_import::RULE.code)
        }) else {
            continue;
        };
        let finding = report.add(
            &RULE,
            span,
            format!("`{text}` has an error and cannot be called: {message}"),
        );
        if let Some(severity) = severity(rule) {
            finding.severity = severity;
        }
        finding.relate_file(&imported.path, place.clone(), format!("here ({})", rule.code));
    }
}

/// At most this many imports of imported files are looked up.
const MOST_LOOKED_UP: usize = 4096;

/// The errors of the imports of an imported program.
fn import_flaws(
    context: &RuleContext,
    imported: &Imported,
    source: &Source,
    budget: &mut usize,
) -> Vec<Diagnostic> {
    let imports = &imported.header.imports;
    if imports.is_empty() {
        return Vec::new();
    }
    let world = context.cx.world;
    let mut report = Report::default();
    for import in imports {
        match import.kind {
            ImportKind::Bare => {}
            ImportKind::Stdlib => {
                report.add(&stdlib_import::RULE, import.span.clone(), stdlib_import::MESSAGE);
            }
            ImportKind::Relative | ImportKind::Absolute => {
                let Some(left) = budget.checked_sub(1).filter(|_| !(context.cx.cancelled)()) else {
                    break;
                };
                *budget = left;
                let target = import.path(&imported.path);
                let kind = target.as_deref().and_then(|path| world.kind(path));
                if let Some(message) = import_not_found::flaw(&import.text, target.as_deref(), kind)
                {
                    report.add(&import_not_found::RULE, import.span.clone(), message);
                }
            }
        }
    }
    if !is_in_ring(context, imported)
        && let Some(found) =
            Graph::of(world).rings(world, &imported.path, source, context.cx.cancelled)
    {
        world.note(&imported.path, &RINGS, found.id);
        for (index, ring) in &found.rings {
            let Some(import) = imports.get(*index) else { continue };
            let message = circular_import::message(import, ring);
            report.add(&circular_import::RULE, import.span.clone(), message);
        }
    }
    suppress(source, || &[], &mut report.diagnostics);
    report.diagnostics
}

/// Whether an import belongs to a ring, which `circular-import` reports.
fn is_in_ring(context: &RuleContext, imported: &Imported) -> bool {
    let world = context.cx.world;
    let rings = context.cx.path.and_then(|path| {
        Graph::of(world).rings(world, path, context.cx.source, context.cx.cancelled)
    });
    rings.is_none_or(|rings| {
        rings.rings.iter().any(|(index, _)| {
            context.imports.get(*index).is_some_and(|import| import.span == imported.import.span)
        })
    })
}
