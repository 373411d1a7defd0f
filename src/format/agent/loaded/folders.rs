//! The folders that a client searches, and the files in its places there.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::{Question, settings};
use crate::client::dialect::Glob;
use crate::client::loading::{Below, GlobReading, Reach};
use crate::client::{Client, matches};
use crate::world::{EntryKind, World};

/// The folders of one client for one question.
#[derive(Debug, Default)]
pub struct Folders {
    /// Above the chain, from the outermost: only memory files count there.
    pub above: Vec<PathBuf>,
    /// From the top to the folder in which the client is started.
    pub chain: Vec<PathBuf>,
    /// From below that folder to the folder of the file.
    pub nested: Vec<PathBuf>,
}

impl Folders {
    pub fn of(question: &Question, client: &Client) -> Self {
        let loading = &client.loading;
        let start = question.start.as_path();
        let up_to = |top: &Path| -> Vec<PathBuf> {
            let mut found: Vec<PathBuf> = start
                .ancestors()
                .take_while(|folder| folder.starts_with(top))
                .map(Path::to_owned)
                .collect();
            found.reverse();
            if found.is_empty() { vec![start.to_owned()] } else { found }
        };
        let marked = || {
            let none = Self::default();
            let instead = loading.markers_instead.as_ref();
            // Problems of this file are reported where more of it is read.
            let instead = instead
                .and_then(|setting| settings::texts(question, &none, setting, &mut Vec::new()));
            let markers = instead.as_ref().unwrap_or(&loading.markers);
            let has = |folder: &&Path| {
                let mut markers = markers.iter();
                markers.any(|marker| question.world.kind(&folder.join(marker)).is_some())
            };
            start.ancestors().find(has)
        };
        let top = match loading.reach {
            Reach::Workspace => Some(question.root.as_path()),
            Reach::Marker => marked(),
            Reach::Root => None,
        };
        let chain = match loading.reach {
            Reach::Root => vec![question.root.clone()],
            _ => top.map_or_else(|| vec![start.to_owned()], up_to),
        };
        let most = if top.is_some() { 1 } else { usize::MAX };
        let outside = top.unwrap_or(start).ancestors().skip(1).take(most);
        let mut above: Vec<PathBuf> =
            outside.filter(|_| loading.above).map(Path::to_owned).collect();
        above.reverse();
        let folder = question.path.as_deref().and_then(Path::parent);
        let nested = match (loading.below, folder) {
            (Below::Ignored, _) | (_, None) => Vec::new(),
            (_, Some(folder)) => {
                let mut found: Vec<PathBuf> = folder
                    .ancestors()
                    .take_while(|folder| *folder != start && folder.starts_with(start))
                    .map(Path::to_owned)
                    .collect();
                found.reverse();
                found
            }
        };
        Self { above, chain, nested }
    }

    /// The outermost folder.
    pub fn top<'f>(&'f self, question: &'f Question) -> &'f Path {
        self.chain.first().map_or(question.root.as_path(), PathBuf::as_path)
    }
}

/// How one part of a glob is matched with a name.
static SEGMENTS: LazyLock<GlobReading> =
    LazyLock::new(|| GlobReading { dot: true, ..GlobReading::default() });

/// Whether a part of a glob can match several names.
pub fn is_pattern(part: &str) -> bool {
    part.contains(['*', '?', '['])
}

/// At most this many folders are read for one place, and this many levels.
const MOST_FOLDERS: usize = 4_000;
const DEEPEST: usize = 24;

/// The files in a place below a folder, by name.
pub fn files(world: &dyn World, folder: &Path, place: &str) -> Vec<PathBuf> {
    let parts: Vec<&str> = place.split('/').collect();
    let mut search = Search { world, found: Vec::new(), folders: 0, seen: HashSet::new() };
    search.below(folder, &parts, 0);
    search.found
}

struct Search<'w> {
    world: &'w dyn World,
    found: Vec<PathBuf>,
    folders: usize,
    /// Folders that `**` has visited: a link may lead back to a folder that contains it.
    seen: HashSet<PathBuf>,
}

impl Search<'_> {
    fn below(&mut self, folder: &Path, parts: &[&str], depth: usize) {
        let Some((part, rest)) = parts.split_first() else { return };
        if depth > DEEPEST || self.folders > MOST_FOLDERS {
            return;
        }
        if *part == "**" {
            self.folders += 1;
            if !self.seen.insert(self.world.identity(folder)) {
                return;
            }
            self.below(folder, rest, depth);
            for entry in self.world.list(folder).iter() {
                if entry.kind == EntryKind::Folder {
                    self.below(&folder.join(&entry.name), parts, depth + 1);
                }
            }
            return;
        }
        if !is_pattern(part) {
            let path = folder.join(part);
            match (self.world.kind(&path), rest.is_empty()) {
                (Some(EntryKind::File), true) => self.found.push(path),
                (Some(EntryKind::Folder), false) => self.below(&path, rest, depth),
                _ => {}
            }
            return;
        }
        self.folders += 1;
        // The only wildcard in places of clients is `*`; globs of users may have others.
        let glob = part.contains(['?', '[']).then(|| Glob::new(&SEGMENTS, part));
        for entry in self.world.list(folder).iter() {
            let named = match &glob {
                Some(glob) => glob.matches(&entry.name),
                None => matches(part, &[&entry.name]).is_some(),
            };
            if !named {
                continue;
            }
            let path = folder.join(&entry.name);
            match (entry.kind, rest.is_empty()) {
                (EntryKind::File, true) => self.found.push(path),
                (EntryKind::Folder, false) => self.below(&path, rest, depth),
                _ => {}
            }
        }
    }
}
