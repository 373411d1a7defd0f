//! Resolves a path in a block: to a file in the document itself, or to one of the workspace.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;

use super::chain::Place;
use super::identity::number;
use crate::format::Context;
use crate::plan::{Reason, path};
use crate::text::Edit;
use crate::world::EntryKind;

/// What exists at a path.
#[derive(Debug, Clone)]
pub enum Lookup {
    /// Contents, and a number that identifies them.
    File(Place, u64),
    Missing,
    /// A file that blocks may not name, with the reason.
    Refused(Reason, String),
    /// Unknown.
    Unknown,
}

/// The files that blocks may change.
pub trait Files {
    fn find(&self, path: &str) -> Lookup;
    /// The files in the document itself.
    fn own(&self) -> Vec<&str> {
        Vec::new()
    }
    /// The edit that adds an empty file to those.
    fn adding(&self, _path: &str) -> Option<Edit> {
        None
    }
    /// The file that a misspelt path probably means.
    fn closest(&self, path: &str) -> Option<String>;
}

/// The files of the workspace.
pub struct Workspace<'a> {
    cx: &'a Context<'a>,
    root: Option<PathBuf>,
    /// By path: many blocks name the same file.
    known: RefCell<HashMap<String, Lookup>>,
}

impl<'a> Workspace<'a> {
    pub fn new(cx: &'a Context<'a>) -> Self {
        Self { cx, root: cx.root(), known: RefCell::default() }
    }
}

impl Files for Workspace<'_> {
    fn find(&self, written: &str) -> Lookup {
        if let Some(known) = self.known.borrow().get(written) {
            return known.clone();
        }
        let found = self.look(written);
        self.known.borrow_mut().insert(written.to_owned(), found.clone());
        found
    }

    fn closest(&self, written: &str) -> Option<String> {
        let (folder, name) = written.rsplit_once('/').unwrap_or(("", written));
        let root = self.root.as_ref()?;
        path::inside(self.cx.world, root, written).ok()?;
        let entries = self.cx.world.list(&root.join(folder));
        let name = entries.closest_file(name)?;
        Some(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") })
    }
}

impl Workspace<'_> {
    fn look(&self, written: &str) -> Lookup {
        let Some(root) = &self.root else { return Lookup::Unknown };
        let path = match path::inside(self.cx.world, root, written) {
            Ok(path) => path,
            Err((reason, message)) => return Lookup::Refused(reason, message),
        };
        match self.cx.world.kind(&path) {
            None => Lookup::Missing,
            Some(EntryKind::Folder) => {
                Lookup::Refused(Reason::NotAFile, format!("`{written}` is a folder, not a file"))
            }
            Some(EntryKind::File) => match self.cx.world.read(&path) {
                Ok(source) => {
                    let identity = number(&source);
                    Lookup::File(Place::File(path, source), identity)
                }
                Err(error) => Lookup::Refused(
                    Reason::Unreadable,
                    format!("`{written}` can't be changed: the file {error}"),
                ),
            },
        }
    }
}
