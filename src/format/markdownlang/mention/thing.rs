//! The thing that a mention refers to: a server, a tool, the built-in interpreter, an imported
//! program.

use std::sync::Arc;

use super::scan::{Actions, written};
use super::{Mention, MentionKind, at, names, resolve};
use crate::format::Context;
use crate::format::markdownlang::program::{Import, Server};
use crate::format::markdownlang::spot::{self, Spot, What};
use crate::format::markdownlang::{Program, header};
use crate::source::Source;
use crate::text::Span;

/// At most this many imports are read.
const MOST_IMPORTS: usize = 200;

/// A thing and the mention of it.
pub struct Found<'a> {
    pub span: Span,
    pub thing: Thing<'a>,
}

pub enum Thing<'a> {
    /// A server: its name in front matter, or in a tool's name.
    Server {
        name: String,
        server: Option<&'a Server>,
    },
    /// A tool of a server.
    Tool {
        name: String,
        tool: String,
        server_name: String,
        server: Option<&'a Server>,
    },
    Python,
    /// An imported program, by its name.
    Import(&'a Import),
}

/// The thing at an offset of the document; for a tool's name, the server or the tool.
pub fn thing<'a>(program: &'a Program, cx: &Context, offset: usize) -> Option<Found<'a>> {
    if program.front.as_ref().is_some_and(|front| offset < front.span.end) {
        let Spot { span, what: What::ServerName(name) } = spot::at(program, offset)? else {
            return None;
        };
        let server = program
            .servers
            .iter()
            .find(|server| server.name.as_ref().is_some_and(|name| name.span == span))?;
        return Some(Found {
            span,
            thing: Thing::Server { name: name.to_owned(), server: Some(server) },
        });
    }
    if let Some(mention) = at(cx.source, offset) {
        let MentionKind::Tool { name, .. } = &mention.kind else {
            return Some(Found { span: mention.span, thing: Thing::Python });
        };
        let found = resolve(name, &program.servers)?;
        let place = server_place(cx.source, &mention, found.server_name);
        let raw = cx.source.slice(mention.span.clone());
        let tool_start = mention.span.start
            + found.tool.map_or(raw.len(), |tool| written(&raw, name.len() - tool.len()));
        let server_name = found.server_name.to_owned();
        // The signs before a name belong to it.
        let span = |start: usize, before: usize, end: usize| {
            if offset < start { before..end } else { start..end }
        };
        return Some(match found.tool {
            Some(tool) if offset > place.end => Found {
                span: span(tool_start, place.end, mention.span.end),
                thing: Thing::Tool {
                    name: name.clone(),
                    tool: tool.to_owned(),
                    server_name,
                    server: found.server,
                },
            },
            _ => Found {
                span: span(place.start, mention.span.start, place.end),
                thing: Thing::Server { name: server_name, server: found.server },
            },
        });
    }
    let (span, import) = import(program, cx, offset)?;
    Some(Found { span, thing: Thing::Import(import) })
}

/// The span of the server in the name of a tool.
pub fn server_place(source: &Source, mention: &Mention, server: &str) -> Span {
    let raw = source.slice(mention.span.clone());
    let start = "mcp__".len();
    mention.span.start + written(&raw, start)
        ..mention.span.start + written(&raw, start + server.len())
}

/// The imports whose programs can be read, with their names.
pub fn imported<'a>(program: &'a Program, cx: &Context) -> Vec<(&'a Import, String)> {
    let Some(from) = cx.path else { return Vec::new() };
    let imports = program.imports.iter().take(MOST_IMPORTS).take_while(|_| !(cx.cancelled)());
    let named = imports.filter_map(|import| {
        let path = import.path(from).filter(|path| path != from)?;
        let name = header(&cx.world.read(&path).ok()?).name.clone()?;
        (!name.text.trim().is_empty()).then_some((import, name.text))
    });
    named.collect()
}

/// Where the body contains a program's exact name, outside actions.
pub fn program(source: &Source, name: &str) -> Vec<Span> {
    let mut found: Vec<Span> =
        names(source, &Arc::from([name.to_owned()])).into_iter().map(|(_, span)| span).collect();
    found.retain(|span| is_prose(source, span) && source.slice(span.clone()) == name);
    found
}

fn is_prose(source: &Source, span: &Span) -> bool {
    source.section_at(span.start).is_some_and(|placed| {
        !Actions::read(&source.section_text(placed)).hold(span.start - placed.start)
    })
}

/// The imported program whose exact name is at an offset: other words are prose.
fn import<'a>(program: &'a Program, cx: &Context, offset: usize) -> Option<(Span, &'a Import)> {
    if program.imports.is_empty() {
        return None;
    }
    let known = imported(program, cx);
    let wanted: Arc<[String]> = known.iter().map(|(_, name)| name.clone()).collect();
    let found = names(cx.source, &wanted).into_iter();
    let (index, span) = found
        .filter(|(_, span)| (span.start..=span.end).contains(&offset))
        .max_by_key(|(_, span)| span.len())?;
    let exact = wanted.get(index).is_some_and(|name| *name == cx.source.slice(span.clone()));
    (exact && is_prose(cx.source, &span)).then_some((span, known.get(index)?.0))
}
