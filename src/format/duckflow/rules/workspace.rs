//! The files that actions use, action by action: a file that one action creates exists for the
//! next.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::RuleContext;
use super::{path_exists, path_not_found, quoted_path};
use crate::format::Context;
use crate::rule::Report;
use crate::suggestion::closest;
use crate::text::Span;
use crate::world::{EntryKind, Listing};

/// The file that a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub enum Place {
    /// With `.` and `..` resolved.
    Inside(PathBuf),
    Absolute,
    Outside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Creates,
    /// Reads, edits or deletes.
    Needs,
}

/// What an action does with a file.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The span of the path.
    pub value: Span,
    /// The span of the action's type.
    pub kind: Span,
    pub path: PathBuf,
    /// The length in bytes of the folder in `path`; 0 without one.
    folder: usize,
    pub intent: Use,
    /// The file doesn't exist afterwards.
    deletes: bool,
}

/// What an action does with a file, and what it finds.
#[derive(Debug)]
pub struct Step {
    pub wanted: Wanted,
    /// What exists when the action runs.
    pub found: Option<EntryKind>,
    /// The file that may be meant, if the one that the action needs doesn't exist.
    pub meant: Option<String>,
}

impl Wanted {
    /// The folder of the file as spelled: comparing paths part by part takes long.
    fn folder(&self) -> Option<&[u8]> {
        let bytes = self.path.as_os_str().as_encoded_bytes();
        bytes.get(..self.folder).filter(|folder| !folder.is_empty())
    }

    /// The same in a document that has `by` bytes before this one.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        Self {
            value: shift(&self.value),
            kind: shift(&self.kind),
            path: self.path.clone(),
            ..*self
        }
    }
}

/// Follows the files of a reply while its actions run in order.
pub struct Follower<'a> {
    cx: &'a Context<'a>,
    root: Option<PathBuf>,
    /// The state of the files so far, by path as spelled.
    known: FxHashMap<&'a OsStr, Option<EntryKind>>,
    /// Folders that don't exist: a reply may name hundreds of files in one, which are only in
    /// `known` if the reply creates them.
    missing: FxHashSet<&'a [u8]>,
    folders: Folders,
    followed: usize,
}

/// What an action finds, and the file that may be meant instead.
pub type Found = (Option<EntryKind>, Option<String>);

impl<'a> Follower<'a> {
    pub fn new(cx: &'a Context<'a>) -> Self {
        Self {
            cx,
            root: cx.root(),
            known: FxHashMap::default(),
            missing: FxHashSet::default(),
            folders: Folders::default(),
            followed: 0,
        }
    }

    /// The kind of a file before the reply.
    fn look(&mut self, root: &Path, wanted: &'a Wanted) -> Option<EntryKind> {
        let world = self.cx.world;
        let kind = world.kind(&root.join(&wanted.path));
        if let Some(folder) = wanted.folder().filter(|_| kind.is_none())
            && let Some(path) = wanted.path.parent()
            && world.lacks(&root.join(path))
        {
            self.missing.insert(folder);
        }
        kind
    }

    /// What the next actions find.
    pub fn follow(&mut self, wanted: &'a [Wanted]) -> Vec<Found> {
        let Some(root) = self.root.clone() else { return Vec::new() };
        let most = MOST - self.followed;
        let mut steps = Vec::with_capacity(wanted.len().min(most));
        for wanted in wanted.iter().take(most) {
            let name = wanted.path.as_os_str();
            let known = self.known.get(name).copied();
            let has_no_folder = |missing: &FxHashSet<&[u8]>| {
                wanted.folder().is_some_and(|folder| missing.contains(folder))
            };
            let was_missing = has_no_folder(&self.missing);
            let found = match known {
                Some(found) => found,
                None if was_missing => None,
                None => self.look(&root, wanted),
            };
            let after = match (wanted.intent, found) {
                (Use::Creates, None) => Some(EntryKind::File),
                (_, Some(EntryKind::File)) if wanted.deletes => None,
                (_, found) => found,
            };
            if known.is_some() || !was_missing || after.is_some() {
                self.known.insert(name, after);
            }
            let lacks = wanted.intent == Use::Needs && found.is_none();
            let meant = match lacks && !has_no_folder(&self.missing) {
                true => self.folders.neighbour(self.cx, &wanted.path),
                false => None,
            };
            steps.push((found, meant));
        }
        self.followed += steps.len();
        steps
    }
}

