//! `textDocument/documentLink`.

use super::convert::MOST_ITEMS;
use super::places::Places;
use super::pool::Cancellation;
use super::session::Snapshot;
use super::{json, uri};
use crate::answer::LinkTarget;
use crate::ide;

pub(super) fn write(snapshot: &Snapshot, cancellation: &Cancellation, out: &mut String) {
    let found = snapshot.with(&|| cancellation.is_cancelled(), ide::links::links);
    let mut places = Places::new(snapshot.source(), snapshot.encoding());
    out.push('[');
    json::separated(found.iter().take(MOST_ITEMS), out, |link, out| {
        out.push_str(r#"{"range":"#);
        places.range(&link.span, out);
        out.push_str(r#","target":"#);
        match &link.target {
            LinkTarget::Url(url) => json::text(url, out),
            LinkTarget::File { path, fragment } => {
                let mut file = uri::from_path(path).0;
                if let Some(fragment) = fragment {
                    file.push('#');
                    file.push_str(fragment);
                }
                json::text(&file, out);
            }
        }
        if let Some(tooltip) = link.tooltip.as_ref().filter(|_| snapshot.client.link_tooltips) {
            out.push_str(r#","tooltip":"#);
            json::text(tooltip, out);
        }
        out.push('}');
    });
    out.push(']');
}
