//! The callers of a program and the programs it calls: imports, and mentions of imported programs
//! in bodies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::graph::Graph;
use super::mention::{self, MentionKind, Thing};
use super::program::{Header, Program, Text};
use super::spot::{self, Spot, What};
use super::{definition, header};
use crate::answer::{Call, Callable, CallableKind, Occurrence};
use crate::format::Context;
use crate::source::Source;
use crate::text::Span;
use crate::world::World;

/// A program that is referred to, and its file's text.
struct Meant {
    /// `None`: the document itself.
    path: Option<PathBuf>,
    source: Source,
    header: Arc<Header>,
}

/// The callable or caller at `offset`: the imported or mentioned program; elsewhere in front
/// matter, this one.
pub fn callable(program: &Program, cx: &Context, offset: usize) -> Option<Callable> {
    let meant = meant(program, cx, offset).or_else(|| {
        let inside = program.front.as_ref().is_some_and(|front| offset <= front.span.end);
        inside.then(|| own(program, cx))
    })?;
    Some(describe(meant.path, &meant.source, &meant.header))
}

/// The program whose name or path is at `offset`.
fn meant(program: &Program, cx: &Context, offset: usize) -> Option<Meant> {
    let import = match spot::at(program, offset) {
        Some(Spot { what: What::Name, .. }) => return Some(own(program, cx)),
        Some(Spot { what: What::Import(import), .. }) => import,
        Some(_) => return None,
        None => match mention::thing(program, cx, offset)?.thing {
            Thing::Import(import) => import,
            _ => return None,
        },
    };
    let from = cx.path?;
    let path = import.path(from)?;
    if cx.world.identity(&path) == cx.world.identity(from) {
        return Some(own(program, cx));
    }
    let source = cx.world.read(&path).ok()?;
    let header = header(&source);
    header.front.is_some().then_some(Meant { path: Some(path), source, header })
}

/// The name of the program that is imported or mentioned at `offset`.
pub fn name(program: &Program, cx: &Context, offset: usize) -> Option<String> {
    let name = meant(program, cx, offset)?.header.name.as_ref()?.text.clone();
    (!name.trim().is_empty()).then_some(name)
}

fn own(program: &Program, cx: &Context) -> Meant {
    Meant { path: None, source: cx.source.clone(), header: Arc::clone(&program.header) }
}

fn describe(path: Option<PathBuf>, source: &Source, header: &Header) -> Callable {
    let (span, selection) = definition::place(header, source);
    let name = header
        .name
        .as_ref()
        .map(|name| name.text.trim().to_owned())
        .filter(|name| !name.is_empty());
    let stem = || Some(path.as_ref()?.file_stem()?.to_string_lossy().into_owned());
    let detail = header
        .description
        .as_ref()
        .map(|text| text.text.split_whitespace().collect::<Vec<_>>().join(" "));
    let name = name.or_else(stem).unwrap_or_else(|| "(no name)".to_owned());
    Callable {
        path,
        name,
        detail: detail.filter(|detail| !detail.is_empty()),
        kind: CallableKind::Program,
        span,
        selection,
    }
}

/// Where a program imports another one, and where its body mentions it.
struct Uses {
    imports: Vec<Span>,
    mentions: Vec<Span>,
}

fn uses(
    world: &dyn World,
    from: &Path,
    source: &Source,
    importer: &Header,
    identity: &Path,
    name: Option<&Text>,
) -> Uses {
    let imports = importer
        .imports
        .iter()
        .filter(|import| import.path(from).is_some_and(|path| world.identity(&path) == identity));
    let imports: Vec<Span> = imports.map(|import| import.span.clone()).collect();
    let mentions = match name.filter(|name| !imports.is_empty() && !name.text.is_empty()) {
        Some(name) => mention::program(source, &name.text),
        None => Vec::new(),
    };
    Uses { imports, mentions }
}

/// The references to the program at `path` in each program that imports it; the current document is
/// read as it is in the editor.
fn users(cx: &Context, path: &Path, header: &Header) -> Vec<(PathBuf, Source, Uses)> {
    let identity = cx.world.identity(path);
    let mut importers = Graph::of(cx.world).importers(cx.world, path, cx.cancelled);
    // The document may be new.
    if let Some(own) = cx.path.filter(|own| !importers.iter().any(|known| known == own)) {
        importers.push(own.to_owned());
    }
    let found = importers.into_iter().take_while(|_| !(cx.cancelled)()).filter_map(|importer| {
        let source = if cx.path == Some(&importer) {
            cx.source.clone()
        } else {
            cx.world.read(&importer).ok()?
        };
        let uses = uses(
            cx.world,
            &importer,
            &source,
            &super::header(&source),
            &identity,
            header.name.as_ref(),
        );
        (!uses.imports.is_empty()).then_some((importer, source, uses))
    });
    found.collect()
}

