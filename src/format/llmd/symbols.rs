//! The outline beyond headings: the blocks of each entry.

use super::Project;
use super::layout::Role;
use crate::answer::{Symbol, SymbolKind};
use crate::edit::Subject;
use crate::format::Context;

/// A symbol per block that changes something.
pub(super) fn symbols(project: &Project, cx: &Context) -> Vec<Symbol> {
    let blocks = project.layout.blocks.iter().filter(|placed| placed.role != Role::Documentation);
    let symbol = |placed: &super::layout::Placed| {
        let (name, detail) = match placed.block.subject {
            Subject::File => {
                (placed.block.path.as_ref().map(|path| path.text.as_str()), "SEARCH / REPLACE")
            }
            Subject::Mission => (Some("Mission"), "SEARCH_MISSION / REPLACE_MISSION"),
            Subject::Changelog => (Some("Changelog"), "CHANGELOG"),
        };
        let head = placed.written.head.shifted(placed.start).span;
        let name = name.filter(|name| !name.trim().is_empty()).unwrap_or("(no path)").to_owned();
        let quoted = if placed.role == Role::Quoted { ", quoted" } else { "" };
        let end = placed.block.span().end.min(cx.source.len());
        Symbol {
            name,
            detail: Some(format!("{detail}{quoted}")),
            kind: SymbolKind::Block,
            span: placed.block.span().start..end.max(head.end),
            selection: head,
            children: Vec::new(),
        }
    };
    blocks.map(symbol).collect()
}
