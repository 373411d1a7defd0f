//! The text of new, empty parts of a document.

use super::RuleContext;
use crate::format::llmd::layout::{SECTIONS, SectionKind};
use crate::text::Edit;

/// The heading of a section, and the lines below it.
pub fn section(kind: SectionKind, eol: &str) -> String {
    match kind {
        SectionKind::Meta => format!("## Meta: LLMD (Large Language Model Markdown Format){eol}"),
        SectionKind::Conversation => {
            format!("## Conversation Thread{eol}{eol}### Entry 1{eol}{eol}**Human:** {eol}")
        }
        kind => format!("## {}{eol}", kind.title()),
    }
}

/// A whole document.
pub fn document(eol: &str, name: &str) -> String {
    let sections: Vec<String> = SECTIONS.iter().map(|(_, kind)| section(*kind, eol)).collect();
    format!("# Project: {name}{eol}{eol}{}", sections.join(eol))
}

/// The edit that inserts a section at its position: before the first one that follows it.
pub(super) fn insert(context: &RuleContext, kind: SectionKind) -> Edit {
    let (layout, source) = (context.layout(), context.cx.source);
    let eol = source.line_break();
    let behind = layout
        .sections
        .iter()
        .find(|section| section.kind > kind && section.kind != SectionKind::Unknown);
    let text = section(kind, eol);
    match behind {
        Some(behind) => Edit::insert(behind.heading.span.start, format!("{text}{eol}")),
        None => {
            let end = source.len();
            let lead = match &*source.slice(end.saturating_sub(2)..end) {
                "\n\n" => String::new(),
                last if last.ends_with('\n') => eol.to_owned(),
                _ => eol.repeat(2),
            };
            Edit::insert(end, format!("{lead}{text}"))
        }
    }
}