/// Every reference in the workspace to the program whose name or path is at `offset`: its own name,
/// the imports of it, and the mentions in the bodies of those programs. `None` if `offset` is on
/// something else.
pub fn references(program: &Program, cx: &Context, offset: usize) -> Option<Vec<Occurrence>> {
    let meant = meant(program, cx, offset)?;
    let mut found = Vec::new();
    if let Some(name) = &meant.header.name {
        found.push(Occurrence { path: meant.path.clone(), span: name.span.clone(), defines: true });
    }
    let Some(path) = meant.path.as_deref().or(cx.path) else { return Some(found) };
    for (importer, _, uses) in users(cx, path, &meant.header) {
        let path = Some(importer).filter(|importer| cx.path != Some(importer));
        let spans = uses.imports.into_iter().chain(uses.mentions);
        found.extend(spans.map(|span| Occurrence { path: path.clone(), span, defines: false }));
    }
    Some(found)
}

/// The references in this document to the program at `offset`.
pub fn occurrences(program: &Program, cx: &Context, offset: usize) -> Option<Vec<Occurrence>> {
    let meant = meant(program, cx, offset)?;
    let here = |span: Span, defines: bool| Occurrence { path: None, span, defines };
    let Some(path) = &meant.path else {
        return Some(meant.header.name.iter().map(|name| here(name.span.clone(), true)).collect());
    };
    let uses = uses(
        cx.world,
        cx.path?,
        cx.source,
        program,
        &cx.world.identity(path),
        meant.header.name.as_ref(),
    );
    Some(uses.imports.into_iter().chain(uses.mentions).map(|span| here(span, false)).collect())
}

/// The programs that import this one; for a tool, this one itself.
pub fn callers(program: &Program, cx: &Context, tool: Option<&str>) -> Vec<Call> {
    if let Some(tool) = tool {
        let spans: Vec<Span> = tools(cx).remove(tool).unwrap_or_default();
        let other = describe(cx.path.map(Path::to_owned), cx.source, program);
        return if spans.is_empty() { Vec::new() } else { vec![Call { other, spans }] };
    }
    let Some(path) = cx.path else { return Vec::new() };
    let calls = users(cx, path, program).into_iter().map(|(importer, source, uses)| {
        let other = describe(Some(importer), &source, &super::header(&source));
        Call { other, spans: uses.imports.into_iter().chain(uses.mentions).collect() }
    });
    calls.collect()
}

/// The programs that this one imports, then the tools of servers that its body mentions.
pub fn calls(program: &Program, cx: &Context) -> Vec<Call> {
    let mut found: Vec<Call> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for import in &program.imports {
        let Some(path) = cx.path.and_then(|from| import.path(from)) else { continue };
        let identity = cx.world.identity(&path);
        if (cx.cancelled)() || !seen.insert(identity.clone()) {
            continue;
        }
        let Ok(source) = cx.world.read(&path) else { continue };
        let other = header(&source);
        if other.front.is_none() {
            continue;
        }
        let uses = cx
            .path
            .map(|from| uses(cx.world, from, cx.source, program, &identity, other.name.as_ref()));
        let spans = uses
            .map(|uses| uses.imports.into_iter().chain(uses.mentions).collect())
            .unwrap_or_default();
        found.push(Call { other: describe(Some(path), &source, &other), spans });
    }
    let servers = mention::Servers::new(&program.servers);
    for (name, spans) in tools(cx) {
        let Some(server) = servers.resolve(&name).and_then(|resolved| resolved.server) else {
            continue;
        };
        let Some(selection) = server.name.as_ref().map(|name| name.span.clone()) else { continue };
        let span = server.span.start.min(selection.start)..server.span.end.max(selection.end);
        let detail = server.name.as_ref().map(|name| format!("a tool of the server {}", name.text));
        found.push(Call {
            other: Callable { path: None, name, detail, kind: CallableKind::Tool, span, selection },
            spans,
        });
    }
    found
}

/// The tools of servers that the body mentions, and where.
fn tools(cx: &Context) -> BTreeMap<String, Vec<Span>> {
    let mut found: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for mention in mention::all(cx.source) {
        if let MentionKind::Tool { name, .. } = mention.kind {
            found.entry(name).or_default().push(mention.span);
        }
    }
    found
}
