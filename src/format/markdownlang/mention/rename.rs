//! Rename: a server, in front matter and in every mention of its tools.

use super::references::references;
use super::thing::{Found, Thing, thing};
use crate::answer::{FileEdit, Renamable};
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::program::Server;
use crate::format::markdownlang::rules::{RuleContext, is_tool_name};
use crate::text::Edit;

/// The name of a declared server at `offset`.
pub fn renamable(program: &Program, cx: &Context, offset: usize) -> Option<Renamable> {
    let (found, name, server) = server(program, cx, offset)?;
    let own = server.name.as_ref()?;
    let mut span = found.span;
    // In front matter the span has its quotes.
    if span == own.span && span.len() == name.len() + 2 {
        span = span.start + 1..span.end - 1;
    }
    let plain = *cx.source.slice(own.span.clone()) == *name || own.span.len() == name.len() + 2;
    plain.then_some(Renamable { span, name })
}

/// Renames the server at `offset`; `None` if `offset` is on something else.
pub fn rename(
    program: &Program,
    cx: &Context,
    offset: usize,
    name: &str,
) -> Option<Result<Vec<FileEdit>, String>> {
    let (_, old, server) = server(program, cx, offset)?;
    Some(edits(program, cx, offset, name, &old, server))
}

fn edits(
    program: &Program,
    cx: &Context,
    offset: usize,
    name: &str,
    old: &str,
    server: &Server,
) -> Result<Vec<FileEdit>, String> {
    if !is_tool_name(name) {
        return Err(format!(
            "`{name}` cannot be part of a tool's name; use letters, digits, `_` and `-`, at most 64"
        ));
    }
    let taken = |other: &Server| {
        other != server && other.name.as_ref().is_some_and(|text| text.text == name)
    };
    if program.servers.iter().any(taken) {
        return Err(format!("the server `{name}` already exists"));
    }
    if server.name.as_ref().is_some_and(|name| cx.source.slice(name.span.clone()).starts_with('*'))
    {
        return Err(format!("the name `{old}` comes from an alias; change it at the anchor"));
    }
    let context = RuleContext::new(program, cx);
    let edit = |place: crate::answer::Occurrence| {
        let text = if place.defines { context.print(&place.span, name) } else { name.to_owned() };
        Edit::replace(place.span, text)
    };
    Ok(vec![FileEdit {
        path: None,
        edits: references(program, cx, offset_of(server, offset)).into_iter().map(edit).collect(),
    }])
}

/// An offset on the server's name: the cursor may be elsewhere in a tool's name.
fn offset_of(server: &Server, offset: usize) -> usize {
    server.name.as_ref().map_or(offset, |name| name.span.start)
}

fn server<'a>(
    program: &'a Program,
    cx: &Context,
    offset: usize,
) -> Option<(Found<'a>, String, &'a Server)> {
    let found = thing(program, cx, offset)?;
    let Thing::Server { name, server } = &found.thing else { return None };
    let (name, server) = (name.clone(), (*server)?);
    Some((found, name, server))
}
