//! The interfaces of the files that a program imports, for its rules.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::program::{Header, Import, ImportKind};
use super::{FORMAT, graph::Graph, header, interface};
use crate::format::{Context, Format};
use crate::source::Source;
use crate::world::{EntryKind, ReadError};

/// An import that names a Markdown file, and that file.
pub struct Imported<'a> {
    pub import: &'a Import,
    pub path: PathBuf,
    /// The canonical name of the file, regardless of the import's spelling.
    pub identity: PathBuf,
    pub source: Result<Source, ReadError>,
    /// Empty if the file isn't a program.
    pub header: Arc<Header>,
    pub is_program: bool,
    /// The importing program itself.
    pub is_self: bool,
}

/// The imports of a program whose files exist, in order.
pub fn imported<'a>(header: &'a Header, cx: &Context) -> Vec<Imported<'a>> {
    let Some(from) = cx.path.filter(|_| !header.imports.is_empty()) else { return Vec::new() };
    let own = cx.world.identity(from);
    let paths = header
        .imports
        .iter()
        .filter(|import| matches!(import.kind, ImportKind::Relative | ImportKind::Absolute));
    let found: Vec<_> = paths
        .take_while(|_| !(cx.cancelled)())
        .filter_map(|import| one(import, from, &own, cx))
        .collect();
    let read = found.iter().filter(|imported| !imported.is_self);
    Graph::of(cx.world).compare(
        cx.world,
        read.filter_map(|imported| Some((imported.path.as_path(), imported.source.as_ref().ok()?))),
    );
    found
}

fn one<'a>(import: &'a Import, from: &Path, own: &Path, cx: &Context) -> Option<Imported<'a>> {
    let path = import.path(from)?;
    let markdown = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    if !markdown || cx.world.kind(&path) != Some(EntryKind::File) {
        return None;
    }
    let identity = cx.world.identity(&path);
    let is_self = identity == own;
    let source = if is_self { Ok(cx.source.clone()) } else { cx.world.look(&path) };
    if !is_self {
        interface::note(cx.world, &path, source.as_ref().ok());
    }
    let is_program = source.as_ref().is_ok_and(|source| {
        std::ptr::eq(Format::of(Some(&path), source, cx.config), &raw const FORMAT)
    });
    let header = source.as_ref().ok().filter(|_| is_program).map(header).unwrap_or_default();
    Some(Imported { import, path, identity, source, header, is_program, is_self })
}
