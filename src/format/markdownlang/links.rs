//! Links: imports to their files, and the URLs of servers.

use super::Program;
use super::program::Text;
use crate::answer::{Link, LinkTarget};
use crate::format::Context;
use crate::text::Span;

/// The links of the front matter, in order.
pub fn links(program: &Program, cx: &Context) -> Vec<Link> {
    let mut found = Vec::new();
    for import in &program.imports {
        if let (Some(path), Some(span)) =
            (cx.path.and_then(|from| import.path(from)), inner(cx, &import.span))
        {
            found.push(Link {
                span,
                target: LinkTarget::File { path, fragment: None },
                tooltip: Some("Open the program".to_owned()),
            });
        }
    }
    for Text { text, span } in program.servers.iter().filter_map(|server| server.url.as_ref()) {
        let web = ["http://", "https://"]
            .iter()
            .any(|scheme| text.len() > scheme.len() && text.starts_with(scheme));
        if let Some(span) = inner(cx, span).filter(|_| web && !text.contains(char::is_whitespace)) {
            found.push(Link { span, target: LinkTarget::Url(text.clone()), tooltip: None });
        }
    }
    found.sort_by_key(|link| (link.span.start, link.span.end));
    found.dedup_by(|next, first| next.span.start < first.span.end);
    found
}

/// A value on one line, without its quotes.
fn inner(cx: &Context, span: &Span) -> Option<Span> {
    let text = cx.source.slice(span.clone());
    let quoted = text.len() > 2 && text.starts_with(['"', '\'']) && text.ends_with(['"', '\'']);
    let span = if quoted { span.start + 1..span.end - 1 } else { span.clone() };
    (!span.is_empty() && !text.contains(['\n', '\r'])).then_some(span)
}
