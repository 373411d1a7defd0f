//! Completion of names: in values of front matter, and after `/`, `$` and `#tool:` in the body.

use std::collections::BTreeMap;

use super::declared::Declaration;
use super::index::Index;
use super::mentions::Word;
use super::resolve::{is_seen, readers};
use super::servers;
use crate::answer::{Completion, CompletionKind};
use crate::client::{Kind, Role};
use crate::format::Context;
use crate::format::agent::declared;
use crate::format::agent::subject::Subject;
use crate::text::Edit;

/// At most this many names are offered.
const MOST: usize = 2_000;

/// The names of a kind that a client finds from the document, except for the document's own.
pub fn names(cx: &Context, role: &Role, kind: Kind) -> Vec<String> {
    let Some(path) = cx.path else { return Vec::new() };
    let all = Index::of(cx.world).all(cx.world);
    let of_kind = all.iter().filter(|declared| declared.kind == kind && declared.path != path);
    let mut found: Vec<String> = of_kind
        .filter(|declared| is_seen(cx, role, declared))
        .take(MOST)
        .map(|declared| name(declared, role).to_owned())
        .collect();
    found.extend(role.client.built_in.get(kind.name()).into_iter().flatten().cloned());
    found.sort();
    found.dedup();
    found
}

/// The same while the index may be incomplete: includes the client's places on disk.
pub fn known(subject: &Subject, role: &Role, kind: Kind) -> Vec<String> {
    let mut found = names(subject.cx, role, kind);
    if !Index::of(subject.cx.world).is_complete() {
        found.extend(declared::names(subject, role, kind));
        found.sort();
        found.dedup();
    }
    found
}

/// The servers that a client is configured with.
pub fn server_names(cx: &Context, role: &Role) -> Vec<String> {
    let mut found: Vec<String> =
        servers::listed(cx, &[role.client]).all.into_iter().map(|server| server.name).collect();
    found.sort();
    found.dedup();
    found
}

/// The name that a client calls a file by.
fn name<'d>(declared: &'d Declaration, role: &Role) -> &'d str {
    match declared.kind {
        Kind::Agent if role.client.name != "opencode" => declared.shown(),
        _ => &declared.stem,
    }
}

/// The names that can be mentioned at `offset` in the body.
pub fn complete(subject: &Subject, offset: usize) -> Vec<Completion> {
    let cx = subject.cx;
    let line = cx.source.line_span(offset).start..offset;
    let text = cx.source.slice(line);
    let start = text
        .rfind(|letter: char| letter.is_whitespace() || "`([\"'*".contains(letter))
        .map_or(0, |at| {
            at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        });
    let word = text.get(start..).unwrap_or_default();
    let roles = readers(&subject.file);
    let (typed, kinds): (&str, &[Kind]) = if let Some(typed) = word.strip_prefix('/') {
        (typed, Word::Slash(String::new()).kinds())
    } else if let Some(typed) = word.strip_prefix("#tool:") {
        return tools(&roles, typed, offset);
    } else if let Some(typed) = word.strip_prefix('$') {
        if !roles.iter().any(|role| role.client.skill_sign == Some('$')) {
            return Vec::new();
        }
        (typed, &[Kind::Skill])
    } else if let Some(typed) = word.strip_prefix("@agent-") {
        (typed, &[Kind::Agent])
    } else {
        return Vec::new();
    };
    if typed.contains(['/', '.', '$']) || is_fenced(subject, offset) {
        return Vec::new();
    }
    let mut found: BTreeMap<String, &'static str> = BTreeMap::new();
    for kind in kinds {
        for role in &roles {
            for name in names(cx, role, *kind) {
                let mentioned = !name.contains(char::is_whitespace);
                if mentioned {
                    found.entry(name).or_insert(kind.name());
                }
            }
        }
    }
    let item = |(rank, (name, kind)): (usize, (String, &str))| Completion {
        label: name.clone(),
        kind: CompletionKind::Function,
        detail: Some(kind.to_owned()),
        documentation: None,
        edit: Edit::replace(offset - typed.len()..offset, name),
        snippet: None,
        rank: u32::try_from(rank).unwrap_or(u32::MAX),
        more: false,
    };
    found.into_iter().enumerate().map(item).collect()
}

fn is_fenced(subject: &Subject, offset: usize) -> bool {
    let source = subject.cx.source;
    let Some(placed) = source.section_at(offset) else { return false };
    let local = offset - placed.start;
    source.blocks(placed).blocks.iter().any(|block| {
        matches!(block.kind, crate::markdown::BlockKind::Code { .. })
            && block.span.start < local
            && local <= block.span.end
    })
}

fn tools(roles: &[Role], typed: &str, offset: usize) -> Vec<Completion> {
    let mut names: Vec<&str> =
        roles.iter().flat_map(|role| role.client.tools.names.keys()).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let item = |(rank, name): (usize, &str)| Completion {
        label: name.to_owned(),
        kind: CompletionKind::Function,
        detail: Some("tool".to_owned()),
        documentation: None,
        edit: Edit::replace(offset - typed.len()..offset, name),
        snippet: None,
        rank: u32::try_from(rank).unwrap_or(u32::MAX),
        more: false,
    };
    names.into_iter().enumerate().map(item).collect()
}
