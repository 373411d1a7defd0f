//! Resolves a mention: the documents that it may refer to, and its nodes in them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::names::{Names, name};
use crate::format::Context;
use crate::selector::failure::{Failure, excess, failure, page_failure};
use crate::selector::mention::Mention;
use crate::selector::page::MAX_WORDS;
use crate::selector::suggest::suggestions;
use crate::selector::{Content, Match, Selector, Tree, contents, resolve};
use crate::source::Source;
use crate::world::{EntryKind, Knowledge, is_markdown, resolve as resolve_path};

/// If more documents than this have the same name, it's ambiguous.
const MOST: usize = 8;

/// With more cached selectors than this, the cache of a document is cleared: while a selector is
/// typed in another document, each key press adds one.
const MOST_FAILURES: usize = 1024;

/// A document that a mention refers to.
#[derive(Clone)]
pub struct Target {
    pub name: String,
    /// `None`: the document of the request.
    pub path: Option<PathBuf>,
    pub source: Source,
    pub tree: Arc<Tree>,
}

/// The documents that a mention may refer to, the likeliest first.
#[derive(Default)]
pub struct Targets {
    pub list: Vec<Target>,
    /// The list is complete: a target in none of them doesn't exist.
    pub sure: bool,
}

/// Why selectors don't match in a document, by their spelling.
#[derive(Default)]
struct Failures(Mutex<FxHashMap<String, Option<Arc<Unresolved>>>>);

impl Target {
    /// The document of the request.
    pub fn own(cx: &Context) -> Self {
        let name = cx.path.map_or_else(|| "stdin".to_owned(), name);
        Self { name, path: None, source: cx.source.clone(), tree: Tree::of(cx.source) }
    }

    fn read(cx: &Context, path: &Path) -> Option<Self> {
        if cx.path == Some(path) {
            return Some(Self::own(cx));
        }
        let source = cx.world.read(path).ok()?;
        Some(Self {
            name: name(path),
            path: Some(path.to_owned()),
            tree: Tree::of(&source),
            source,
        })
    }

    /// The display of each node that a selector selects here; empty if it selects none.
    pub fn contents(&self, selector: &Selector) -> Vec<(Match, Content)> {
        let mut found = Vec::new();
        for each in resolve(&self.tree, selector) {
            let text = self.source.slice(self.tree.span(each.node));
            let shown =
                contents(&self.tree, &text, &each, &selector.query, MAX_WORDS).unwrap_or_default();
            found.extend(shown.into_iter().map(|content| (each.clone(), content)));
        }
        found
    }

    /// Why a selector doesn't match here; `None` if it matches. Cached with the text.
    pub fn failure(&self, text: &str, selector: &Selector) -> Option<Arc<Unresolved>> {
        let known = self.source.memo().get::<Failures>();
        if let Some(found) = known.0.lock().get(text) {
            return found.clone();
        }
        let found = self
            .read_failure(selector)
            .map(|failure| Arc::new(Unresolved { failure, suggestions: OnceLock::new() }));
        let mut known = known.0.lock();
        if known.len() >= MOST_FAILURES {
            known.clear();
        }
        known.insert(text.to_owned(), found.clone());
        found
    }

    fn read_failure(&self, selector: &Selector) -> Option<Failure> {
        let found = resolve(&self.tree, selector);
        let Some(first) = found.first() else { return Some(failure(&self.tree, selector)) };
        if let Some(failure) = excess(&self.tree, selector) {
            return Some(failure);
        }
        first.pages.as_ref()?;
        let mut pages = None;
        for each in &found {
            match contents(
                &self.tree,
                &self.source.slice(self.tree.span(each.node)),
                each,
                &selector.query,
                MAX_WORDS,
            ) {
                Ok(_) => return None,
                Err(count) => pages = pages.or(Some(count)),
            }
        }
        pages.map(|pages| page_failure(selector, pages))
    }
}

/// A selector that doesn't match in a document.
#[derive(Debug)]
pub struct Unresolved {
    pub failure: Failure,
    suggestions: OnceLock<Vec<String>>,
}

impl Unresolved {
    /// What the selector may have meant. Searches the whole document.
    pub fn suggestions(&self, text: &str, target: &Target) -> &[String] {
        self.suggestions.get_or_init(|| suggestions(text, &[(target.name.as_str(), &target.tree)]))
    }
}

