//! `textDocument/foldingRange`.

use super::convert::MOST_ITEMS;
use super::json;
use super::places::Places;
use super::pool::Cancellation;
use super::session::Snapshot;
use crate::answer::FoldKind;
use crate::ide;

pub(super) fn write(snapshot: &Snapshot, cancellation: &Cancellation, out: &mut String) {
    let found = snapshot.with(&|| cancellation.is_cancelled(), ide::folding::folds);
    let limit = snapshot.client.folding_limit.unwrap_or(usize::MAX).min(MOST_ITEMS);
    let columns = !snapshot.client.line_folding_only;
    let mut places = Places::new(snapshot.source(), snapshot.encoding());
    out.push('[');
    json::separated(found.iter().take(limit), out, |fold, out| {
        let (start, end) = (places.position(fold.span.start), places.position(fold.span.end));
        out.push_str(r#"{"startLine":"#);
        json::number(start.line, out);
        if columns {
            out.push_str(r#","startCharacter":"#);
            json::number(start.column, out);
        }
        out.push_str(r#","endLine":"#);
        json::number(end.line, out);
        if columns {
            out.push_str(r#","endCharacter":"#);
            json::number(end.column, out);
        }
        out.push_str(match fold.kind {
            FoldKind::Region => "}",
            FoldKind::Comment => r#","kind":"comment"}"#,
            FoldKind::Imports => r#","kind":"imports"}"#,
        });
    });
    out.push(']');
}
