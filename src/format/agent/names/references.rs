//! References: every mention of a name in the workspace.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::declared::{self, Declaration};
use super::index::Index;
use super::mentions::{self, Mention, Word};
use super::rename::last;
use super::resolve::{Plugins, Resolved, Target, readers, resolve, resolve_among};
use super::settings;
use crate::answer::Occurrence;
use crate::client::{self, Role};
use crate::format::Context;
use crate::format::agent::file::File;
use crate::source::Source;
use crate::text::Span;
use crate::world::Knowledge;

/// At most this many files are searched for mentions.
const MOST_FILES: usize = 20_000;

/// The subject of a request: a file, a server or a tool, and where the request was made.
pub struct Asked {
    /// The name at the offset, in bytes of the document.
    pub span: Span,
    pub name: String,
    pub subject: Subject,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Files that declare the name.
    Declared(Vec<Arc<Declaration>>),
    File(PathBuf),
    /// A tool or a server, by name.
    Tool(String),
}

/// The subject of a request at an offset: a mention, or the document's own name.
pub fn asked(cx: &Context, offset: usize) -> Option<Asked> {
    let file = File::of(cx)?;
    if let Some((name, span)) = declared::name(cx.source)
        && span.start <= offset
        && offset <= span.end
        && let Some(own) = declared::of(cx.world, cx.path?, cx.source)
    {
        return Some(Asked { span, name, subject: Subject::Declared(vec![Arc::new(own)]) });
    }
    let roles = readers(&file);
    let mention = mentions::at(cx.source, &roles, offset)?;
    let resolved = resolve(cx, &roles, &mention);
    let subject = subject(&mention, &resolved)?;
    let (span, name) = own_name(cx, &mention);
    Some(Asked { span, name, subject })
}

/// The name in a mention, without the plugin before it.
pub fn own_name(cx: &Context, mention: &Mention) -> (Span, String) {
    let span = match &mention.word {
        Word::Scoped(plugin, _) => mention.span.start + plugin.len() + 1..mention.span.end,
        _ => mention.span.clone(),
    };
    let name = cx.source.slice(span.clone()).into_owned();
    (span, name)
}

fn subject(mention: &Mention, resolved: &Resolved) -> Option<Subject> {
    match &mention.word {
        Word::Tool(tool) => return Some(Subject::Tool(tool.clone())),
        Word::Server(name) => return Some(Subject::Tool(name.clone())),
        _ => {}
    }
    let declared: Vec<Arc<Declaration>> = resolved
        .found
        .iter()
        .filter_map(|target| match target {
            Target::Declared(declared) => Some(Arc::clone(declared)),
            _ => None,
        })
        .collect();
    if !declared.is_empty() {
        return Some(Subject::Declared(declared));
    }
    resolved.found.first().and_then(Target::path).map(|path| Subject::File(path.to_owned()))
}

/// Calls `each` with every mention in files that contain one of some words, with the file's context
/// and its clients.
pub fn each(cx: &Context, words: &[String], each: &mut dyn FnMut(&Context, &[Role], &Mention)) {
    let index = Index::of(cx.world);
    if cx.world.knowledge() == Knowledge::Later && !index.is_complete() {
        // The request is repeated once all files are known.
        cx.world.files();
    }
    let mut look = |path: &Path, source: &Source| {
        let own = Context { source, path: Some(path), ..*cx };
        let roles = match File::of(&own) {
            Some(file) => readers(&file),
            None => client::roles(cx.place_of(path)),
        };
        for mention in mentions::of(source, &roles) {
            each(&own, &roles, &mention);
        }
    };
    if let Some(path) = cx.path {
        look(path, cx.source);
    }
    let speakers = Index::speakers(cx.world, words).into_iter().take(MOST_FILES);
    for path in speakers.filter(|path| cx.path != Some(path)) {
        if (cx.cancelled)() {
            return;
        }
        if let Ok(source) = cx.world.look(&path) {
            look(&path, &source);
        }
    }
}

