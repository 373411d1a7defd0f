use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::super::program::{Import, ImportKind};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;
use crate::world::EntryKind;

declare_rule! {
    /// The file of an import doesn't exist, or isn't a Markdown file.
    ///
    /// Paths are relative to the importing file.
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
    ///   - ./hepler.md
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
    pub static RULE = "markdownlang/import-not-found", Error, "Imported file not found";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let mut names = Names::new();
    for import in context
        .imports
        .iter()
        .filter(|import| matches!(import.kind, ImportKind::Relative | ImportKind::Absolute))
    {
        check_one(context, import, &mut names, report);
    }
}

/// The Markdown files of the folders listed so far.
type Names = HashMap<PathBuf, Vec<String>>;

fn check_one(context: &RuleContext, import: &Import, known: &mut Names, report: &mut Report) {
    let text = import.text.as_str();
    let target = context.cx.path.and_then(|from| import.path(from));
    let kind = target.as_deref().and_then(|path| context.cx.world.kind(path));
    let Some(message) = flaw(text, target.as_deref(), kind) else { return };
    let Some(target) = target else {
        report.add(&RULE, import.span.clone(), message);
        return;
    };
    let (folder, written) = match kind {
        Some(EntryKind::Folder) => (target.as_path(), format!("{}/", text.trim_end_matches('/'))),
        _ => (
            target.parent().unwrap_or(Path::new("")),
            text.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default(),
        ),
    };
    let names = known.entry(folder.to_owned()).or_insert_with(|| {
        let entries = context.cx.world.list(folder);
        let files =
            entries.iter().filter(|entry| entry.kind == EntryKind::File && markdown(&entry.name));
        let own = context.cx.path.filter(|path| path.parent() == Some(folder));
        let own = own.and_then(Path::file_name);
        let names = files.map(|entry| &entry.name);
        names.filter(|name| own != Some(name.as_ref())).cloned().collect()
    });
    let wrong = target.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let meant = closest(stem(wrong), names.iter().map(|name| stem(name)))
        .and_then(|meant| names.iter().find(|name| stem(name) == meant));
    let only = names.first().filter(|_| names.len() == 1 && kind == Some(EntryKind::Folder));
    let path = meant.or(only).map(|name| format!("{written}{name}"));
    let finding = report.add(
        &RULE,
        import.span.clone(),
        format!("{message}{}", did_you_mean(path.as_deref())),
    );
    if let Some(path) = path {
        finding.fix(Fix::suggestion(
            format!("Replace with `{path}`"),
            vec![Edit::replace(import.span.clone(), context.print(&import.span, &path))],
        ));
    }
}

/// The error of an import that leads to `target`, an entry of this kind.
pub fn flaw(text: &str, target: Option<&Path>, kind: Option<EntryKind>) -> Option<String> {
    match (target, kind) {
        (Some(_), Some(EntryKind::Folder)) => {
            Some(format!("`{text}` is a folder; name one of its `.md` files"))
        }
        (_, Some(EntryKind::File)) | (None, _) => (!markdown(text))
            .then(|| format!("`{text}` is not a Markdown file; programs are `.md` files")),
        (Some(_), None) => {
            Some(format!("file `{text}` not found; correct the path, or create the file"))
        }
    }
}

fn markdown(name: &str) -> bool {
    // Most names in a folder aren't those of Markdown files.
    let dot = name.len().saturating_sub(".md".len());
    name.get(dot..).is_some_and(|end| end.eq_ignore_ascii_case(".md"))
        && Path::new(name).extension().is_some()
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
