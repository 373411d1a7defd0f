use std::collections::HashMap;
use std::path::PathBuf;

use super::super::program::{Import, ImportKind, Text};
use super::super::read;
use super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// Two programs that meet as tools have one name: this program and one that it imports, or two that it imports.
    ///
    /// An imported program becomes a tool that goes by the `name` in its front matter, so one of the two could not be called.
    /// Rename one of them.
    ///
    /// ````markdown file=helper.md
    /// ---
    /// name: greet
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
    /// name: welcome
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// imports:
    ///   - ./helper.md
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/name-collision", Warning, "Two tools with one name";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let mut seen: HashMap<String, (PathBuf, &Import)> = HashMap::new();
    for import in subject.imports.iter().filter(|import| matches!(import.kind, ImportKind::Relative | ImportKind::Absolute)) {
        let Some((path, name)) = name_of(subject, import) else { continue };
        let Text { text: name, span: place } = name;
        if let Some(own) = subject.name.as_ref().filter(|own| own.text == name) {
            let message = format!("`{}` is named `{name}` too, and this program could not tell it from itself. Rename one of them.", import.text);
            report.add(&RULE, own.span.clone(), message).relate_file(path.clone(), place, "the name of the imported program");
        } else if let Some((_, first)) = seen.get(&name).filter(|(other, _)| *other != path) {
            let message =
                format!("`{}` and `{}` are both named `{name}`, so only one of them could be called. Rename one of them.", import.text, first.text);
            let first = first.span.clone();
            report.add(&RULE, import.span.clone(), message).relate(first, "the other import").relate_file(
                path.clone(),
                place,
                "the name of this one",
            );
        }
        seen.entry(name).or_insert((path, import));
    }
}

/// The file of an imported program, and its name where it stands in that file.
fn name_of(subject: &Subject, import: &Import) -> Option<(PathBuf, Text)> {
    let path = import.path(subject.cx.path?).filter(|path| Some(path.as_path()) != subject.cx.path)?;
    let source = subject.cx.world.read(&path).ok()?;
    let name = read(&source, None).name.clone().filter(|name| !name.text.is_empty())?;
    Some((path, name))
}
