//! Highlights of mentions: the server of a tool as a namespace, the tool as a function.

use super::thing::server_place;
use super::{MentionKind, Servers, within};
use crate::answer::Highlight;
use crate::format::markdownlang::Program;
use crate::source::Source;
use crate::text::Span;

/// The mentions that touch `range`, in order. The template highlights the strings of actions.
pub fn highlights(program: &Program, source: &Source, range: &Span) -> Vec<Highlight> {
    let mut found = Vec::new();
    let servers = Servers::new(&program.servers);
    for mention in within(source, range).filter(|mention| !mention.in_action) {
        let MentionKind::Tool { name, .. } = &mention.kind else {
            found.push(Highlight { span: mention.span, kind: "function" });
            continue;
        };
        let Some(parts) = servers.resolve(name) else { continue };
        let server = server_place(source, &mention, parts.server_name);
        found.push(Highlight { span: mention.span.start..server.end, kind: "namespace" });
        if parts.tool.is_some() && server.end < mention.span.end {
            found.push(Highlight { span: server.end..mention.span.end, kind: "function" });
        }
    }
    found
}
