//! The files that actions speak of, action by action: what an earlier one creates is there for a later one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::super::mark::Mark;
use super::Subject;
use crate::format::suggestion::closest;
use crate::text::Span;
use crate::world::EntryKind;

/// Where a path leads.
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
#[derive(Debug)]
pub struct Step<'a> {
    /// The mark of the path.
    pub mark: &'a Mark,
    /// Where the type of the action stands.
    pub kind: Span,
    pub path: PathBuf,
    pub intent: Use,
    /// What is there when the action's turn comes.
    pub found: Option<EntryKind>,
}

/// The world is not asked for more files than these: each may cost a look at the disk for every key.
const MOST: usize = 256;

/// Where a path of a reply leads.
pub fn place(path: &str) -> Place {
    let drive = path.as_bytes().get(1) == Some(&b':') && path.starts_with(|first: char| first.is_ascii_alphabetic());
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

/// What the actions do with files, in the order in which they are executed.
pub fn steps<'a>(subject: &Subject<'a>) -> Vec<Step<'a>> {
    let Some(root) = subject.cx.root() else { return Vec::new() };
    let mut known: HashMap<PathBuf, Option<EntryKind>> = HashMap::new();
    let actions = subject.layout().actions.iter().filter(|(index, _)| !subject.is_torn(**index));
    let steps = actions.filter_map(|(_, action)| {
        let (name, kind) = subject.type_of(action)?;
        let intent = match &*name {
            "create_file" => Use::Creates,
            "read_file" | "edit_file" | "delete_file" => Use::Needs,
            _ => return None,
        };
        let mark = subject.parameter(action, "PATH").filter(|mark| !mark.value.is_empty())?;
        let Place::Inside(path) = place(&subject.text(&mark.value)) else { return None };
        let found = *known.entry(path.clone()).or_insert_with(|| subject.cx.world.kind(&root.join(&path)));
        let after = match (&*name, found) {
            ("create_file", None) => Some(EntryKind::File),
            ("delete_file", Some(EntryKind::File)) => None,
            (_, found) => found,
        };
        known.insert(path.clone(), after);
        Some(Step { mark, kind, path, intent, found })
    });
    steps.take(MOST).collect()
}

/// The file whose name is nearly that of `path`, in the same folder.
pub fn neighbour(subject: &Subject, path: &Path) -> Option<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let entries = subject.cx.world.list(&subject.cx.root()?.join(folder));
    let names: Vec<&str> = entries.iter().filter(|entry| entry.kind == EntryKind::File).map(|entry| entry.name.as_str()).collect();
    let name = closest(path.file_name()?.to_str()?, names)?;
    let parts: Vec<&str> = folder.iter().filter_map(|part| part.to_str()).chain([name]).collect();
    Some(parts.join("/"))
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