/// Every mention of the subject at an offset, and its declaration.
pub fn references(cx: &Context, offset: usize) -> Vec<Occurrence> {
    let Some(asked) = asked(cx, offset) else { return Vec::new() };
    let mut found: Vec<Occurrence> = Vec::new();
    let here = |path: &Path| Some(path).filter(|path| cx.path != Some(*path)).map(Path::to_owned);
    let mut paths: Vec<String> = Vec::new();
    let words: Vec<String> = match &asked.subject {
        Subject::Declared(declared) => {
            for declared in declared {
                let own = cx.path == Some(&declared.path);
                let source =
                    if own { Ok(cx.source.clone()) } else { cx.world.look(&declared.path) };
                let span = source.ok().map_or(0..0, |source| declared::place(&source).1);
                found.push(Occurrence { path: here(&declared.path), span, defines: true });
                paths.extend(last(declared.folder().unwrap_or(&declared.path)));
            }
            let names = declared.iter().flat_map(|declared| declared.names());
            names.map(str::to_lowercase).collect()
        }
        Subject::File(path) => last(path).into_iter().collect(),
        Subject::Tool(name) => vec![name.to_lowercase()],
    };
    let searched = [words.as_slice(), &paths].concat();
    let plugins = Plugins::default();
    each(cx, &searched, &mut |own, roles, mention| {
        let file = own.path.unwrap_or(Path::new(""));
        let same = match (&asked.subject, &mention.word) {
            (Subject::Tool(name), Word::Tool(other) | Word::Server(other)) => name == other,
            (Subject::Tool(_), _) | (_, Word::Tool(_) | Word::Server(_)) => false,
            (Subject::Declared(declared), word) => {
                let maybe = match word {
                    Word::File(_) => true,
                    word => word.keys().iter().any(|key| words.contains(key)),
                };
                maybe
                    && resolve_among(own, roles, mention, &plugins).found.iter().any(|target| {
                        declared.iter().any(|declared| leads_to(own, target, declared))
                    })
            }
            (Subject::File(path), Word::File(_)) => {
                resolve(own, roles, mention).found.iter().any(|target| target.path() == Some(path))
            }
            (Subject::File(_), _) => false,
        };
        if same {
            let (span, _) = own_name(own, mention);
            found.push(Occurrence { path: here(file), span, defines: false });
        }
    });
    if let Subject::Declared(declared) = &asked.subject {
        let paths = declared.iter().map(|declared| declared.path.as_path());
        settings::each(cx, paths, &mut |own, mention| {
            let meant = settings::meant(own, mention, &plugins);
            if meant.iter().any(|meant| declared.iter().any(|one| one.path == meant.path)) {
                let (span, _) = own_name(own, mention);
                found.push(Occurrence { path: own.path.and_then(here), span, defines: false });
            }
        });
    }
    found.sort_by(|a, b| {
        (&a.path, a.span.start, a.span.end).cmp(&(&b.path, b.span.start, b.span.end))
    });
    found.dedup_by(|next, kept| next.path == kept.path && next.span == kept.span);
    found
}

/// Whether a target is a declaration, or the file of one.
pub fn is_at(target: &Target, declared: &Declaration) -> bool {
    target.path() == Some(&declared.path)
}

/// The same, including links to it.
fn leads_to(cx: &Context, target: &Target, declared: &Declaration) -> bool {
    let through_link = |path: &Path| {
        path.file_name() == declared.path.file_name()
            && cx.world.identity(path) == cx.world.identity(&declared.path)
    };
    is_at(target, declared) || matches!(target, Target::File(path) if through_link(path))
}

/// The mentions of the subject at an offset in the document itself.
pub fn occurrences(cx: &Context, offset: usize) -> Vec<Occurrence> {
    let Some(asked) = asked(cx, offset) else { return Vec::new() };
    let Some(file) = File::of(cx) else { return Vec::new() };
    let roles = readers(&file);
    let mut found = Vec::new();
    let plugins = Plugins::default();
    if let (Subject::Declared(declared), Some((_, span))) =
        (&asked.subject, declared::name(cx.source))
        && declared.iter().any(|declared| cx.path == Some(&declared.path))
    {
        found.push(Occurrence { path: None, span, defines: true });
    }
    for mention in mentions::of(cx.source, &roles) {
        let (span, name) = own_name(cx, &mention);
        let same = match &asked.subject {
            Subject::Tool(tool) => {
                matches!(&mention.word, Word::Tool(other) | Word::Server(other) if other == tool)
            }
            _ if span != asked.span && name != asked.name => false,
            _ => {
                let resolved = resolve_among(cx, &roles, &mention, &plugins);
                subject(&mention, &resolved).as_ref() == Some(&asked.subject)
            }
        };
        if same {
            found.push(Occurrence { path: None, span, defines: false });
        }
    }
    found
}