/// The documents that a mention refers to.
pub fn targets(cx: &Context, mention: &Mention) -> Targets {
    let said = mention
        .selector
        .as_ref()
        .ok()
        .and_then(|selector| selector.namespace.as_ref())
        .map(|name| name.to_ascii_lowercase());
    if !mention.files.is_empty() {
        return named_files(cx, mention, said.as_deref());
    }
    match said {
        Some(said) => called(cx, &said),
        // Without a file, a command refers to those of its working folder.
        None if mention.in_command => Targets::default(),
        None => Targets { list: vec![Target::own(cx)], sure: false },
    }
}

/// The files that the same command names.
fn named_files(cx: &Context, mention: &Mention, said: Option<&str>) -> Targets {
    let Some(own) = cx.path else { return Targets::default() };
    let mut targets = Targets { list: Vec::new(), sure: true };
    let mut names = Vec::new();
    for file in mention.files.iter().take(MOST) {
        let beside = resolve_path(own, file);
        let found = Target::read(cx, &beside).or_else(|| Target::read(cx, &cx.root()?.join(file)));
        targets.sure &= found.is_some();
        let Some(found) = found else { continue };
        // Equal names are numbered.
        targets.sure &= !names.contains(&found.name);
        names.push(found.name.clone());
        if said.is_none_or(|said| said == found.name) {
            targets.list.push(found);
        }
    }
    targets.sure &= mention.files.len() <= MOST;
    targets
}

/// The documents with this name: the current one, its neighbours, those of the workspace.
pub fn called(cx: &Context, said: &str) -> Targets {
    let own = cx.path.filter(|path| name(path) == said);
    let names = Names::of(cx.world);
    // Asked first, because more files may become known during the lookup.
    let complete = names.is_complete();
    let mut paths = names.documents(said);
    if paths.is_empty() && own.is_none() {
        // A file that isn't in the index yet, or a folder outside the workspace.
        paths = beside(cx, said);
    }
    let folder = cx.path.and_then(Path::parent);
    let distance = |path: &Path| {
        let shared = folder.map_or(0, |folder| {
            folder.components().zip(path.components()).take_while(|(a, b)| a == b).count()
        });
        (path.components().count() + folder.map_or(0, |folder| folder.components().count()))
            .saturating_sub(2 * shared)
    };
    paths.extend(own.map(Path::to_owned));
    paths.sort_by(|a, b| {
        (Some(a.as_path()) != own, distance(a), a).cmp(&(Some(b.as_path()) != own, distance(b), b))
    });
    paths.dedup();
    let list: Vec<Target> =
        paths.iter().take(MOST).filter_map(|path| Target::read(cx, path)).collect();
    // If no more files will be indexed, the known ones are complete.
    let mut sure = paths.len() <= MOST
        && (complete || !list.is_empty() && cx.world.knowledge() == Knowledge::Some);
    if list.is_empty() {
        // `doc-2` is the second of two documents in a call.
        let numbered = said.rsplit_once('-').is_some_and(|(base, number)| {
            !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
                && !called_at_all(cx, &names, base).is_empty()
        });
        sure &= !numbered && said != "stdin";
    }
    Targets { list, sure }
}

fn called_at_all(cx: &Context, names: &Names, said: &str) -> Vec<PathBuf> {
    let mut found = names.documents(said);
    found.extend(cx.path.filter(|path| name(path) == said).map(Path::to_owned));
    found
}

/// The files with this name in the folder of the current document.
fn beside(cx: &Context, said: &str) -> Vec<PathBuf> {
    let Some(folder) = cx.path.and_then(Path::parent) else { return Vec::new() };
    let entries = cx.world.list(folder).into_iter().filter(|entry| entry.kind == EntryKind::File);
    entries
        .map(|entry| folder.join(entry.name))
        .filter(|path| is_markdown(path) && name(path) == said)
        .collect()
}

/// The first document in which a mention matches, and its selector.
pub fn resolved<'m>(cx: &Context, mention: &'m Mention) -> Option<(Target, &'m Selector)> {
    let selector = mention.selector.as_ref().ok()?;
    let target = targets(cx, mention)
        .list
        .into_iter()
        .find(|target| !resolve(&target.tree, selector).is_empty())?;
    Some((target, selector))
}
