//! Call hierarchy: the skills, agents, commands and files that a file uses, and the files that use
//! it.

use std::path::{Path, PathBuf};

use super::declared::{self, Declaration};
use super::mentions::{self, Word};
use super::references::{self, Subject, asked, is_at, own_name};
use super::resolve::{Target, readers, resolve};
use crate::answer::{Call, Callable, CallableKind};
use crate::client;
use crate::format::Context;
use crate::format::agent::file::File;
use crate::source::Source;
use crate::text::Span;

/// The file that the name at an offset means; elsewhere in the front matter, this file.
pub fn callable(cx: &Context, offset: usize) -> Option<Callable> {
    let own = || {
        let front = cx.source.front_matter().map_or(0, |front| front.span.end);
        let inside = offset < front || offset <= cx.source.line_span(0).end;
        inside.then(|| describe(cx, cx.path?, cx.source)).flatten()
    };
    match asked(cx, offset).map(|asked| asked.subject) {
        Some(Subject::Declared(declared)) => {
            let declared = declared.first()?;
            if cx.path == Some(&declared.path) {
                return describe(cx, &declared.path, cx.source);
            }
            describe(cx, &declared.path, &cx.world.look(&declared.path).ok()?)
        }
        Some(Subject::File(path)) => describe(cx, &path, &cx.world.look(&path).ok()?),
        _ => own(),
    }
}

fn describe(cx: &Context, path: &Path, source: &Source) -> Option<Callable> {
    let (span, selection) = declared::place(source);
    let (name, detail) = match declared::of(cx.world, path, source) {
        Some(declared) => (declared.shown().to_owned(), declared.kind.name().to_owned()),
        None => {
            let kind = client::roles(cx.place_of(path))
                .first()
                .map_or("file", |role| role.reads.kind.name());
            (path.file_name()?.to_str()?.to_owned(), kind.to_owned())
        }
    };
    let path = Some(path).filter(|path| cx.path != Some(*path)).map(Path::to_owned);
    Some(Callable {
        path,
        name,
        detail: Some(detail),
        kind: CallableKind::Program,
        span,
        selection,
    })
}

/// The files that mention this document.
pub fn callers(cx: &Context) -> Vec<Call> {
    let Some(path) = cx.path else { return Vec::new() };
    let own = declared::of(cx.world, path, cx.source);
    let mut words: Vec<String> =
        own.iter().flat_map(Declaration::names).map(str::to_lowercase).collect();
    words.extend(path.file_name().and_then(|name| name.to_str()).map(str::to_lowercase));
    let mut found: Vec<(PathBuf, Vec<Span>)> = Vec::new();
    references::each(cx, &words, &mut |other, roles, mention| {
        let Some(file) = other.path.filter(|file| *file != path) else { return };
        if !matches!(mention.word, Word::File(_))
            && !mention.word.keys().iter().any(|key| words.contains(key))
        {
            return;
        }
        let resolved = resolve(other, roles, mention);
        let meant = resolved.found.iter().any(|target| match &own {
            Some(own) => is_at(target, own),
            None => target.path() == Some(path),
        });
        if meant {
            let (span, _) = own_name(other, mention);
            match found.iter_mut().find(|(known, _)| known == file) {
                Some((_, spans)) => spans.push(span),
                None => found.push((file.to_owned(), vec![span])),
            }
        }
    });
    let calls = found.into_iter().filter_map(|(file, spans)| {
        let source = cx.world.look(&file).ok()?;
        Some(Call { other: describe(cx, &file, &source)?, spans })
    });
    calls.collect()
}

/// The files that this document mentions.
pub fn calls(cx: &Context) -> Vec<Call> {
    let Some(file) = File::of(cx) else { return Vec::new() };
    let roles = readers(&file);
    let mut found: Vec<(PathBuf, Vec<Span>)> = Vec::new();
    for mention in mentions::of(cx.source, &roles).into_iter().take_while(|_| !(cx.cancelled)()) {
        let resolved = resolve(cx, &roles, &mention);
        let target =
            resolved.found.first().filter(|target| !matches!(target, Target::Server { .. }));
        let Some(path) = target.and_then(Target::path).filter(|path| cx.path != Some(*path)) else {
            continue;
        };
        let (span, _) = own_name(cx, &mention);
        match found.iter_mut().find(|(known, _)| known == path) {
            Some((_, spans)) => spans.push(span),
            None => found.push((path.to_owned(), vec![span])),
        }
    }
    let calls = found.into_iter().filter_map(|(path, spans)| {
        let source = cx.world.look(&path).ok()?;
        Some(Call { other: describe(cx, &path, &source)?, spans })
    });
    calls.collect()
}
