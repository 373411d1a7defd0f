//! Listings of folders, cached until the folder changes: if a document refers to a missing file,
//! every key press looks for files with similar names.

use std::ffi::OsString;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::{Entry, EntryKind};
use crate::cache::{Cache, Limit};
use crate::suggestion::closest;

/// A folder that changed more recently may change again without a new time. Times without a
/// fraction may come from a file system with a resolution of two seconds; others have milliseconds.
const SETTLED: Duration = Duration::from_millis(100);
const SETTLED_COARSELY: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(super) struct Listings(Cache<PathBuf, Listed>);

#[derive(Debug, Clone)]
struct Listed {
    modified: SystemTime,
    entries: Listing,
    /// Links, since their targets can change without the folder.
    links: Arc<[Link]>,
}

#[derive(Debug)]
struct Link {
    name: OsString,
    /// The kind of its target, if that exists.
    kind: Option<EntryKind>,
}

/// The entries of a folder, sorted by name. Clones share them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing(Arc<[Entry]>);

impl Deref for Listing {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        &self.0
    }
}

impl FromIterator<Entry> for Listing {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl Listing {
    /// The file in this folder that a name most likely means.
    pub fn closest_file(&self, name: &str) -> Option<&str> {
        let files = self.iter().filter(|entry| entry.kind == EntryKind::File);
        closest(name, files.map(|entry| entry.name.as_str()))
    }
}

/// Clones only the entries that are visited.
impl IntoIterator for Listing {
    type Item = Entry;
    type IntoIter = Copies;

    fn into_iter(self) -> Copies {
        Copies { listing: self, next: 0 }
    }
}

/// An iterator over clones of the entries of a folder.
#[derive(Debug)]
pub struct Copies {
    listing: Listing,
    next: usize,
}

impl Iterator for Copies {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let entry = self.listing.get(self.next)?.clone();
        self.next += 1;
        Some(entry)
    }
}

impl Listings {
    pub fn new(limit: &Limit) -> Self {
        Self(Cache::new(limit))
    }

    /// The entries of a folder, sorted by name; empty if it isn't a folder.
    pub fn list(&self, folder: &Path) -> Listing {
        let Some(known) = self.0.get(folder) else { return self.read(folder) };
        let same = |link: &Link| target_kind(&folder.join(&link.name)) == link.kind;
        if modified(folder) == Some(known.modified) && known.links.iter().all(same) {
            return known.entries;
        }
        self.read(folder)
    }

    fn read(&self, folder: &Path) -> Listing {
        let (before, now) = (modified(folder), SystemTime::now());
        let (entries, links) = read(folder);
        let entries: Listing = entries.into_iter().collect();
        let settled =
            before.filter(|time| now.duration_since(*time).is_ok_and(|age| age >= settling(*time)));
        if let Some(modified) = settled {
            let each = |entry: &Entry| size_of::<Entry>() + entry.name.len();
            let each_link = |link: &Link| size_of::<Link>() + link.name.len();
            let cost = size_of::<Listed>()
                + folder.as_os_str().len()
                + entries.iter().map(each).sum::<usize>()
                + links.iter().map(each_link).sum::<usize>();
            let listed = Listed { modified, entries: entries.clone(), links: links.into() };
            self.0.insert(folder.to_owned(), listed, cost as u64);
        }
        entries
    }
}

fn settling(time: SystemTime) -> Duration {
    let second = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    if second.subsec_nanos() == 0 { SETTLED_COARSELY } else { SETTLED }
}

fn modified(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).ok()?.modified().ok()
}

/// The entries, and the links among them.
fn read(folder: &Path) -> (Vec<Entry>, Vec<Link>) {
    let Ok(entries) = fs::read_dir(folder) else { return (Vec::new(), Vec::new()) };
    let mut links = Vec::new();
    let mut found: Vec<Entry> = entries
        .flatten()
        .filter_map(|entry| {
            let (name, kind) = (entry.file_name(), entry.file_type().ok()?);
            // Resolve links only if the entry is one: the user may be typing while a large folder
            // is read.
            let kind = if kind.is_symlink() {
                let kind = target_kind(&entry.path());
                links.push(Link { name: name.clone(), kind });
                kind?
            } else {
                of(kind.is_dir())
            };
            Some(Entry { name: name.into_string().ok()?, kind })
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    (found, links)
}

fn target_kind(link: &Path) -> Option<EntryKind> {
    fs::metadata(link).ok().map(|target| of(target.is_dir()))
}

fn of(is_folder: bool) -> EntryKind {
    if is_folder { EntryKind::Folder } else { EntryKind::File }
}

// Only Unix opens a folder to set its time.
#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_cached_listing_is_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let listings = Listings::new(&Limit::default());
        let names = || -> Vec<String> {
            listings.list(folder.path()).into_iter().map(|entry| entry.name).collect()
        };
        let age = |age: Duration| {
            let time = SystemTime::now() - age;
            fs::File::open(folder.path()).unwrap().set_modified(time).unwrap();
        };
        fs::write(folder.path().join("a"), "").unwrap();
        // In an hour: too new to be cached, however slow the test is.
        let later = SystemTime::now() + Duration::from_secs(3600);
        fs::File::open(folder.path()).unwrap().set_modified(later).unwrap();
        assert_eq!(names(), ["a"]);
        assert!(listings.0.get(folder.path()).is_none());
        age(Duration::from_secs(60));
        assert_eq!((names(), names()), (vec!["a".to_owned()], vec!["a".to_owned()]));
        assert!(listings.0.get(folder.path()).is_some());
        fs::create_dir(folder.path().join("b")).unwrap();
        assert_eq!(names(), ["a", "b"]);
        age(Duration::from_secs(30));
        assert_eq!(names(), ["a", "b"]);
        fs::remove_dir(folder.path().join("b")).unwrap();
        fs::remove_file(folder.path().join("a")).unwrap();
        fs::remove_dir(folder.path()).unwrap();
        assert_eq!(names(), [""; 0]);
    }

    #[test]
    fn targets_of_links_are_checked_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        let target = folder.path().join("target");
        fs::create_dir(&inside).unwrap();
        std::os::unix::fs::symlink(&target, inside.join("link")).unwrap();
        let time = SystemTime::now() - Duration::from_secs(60);
        fs::File::open(&inside).unwrap().set_modified(time).unwrap();
        let listings = Listings::new(&Limit::default());
        let kinds = || -> Vec<EntryKind> {
            listings.list(&inside).into_iter().map(|entry| entry.kind).collect()
        };
        assert_eq!(kinds(), []);
        assert!(listings.0.get(&inside).is_some());
        fs::write(&target, "").unwrap();
        assert_eq!(kinds(), [EntryKind::File]);
        fs::remove_file(&target).unwrap();
        fs::create_dir(&target).unwrap();
        assert_eq!(kinds(), [EntryKind::Folder]);
        fs::remove_dir(&target).unwrap();
        assert_eq!(kinds(), []);
    }
}
