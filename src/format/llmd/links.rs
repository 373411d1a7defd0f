//! Links: from a path to its file, from an include to the included file; definitions: from a path
//! to its text.

use std::collections::HashSet;
use std::path::PathBuf;

use super::Project;
use super::layout::{File, Role};
use super::plan::{live, name_of};
use crate::answer::{Link, LinkTarget, Target};
use crate::format::Context;
use crate::plan::path;
use crate::text::Span;
use crate::world::{EntryKind, resolve};

/// Each path costs a disk access, so any more than this get no links.
const MOST: usize = 1000;

/// A link for each path that leads to a file of the workspace, and for each include.
pub(super) fn links(project: &Project, cx: &Context) -> Vec<Link> {
    let layout = &project.layout;
    let files = layout.files.iter().map(|file| (name_span(file), name_of(file)));
    // Live blocks link to the lines that they change.
    let live: HashSet<usize> = live(layout, None).into_iter().collect();
    let past = layout
        .blocks
        .iter()
        .enumerate()
        .filter(|(index, placed)| placed.role != Role::Documentation && !live.contains(index));
    let paths = past
        .filter_map(|(_, placed)| placed.own_path())
        .map(|path| (path.span.clone(), path.text.as_str()));
    let named = files
        .chain(paths)
        .take(MOST)
        .map_while(|(span, name)| (!(cx.cancelled)()).then(|| (span, file(cx, name))));
    let named = named.filter_map(|(span, path)| Some((span, path?)));
    let included = layout
        .includes
        .iter()
        .take(MOST)
        .filter_map(|include| Some((include.path.clone(), included(cx, &include.text)?)));
    let link = |(span, path)| Link {
        span,
        target: LinkTarget::File { path, fragment: None },
        tooltip: None,
    };
    named.chain(included).map(link).collect()
}

/// From the path of a block to the file in the Code Context, or else in the workspace; from a file
/// to the workspace; from an include to the included file.
pub(super) fn definition(project: &Project, cx: &Context, offset: usize) -> Option<Target> {
    let elsewhere = |path: PathBuf, origin: Span| Target {
        path: Some(path),
        span: 0..0,
        selection: 0..0,
        origin,
    };
    if let Some(path) = project.path_at(offset).and_then(|placed| placed.own_path()) {
        let own = project
            .layout
            .files
            .iter()
            .find(|file| name_of(file) == path.text.trim_start_matches("./"));
        return match own {
            Some(file) => {
                let (span, selection) = (file.heading.span.start..file.body.end, name_span(file));
                Some(Target { path: None, span, selection, origin: path.span.clone() })
            }
            None => Some(elsewhere(file(cx, &path.text)?, path.span.clone())),
        };
    }
    if let Some(own) = project.file_at(offset).filter(|file| offset <= file.heading.span.end) {
        return Some(elsewhere(file(cx, name_of(own))?, name_span(own)));
    }
    let include = project.include_at(offset)?;
    Some(elsewhere(included(cx, &include.text)?, include.path.clone()))
}

/// The name of a file in its heading, without decoration.
pub(super) fn name_span(file: &File) -> Span {
    let name = name_of(file);
    let at = file.heading.text.find(name).unwrap_or_default();
    file.heading.name.start + at..file.heading.name.start + at + name.len()
}

fn file(cx: &Context, name: &str) -> Option<PathBuf> {
    path::file(cx.world, &cx.root()?, name)
}

/// The included file, if it exists.
pub(super) fn included(cx: &Context, written: &str) -> Option<PathBuf> {
    let path = resolve(cx.path?, written);
    (cx.world.kind(&path)? == EntryKind::File).then_some(path)
}
