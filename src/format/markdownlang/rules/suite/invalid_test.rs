use std::collections::HashMap;
use std::path::Path;

use super::flaws;
use crate::declare_rule;
use crate::format::markdownlang;
use crate::format::markdownlang::suite::{
    Case, Cases, Subject, Written, is_suite, recorded_together,
};
use crate::rule::{Related, Report};
use crate::schema::{Part, pointer};
use crate::source::Source;
use crate::text::Span;
use crate::world::EntryKind;
use crate::yaml;

declare_rule! {
    /// A test can't be read: a value has the wrong type, `name`, `expect` or `cases` is missing, two
    /// cases of a program have the same name, in its front matter or its test file, or an
    /// expectation is not a valid JSON Pointer or JSON Schema. `agentmd test` refuses the file.
    ///
    /// ````markdown file=greet.md
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````yaml bad path=greet.test.yaml
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { at: { text: Hello Ada } }
    /// ````
    ///
    /// ````yaml good path=greet.test.yaml
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { at: { /text: Hello Ada } }
    /// ````
    pub static RULE = "markdownlang/invalid-test", Error, "Invalid test";
}

pub fn check(subject: &Subject, report: &mut Report) {
    flaws(&RULE, subject, report, |_, _| {});
    elsewhere(subject, report);
}

/// Reports cases that another file also has: both would share a recording.
fn elsewhere(subject: &Subject, report: &mut Report) {
    let world = subject.cx.world;
    let Some(file) = subject.cx.path.filter(|path| is_suite(path)) else { return };
    for path in recorded_together(file) {
        if world.kind(&path) != Some(EntryKind::File) {
            continue;
        }
        let Ok(source) = world.read(&path) else { continue };
        let others = cases(&path, &source);
        let mut by_slug = HashMap::new();
        for (other, span) in &others {
            by_slug.entry(other.slug()).or_insert((other, span));
        }
        for case in subject.cases.cases.iter().filter(|case| !case.name.is_empty()) {
            let Some((other, span)) = by_slug.get(&case.slug()) else { continue };
            let named = path.file_name().unwrap_or_default().to_string_lossy();
            let message = match other.name == case.name {
                true => format!("duplicate case `{}`, also in `{named}`", case.name),
                false => format!(
                    "the recordings of `{}` and of `{}` in `{named}` would have the same name",
                    case.name, other.name
                ),
            };
            let at = pointer::join(&case.pointer, "name");
            let finding = report.add(&RULE, subject.written.mark(&at, Part::Value), message);
            finding.related.push(Related {
                path: Some(path.clone()),
                span: (*span).clone(),
                message: "the other case".to_owned(),
            });
        }
    }
}

/// The cases of a program or a test file, with the places of their names.
fn cases(path: &Path, source: &Source) -> Vec<(Case, Span)> {
    let of = |written: &Written, cases: Option<Cases>| {
        let cases = cases.into_iter().flat_map(|cases| cases.cases);
        let mark = |case: &Case| written.mark(&pointer::join(&case.pointer, "name"), Part::Value);
        cases.map(|case| (mark(&case), case)).map(|(span, case)| (case, span)).collect()
    };
    if is_suite(path) {
        let text = source.slice(0..source.len());
        let tree = yaml::parse(&text);
        return Written::of_file(text.clone(), &tree)
            .map(|written| of(&written, Some(Cases::of_file(&written))))
            .unwrap_or_default();
    }
    // Most programs have no tests, so don't parse them.
    if !(markdownlang::FORMAT.recognise)(Some(path), source) {
        return Vec::new();
    }
    let header = markdownlang::header(source);
    Written::of_header(source, &header)
        .map(|written| of(&written, Cases::of_front_matter(&written)))
        .unwrap_or_default()
}
