//! The files that items name. A program or a model writes packs, so agentmd only reads and copies
//! files in the workspace folder. Other files become links, but are never opened.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::layout::Item;
use crate::format::Context;
use crate::source::Source;
use crate::suggestion::closest;
use crate::text::{Edit, Encoding, Position, Span};
use crate::world::{EntryKind, ReadError, resolve};

/// The target of a file name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Inside(PathBuf),
    /// Not in the workspace folder, or the workspace folder is unknown.
    Outside(PathBuf),
}

/// Larger files are not compared: each key press may ask for one.
pub const LARGEST: u64 = 16 << 20;

/// The files of one request; each is looked up once.
pub struct Files<'a> {
    cx: &'a Context<'a>,
    root: Option<PathBuf>,
    /// The folder with symlinks resolved.
    real_root: Option<PathBuf>,
    known: RefCell<FxHashMap<String, Result<Text, Absent>>>,
    /// The files of folders.
    listed: RefCell<FxHashMap<String, Rc<[String]>>>,
    /// Folders that don't exist: a pack may have hundreds of names in one.
    missing: RefCell<FxHashSet<String>>,
}

impl<'a> Files<'a> {
    pub fn new(cx: &'a Context<'a>) -> Self {
        let root = cx.root();
        let real_root = root.as_ref().and_then(|root| cx.world.real(root).ok());
        Self {
            cx,
            root,
            real_root,
            known: RefCell::default(),
            listed: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// The file of the same folder that a missing one probably means.
    pub fn neighbour(&self, name: &FileName) -> Option<String> {
        if name.folder().is_some_and(|folder| self.missing.borrow().contains(folder)) {
            return None;
        }
        let name = name.as_str();
        let (folder, last) = name.rsplit_once('/').unwrap_or(("", name));
        if Path::new(name).is_absolute() {
            return None;
        }
        let files = self.files_in(folder);
        if files.is_empty() {
            return None;
        }
        let meant = closest(last, files.iter().map(String::as_str))?;
        Some(if folder.is_empty() { meant.to_owned() } else { format!("{folder}/{meant}") })
    }

    fn files_in(&self, folder: &str) -> Rc<[String]> {
        if let Some(known) = self.listed.borrow().get(folder) {
            return Rc::clone(known);
        }
        let at = self.root.as_ref().map(|root| (root, resolve(&root.join("-"), folder)));
        let inside = at.filter(|(root, at)| at.starts_with(root));
        let entries = inside.map(|(_, at)| self.cx.world.list(&at)).unwrap_or_default();
        let files = entries.into_iter().filter(|entry| entry.kind == EntryKind::File);
        let files: Rc<[String]> = files.map(|entry| entry.name).collect();
        self.listed.borrow_mut().insert(folder.to_owned(), Rc::clone(&files));
        files
    }

    /// The contents of a file.
    ///
    /// # Errors
    /// If they can't be compared; the error says why.
    pub fn text(&self, name: &str) -> Result<Text, Absent> {
        self.text_in(name, plain_folder(name))
    }

    /// The same for a name that is asked for with each key press.
    ///
    /// # Errors
    /// Like [`Self::text`].
    pub fn text_of(&self, name: &FileName) -> Result<Text, Absent> {
        self.text_in(&name.text, name.folder())
    }

    fn text_in(&self, name: &str, folder: Option<&str>) -> Result<Text, Absent> {
        if folder.is_some_and(|folder| self.missing.borrow().contains(folder)) {
            return Err(Absent::Missing);
        }
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let found = self.look(name);
        if let (Some(folder), Err(Absent::Missing)) = (folder, &found)
            && self.is_missing(folder)
        {
            self.missing.borrow_mut().insert(folder.to_owned());
        }
        self.known.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    /// Whether a folder exists neither in the workspace folder nor in that of the document.
    fn is_missing(&self, folder: &str) -> bool {
        let own = self.cx.path.and_then(Path::parent);
        let mut around = self.root.as_deref().into_iter().chain(own);
        around.all(|around| self.cx.world.lacks(&around.join(folder)))
    }

    /// The target of `name`, which is relative to the workspace folder, else to the folder of the
    /// document.
    pub fn place(&self, name: &str) -> Option<Place> {
        let cx = self.cx;
        if name.trim().is_empty() || has_controls(name) {
            return None;
        }
        let plain = is_plain(name);
        let drive = name.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
            && name.as_bytes().get(1) == Some(&b':');
        if !cfg!(windows) && (drive || name.starts_with("\\\\")) {
            return Some(Place::Outside(PathBuf::from(name)));
        }
        let Some(root) = &self.root else {
            return Path::new(name).is_absolute().then(|| Place::Outside(PathBuf::from(name)));
        };
        let at = |folder: &Path| match plain {
            true => folder.join(name),
            false => resolve(&folder.join("-"), name),
        };
        let path = at(root);
        let inside = (plain || path.starts_with(root)) && self.stays_inside(&path);
        if inside && cx.world.kind(&path).is_some() {
            return Some(Place::Inside(path));
        }
        let beside =
            cx.path.and_then(Path::parent).filter(|folder| *folder != root.as_path()).map(at);
        if let Some(beside) = beside.filter(|beside| {
            beside.starts_with(root) && self.stays_inside(beside) && cx.world.kind(beside).is_some()
        }) {
            return Some(Place::Inside(beside));
        }
        Some(if inside { Place::Inside(path) } else { Place::Outside(path) })
    }

    /// Whether a path in the folder stays in it with symlinks resolved.
    fn stays_inside(&self, path: &Path) -> bool {
        let Some(real_root) = &self.real_root else { return false };
        match self.cx.world.real(path) {
            Ok(real) => real.starts_with(real_root),
            // A missing file reveals nothing, but a broken symlink may later lead somewhere.
            Err(ReadError::Missing) => true,
            Err(_) => false,
        }
    }

    fn look(&self, name: &str) -> Result<Text, Absent> {
        let world = self.cx.world;
        let Some(Place::Inside(path)) = self.place(name) else { return Err(Absent::Unasked) };
        match world.kind(&path) {
            None => return Err(Absent::Missing),
            Some(EntryKind::Folder) => return Err(Absent::Folder),
            Some(EntryKind::File) => {}
        }
        if let Some(length) = world.length(&path).filter(|length| *length > LARGEST) {
            return Err(Absent::Unreadable(format!(
                "has {length} bytes, more than the limit of {LARGEST}"
            )));
        }
        match world.read(&path) {
            Ok(source) => Ok(Text { path, source }),
            Err(ReadError::Missing) => Err(Absent::Missing),
            Err(ReadError::Folder) => Err(Absent::Folder),
            Err(error) => Err(Absent::Unreadable(error.to_string())),
        }
    }
}

/// The name of a file, with its folder.
#[derive(Debug, Clone)]
pub struct FileName {
    text: String,
    /// The length in bytes of its folder, unless it must be resolved.
    folder: Option<usize>,
}

impl FileName {
    pub fn new(text: String) -> Self {
        Self { folder: plain_folder(&text).map(str::len), text }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn folder(&self) -> Option<&str> {
        self.text.get(..self.folder?)
    }
}

/// The folder of a name that needs no resolving.
fn plain_folder(name: &str) -> Option<&str> {
    let (folder, _) = name.rsplit_once('/')?;
    (is_plain(name) && !has_controls(name)).then_some(folder)
}

/// Whether a name needs no resolving, as most do. A pack may have thousands.
fn is_plain(name: &str) -> bool {
    let mut start = 0;
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'\\' => return false,
            b'/' if matches!(name.get(start..at), Some("" | "." | "..")) => return false,
            b'/' => start = at + 1,
            _ => {}
        }
    }
    !matches!(name.get(start..), Some("" | "." | ".."))
}

fn has_controls(name: &str) -> bool {
    !name.bytes().all(|byte| matches!(byte, b' '..=b'~')) && name.chars().any(char::is_control)
}

/// The contents of a file, and their version.
#[derive(Debug, Clone)]
pub struct Text {
    pub path: PathBuf,
    pub source: Source,
}

/// Why there are no contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absent {
    /// The item names no file, or one outside the workspace.
    Unasked,
    Missing,
    Folder,
    Unreadable(String),
}

/// Shared by all results for one version of a file.
#[derive(Debug, Default)]
pub struct Version;

impl Text {
    pub fn version(&self) -> Arc<Version> {
        self.source.memo().get::<Version>()
    }

