//! Inlay hints: the selector of each heading, if the settings enable them.

use super::target::Target;
use crate::answer::Inlay;
use crate::format::Context;
use crate::selector::{Node, NodeKind};
use crate::text::Span;

/// The selectors of the headings in `span`.
pub fn inlays(cx: &Context, span: &Span) -> Vec<Inlay> {
    let own = Target::own(cx);
    let first = own.tree.headings.partition_point(|heading| heading.line.end < span.start);
    let inside = own
        .tree
        .headings
        .iter()
        .enumerate()
        .skip(first)
        .take_while(|(_, heading)| heading.line.start <= span.end);
    let hints = inside.map(|(index, heading)| {
        let path = own.tree.path(Node { kind: NodeKind::Heading, index });
        let line = cx.source.line_span(heading.line.start);
        Inlay {
            offset: line.end,
            label: format!("  {path}"),
            tooltip: Some(format!(
                "`{}::{path}` selects this heading and the content below it.",
                own.name
            )),
        }
    });
    hints.collect()
}
