//! The files that a document's blocks are about: those of its Code Context, then those of the
//! workspace (LLMD-10).

use std::collections::HashMap;

use super::Project;
use super::layout::{File, SectionKind};
use super::plan::name_of;
use crate::format::Context;
use crate::format::blocks::chain::Place;
use crate::format::blocks::files::{Files, Lookup, Workspace};
use crate::format::blocks::identity::{digest, key};
use crate::suggestion::closest;
use crate::text::{Edit, Span};

/// The files of a document, then those of the workspace.
pub struct ContextFiles<'a> {
    project: &'a Project,
    cx: &'a Context<'a>,
    named: HashMap<&'a str, &'a File>,
    workspace: Workspace<'a>,
}

impl<'a> ContextFiles<'a> {
    pub fn new(project: &'a Project, cx: &'a Context<'a>) -> Self {
        let mut named: HashMap<&str, &File> = HashMap::new();
        for file in &project.layout.files {
            named.entry(name_of(file)).or_insert(file);
        }
        Self { project, cx, named, workspace: Workspace::new(cx) }
    }

    /// The file of the Code Context that a path refers to.
    pub fn named(&self, path: &str) -> Option<&'a File> {
        self.named.get(path).or_else(|| self.named.get(path.trim_start_matches("./"))).copied()
    }
}

impl Files for ContextFiles<'_> {
    fn find(&self, path: &str) -> Lookup {
        let Some(file) = self.named(path) else {
            let found = self.workspace.find(path);
            // Without a Code Context, its files are unknown.
            let known = self
                .project
                .layout
                .sections
                .iter()
                .any(|section| section.kind == SectionKind::CodeContext);
            return if known || !matches!(found, Lookup::Missing) {
                found
            } else {
                Lookup::Unknown
            };
        };
        // `llmd/file-fence` reports files that aren't a single fence.
        match file.fences.as_slice() {
            [fence] if fence.closed => {
                let identity = digest(key(self.cx.source, &fence.content));
                Lookup::File(Place::Own(self.cx.source.clone(), fence.content.clone()), identity)
            }
            _ => Lookup::Unknown,
        }
    }

    fn own(&self) -> Vec<&str> {
        self.project.layout.files.iter().map(name_of).filter(|name| !name.is_empty()).collect()
    }

    fn closest(&self, path: &str) -> Option<String> {
        let split = |path: &'_ str| {
            path.rsplit_once('/').map_or_else(
                || (String::new(), path.to_owned()),
                |(a, b)| (a.to_owned(), b.to_owned()),
            )
        };
        let (folder, name) = split(path);
        // A heading with more text than the path isn't another file.
        let is_other = |own: &&str| own.split(' ').all(|word| word != path);
        let own = self.own().into_iter().filter(is_other);
        let own: Vec<(&str, String, String)> =
            own.map(|own| (own, split(own).0, split(own).1)).collect();
        // A typo in the name, a wrong folder, a typo in the folder.
        let beside = own.iter().filter(|(_, other, _)| *other == folder);
        let meant = closest(&name, beside.map(|(_, _, name)| name.as_str()));
        let meant = meant.map(|meant| {
            if folder.is_empty() { meant.to_owned() } else { format!("{folder}/{meant}") }
        });
        let mut same = own.iter().filter(|(_, _, other)| *other == name);
        let moved =
            same.next().filter(|_| same.next().is_none()).map(|(path, ..)| (*path).to_owned());
        meant.or(moved).or_else(|| self.workspace.closest(path))
    }

    fn adding(&self, path: &str) -> Option<Edit> {
        let section = self
            .project
            .layout
            .sections
            .iter()
            .find(|section| section.kind == SectionKind::CodeContext)?;
        let (source, eol) = (self.cx.source, self.cx.source.line_break());
        let at = end_of(&source.slice(section.body.clone()), &section.body);
        Some(Edit::insert(at, format!("{eol}{eol}### {path}{eol}{eol}```{eol}```")))
    }
}

/// The end of a section without trailing whitespace; the end of its heading if the section is
/// empty.
fn end_of(text: &str, body: &Span) -> usize {
    let length = text.trim_end().len();
    if length == 0 { body.start.saturating_sub(1) } else { body.start + length }
}