    /// The number of lines in the file.
    pub fn count(&self) -> u64 {
        let source = &self.source;
        let ends = source
            .len()
            .checked_sub(1)
            .and_then(|last| source.text().get_byte(last))
            .is_some_and(|byte| matches!(byte, b'\n' | b'\r'));
        let mark = self.mark();
        if source.len() <= mark { 0 } else { (source.line_count() - usize::from(ends)) as u64 }
    }

    /// The length of the byte order mark.
    fn mark(&self) -> usize {
        if self.source.slice(0..3) == "\u{feff}" { 3 } else { 0 }
    }

    /// Lines `start` to `end`, counted from 1, without the last line break.
    pub fn lines(&self, start: u64, end: u64) -> Option<Span> {
        if start == 0 || start > end || end > self.count() {
            return None;
        }
        let line = |number: u64| u32::try_from(number - 1).ok();
        let from = self
            .source
            .offset(Position { line: line(start)?, column: 0 }, Encoding::Utf8)
            .max(self.mark());
        Some(from..self.source.line_end(line(end)? as usize).max(from))
    }

    /// All lines.
    pub fn all(&self) -> Span {
        self.lines(1, self.count()).unwrap_or(self.mark()..self.mark())
    }
}

/// The lines of some text without their line endings, which don't count as a difference.
pub fn same(a: &str, b: &str) -> bool {
    a == b || unix(a) == unix(b)
}

/// The text with `\n` at the end of each line.
pub fn unix(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        text.into()
    }
}

/// The edit that replaces an item's content. A fence that the content would close gets longer.
pub fn put(cx: &Context, item: &Item, new: &str) -> Option<Edit> {
    let closer = item.closer.clone()?;
    let end = cx.source.line_break();
    let new = unix(new).replace('\n', end);
    let opening = super::line::Lines::read(&new, false);
    let closes = |line: &super::line::Line| matches!(line.kind, super::line::LineKind::Fence(fence) if fence.bare && fence.mark == item.fence.mark && fence.length >= item.fence.length);
    if opening.lines.iter().any(closes) {
        let fence = super::write::safe_fence(&new);
        let opener = cx.source.slice(item.opener.clone());
        let info = opener.trim_start_matches(char::from(item.fence.mark)).to_owned();
        return Some(Edit::replace(
            item.opener.start..closer.end,
            format!("{fence}{info}{end}{new}{end}{fence}"),
        ));
    }
    if item.content.start == closer.start {
        return Some(Edit::insert(closer.start, format!("{new}{end}")));
    }
    let old = cx.source.slice(item.content.clone());
    let difference = crate::text::difference(&old, &new)?;
    let shift = item.content.start;
    Some(Edit::replace(difference.span.start + shift..difference.span.end + shift, difference.text))
}
