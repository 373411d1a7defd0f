//! References: a server's name and its tools in the body.

use super::thing::{Thing, server_place, thing};
use super::{MentionKind, Servers, all};
use crate::answer::Occurrence;
use crate::format::Context;
use crate::format::markdownlang::Program;

/// The same for highlights: the one at `offset` contains it.
pub fn occurrences(program: &Program, cx: &Context, offset: usize) -> Vec<Occurrence> {
    let mut found = references(program, cx, offset);
    let here = thing(program, cx, offset).map(|found| found.span);
    if let Some(here) = here
        && let Some(own) = found.iter_mut().find(|own| own.span.end == here.end)
    {
        own.span.start = own.span.start.min(here.start);
    }
    found
}

/// Every reference to the server, tool or interpreter at `offset`, in order.
pub fn references(program: &Program, cx: &Context, offset: usize) -> Vec<Occurrence> {
    let Some(found) = thing(program, cx, offset) else { return Vec::new() };
    let mut places = Vec::new();
    let mut push = |span, defines| places.push(Occurrence { path: None, span, defines });
    match &found.thing {
        Thing::Server { server: Some(server), .. } => {
            if let Some(name) = &server.name {
                push(name.span.clone(), true);
            }
        }
        Thing::Import(_) => return Vec::new(),
        _ => {}
    }
    let servers = Servers::new(&program.servers);
    for mention in all(cx.source).take_while(|_| !(cx.cancelled)()) {
        match (&mention.kind, &found.thing) {
            (MentionKind::Python, Thing::Python) => push(mention.span, false),
            (MentionKind::Tool { name, .. }, Thing::Tool { name: wanted, .. })
                if name == wanted =>
            {
                push(mention.span, false)
            }
            (MentionKind::Tool { name, .. }, Thing::Server { name: wanted, .. }) => {
                if let Some(parts) =
                    servers.resolve(name).filter(|parts| parts.server_name == wanted)
                {
                    push(server_place(cx.source, &mention, parts.server_name), false);
                }
            }
            _ => {}
        }
    }
    places
}