/// At most this many files are looked up: each may cost a disk access per key press.
pub const MOST: usize = 256;

/// The file that a path in a reply leads to.
pub fn place(path: &str) -> Place {
    let drive = path.as_bytes().get(1) == Some(&b':')
        && path.starts_with(|first: char| first.is_ascii_alphabetic());
    if path.starts_with(['/', '\\', '~']) || drive {
        return Place::Absolute;
    }
    let mut out = PathBuf::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if out.pop() => {}
            ".." => return Place::Outside,
            part => out.push(part),
        }
    }
    Place::Inside(out)
}

/// The file uses of the actions, in the order in which they run.
pub fn wanted(context: &RuleContext) -> Vec<Wanted> {
    let actions = context.layout().actions.iter().filter(|(index, _)| !context.is_torn(**index));
    let wanted = actions.filter_map(|(_, action)| {
        let (name, kind) = context.type_of(action)?;
        let intent = match &*name {
            "create_file" => Use::Creates,
            "read_file" | "edit_file" | "delete_file" => Use::Needs,
            _ => return None,
        };
        let mark = context
            .parameter(action, "PATH")
            .filter(|mark| !mark.value.is_empty() && quoted_path::found(context, mark).is_none())?;
        let value = context.value(mark);
        let Place::Inside(path) = place(&context.text(&value)) else { return None };
        let folder = path.parent().map_or(0, |folder| folder.as_os_str().len());
        Some(Wanted { value, kind, path, folder, intent, deletes: name == "delete_file" })
    });
    wanted.take(MOST).collect()
}

/// The state of the files as the actions run in order.
pub fn follow(wanted: &[Wanted], cx: &Context) -> Vec<Step> {
    let found = Follower::new(cx).follow(wanted);
    steps(wanted.iter().cloned(), found)
}

/// The actions with what each finds.
pub fn steps(wanted: impl Iterator<Item = Wanted>, found: Vec<Found>) -> Vec<Step> {
    wanted.zip(found).map(|(wanted, (found, meant))| Step { wanted, found, meant }).collect()
}

/// Reports mistakes about files.
pub fn report(steps: &[Step], cx: &Context, report: &mut Report) {
    path_not_found::report(steps, cx, report);
    path_exists::report(steps, cx, report);
}

/// The entries of folders, so that each folder is listed only once.
#[derive(Debug, Default)]
struct Folders(FxHashMap<OsString, Listing>);

impl Folders {
    /// The file whose name is closest to that of `path`, in the same folder.
    fn neighbour(&mut self, cx: &Context, path: &Path) -> Option<String> {
        let folder = path.parent().unwrap_or(Path::new(""));
        if !self.0.contains_key(folder.as_os_str()) {
            let entries = cx.world.list(&cx.root()?.join(folder));
            self.0.insert(folder.as_os_str().to_owned(), entries);
        }
        let entries = self.0.get(folder.as_os_str())?.iter();
        let files = entries.filter(|entry| entry.kind == EntryKind::File);
        let name = closest(path.file_name()?.to_str()?, files.map(|entry| entry.name.as_str()))?;
        let parts: Vec<&str> =
            folder.iter().filter_map(|part| part.to_str()).chain([name]).collect();
        Some(parts.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duck_13_where_a_path_leads() {
        for (path, expected) in [
            ("src/a.rs", Place::Inside("src/a.rs".into())),
            ("./src/../a.rs", Place::Inside("a.rs".into())),
            ("src\\a.rs", Place::Inside("src/a.rs".into())),
            ("a..b/..c", Place::Inside("a..b/..c".into())),
            ("../a.rs", Place::Outside),
            ("src/../../a.rs", Place::Outside),
            ("..\\a", Place::Outside),
            ("/etc/passwd", Place::Absolute),
            ("C:\\a", Place::Absolute),
            ("~/.ssh/config", Place::Absolute),
        ] {
            assert_eq!(place(path), expected, "{path}");
        }
    }
}
