//! References: the selectors that select a heading, in every file of the workspace.

use std::collections::BTreeMap;
use std::path::Path;

use super::names::{Names, name};
use super::target::{resolved, targets};
use crate::answer::Occurrence;
use crate::format::Context;
use crate::selector::mention::{self, Mention};
use crate::selector::{Node, NodeKind, Tree, resolve};
use crate::source::Source;
use crate::world::Knowledge;

/// At most this many files are searched.
pub(super) const MOST_FILES: usize = 1000;

/// The mentions of the heading at `offset`, or of the target of the selector there.
pub fn references(cx: &Context, offset: usize) -> Vec<Occurrence> {
    let mention = mention::at(cx.source, offset);
    let (path, nodes) = match &mention {
        Some(mention) => {
            let Some((target, selector)) = resolved(cx, mention) else { return Vec::new() };
            let nodes: Vec<Node> =
                resolve(&target.tree, selector).into_iter().map(|found| found.node).collect();
            (target.path.or_else(|| cx.path.map(Path::to_owned)), nodes)
        }
        None => (cx.path.map(Path::to_owned), heading(cx, offset).into_iter().collect()),
    };
    let Some(path) = path.filter(|_| !nodes.is_empty()) else { return Vec::new() };
    if cx.world.knowledge() == Knowledge::Later && !Names::of(cx.world).is_complete() {
        // The request is repeated once all files are known.
        cx.world.files();
    }
    let mut found = Vec::new();
    speakers(cx, &path, &mut |file, own, mention| {
        let selector = mention.selector.as_ref().ok();
        let selected = selector.zip(targets(own, mention).list.into_iter().next());
        let Some((selector, target)) =
            selected.filter(|(_, target)| target.path.as_deref().unwrap_or(file) == path)
        else {
            return;
        };
        let meant = resolve(&target.tree, selector);
        if meant.iter().any(|found| nodes.iter().any(|node| same(found.node, *node))) {
            let path = Some(file).filter(|file| cx.path != Some(*file)).map(Path::to_owned);
            found.push(Occurrence { path, span: mention.span.clone(), defines: false });
        }
    });
    found
}

/// Where the selectors of the workspace refer to each heading of a document, by the heading's
/// start. Reads each file only once.
pub fn by_heading(cx: &Context) -> BTreeMap<usize, Vec<Occurrence>> {
    let mut found: BTreeMap<usize, Vec<Occurrence>> = BTreeMap::new();
    let Some(path) = cx.path.map(Path::to_owned) else { return found };
    let tree = Tree::of(cx.source);
    speakers(cx, &path, &mut |file, own, mention| {
        let selector = mention.selector.as_ref().ok();
        let selected = selector.zip(targets(own, mention).list.into_iter().next());
        let Some((selector, target)) =
            selected.filter(|(_, target)| target.path.as_deref().unwrap_or(file) == path)
        else {
            return;
        };
        for meant in resolve(&target.tree, selector) {
            let is_heading = matches!(meant.node.kind, NodeKind::Heading | NodeKind::Section);
            if let Some(heading) = tree.headings.get(meant.node.index).filter(|_| is_heading) {
                let path = Some(file).filter(|file| cx.path != Some(*file)).map(Path::to_owned);
                let occurrence = Occurrence { path, span: mention.span.clone(), defines: false };
                found.entry(heading.line.start).or_default().push(occurrence);
            }
        }
    });
    found
}

/// Calls `each` with every selector that may refer to the document at `path`, with its file and
/// that file's context.
pub(super) fn speakers(cx: &Context, path: &Path, each: &mut dyn FnMut(&Path, &Context, &Mention)) {
    let wanted = name(path);
    let mut look = |file: &Path, source: &Source| {
        let own = Context { source, path: Some(file), ..*cx };
        for mention in mention::all(source) {
            let unnamed = mention.names().is_empty() && file == path;
            if unnamed || mention.names().contains(&wanted) {
                each(file, &own, &mention);
            }
        }
    };
    if let Some(file) = cx.path {
        look(file, cx.source);
    }
    let mut unsaved = Vec::new();
    cx.world.unsaved(&mut |file, source| unsaved.push((file.to_owned(), source.clone())));
    unsaved.sort_by(|a, b| a.0.cmp(&b.0));
    for (file, source) in unsaved.iter().filter(|(file, _)| cx.path != Some(file)) {
        look(file, source);
    }
    let names = Names::of(cx.world);
    let files = if cx.world.knowledge() == Knowledge::Later {
        names.speakers(&wanted)
    } else {
        cx.world.known_files()
    };
    for file in files.iter().take(MOST_FILES) {
        let seen = cx.path == Some(file) || unsaved.iter().any(|(other, _)| other == file);
        if (cx.cancelled)() {
            return;
        }
        if let Some(source) = (!seen).then(|| cx.world.read(file).ok()).flatten() {
            look(file, &source);
        }
    }
}

/// The heading whose line contains `offset`.
fn heading(cx: &Context, offset: usize) -> Option<Node> {
    let placed = cx.source.section_at(offset)?;
    let local = offset.checked_sub(placed.start)?;
    let blocks = &cx.source.blocks(placed).blocks;
    // Most lines aren't headings, so the tree is only read for those that are.
    blocks.iter().find(|block| {
        matches!(block.kind, crate::markdown::BlockKind::Heading { .. })
            && block.depth == 0
            && block.span.start <= local
            && local <= block.span.end
    })?;
    let tree = Tree::of(cx.source);
    let index =
        tree.headings.partition_point(|heading| heading.section.start <= offset).checked_sub(1)?;
    tree.headings.get(index).filter(|heading| offset <= heading.line.end)?;
    Some(Node { kind: NodeKind::Heading, index })
}

/// A heading and its section are the same.
fn same(a: Node, b: Node) -> bool {
    let kind =
        |node: Node| if node.kind == NodeKind::Section { NodeKind::Heading } else { node.kind };
    kind(a) == kind(b) && a.index == b.index
}
