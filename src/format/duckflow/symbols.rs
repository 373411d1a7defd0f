//! The outline of a reply: its sections, its vitals as one group, a symbol per action.

use super::layout::Layout;
use super::mark::{Mark, MarkKind};
use super::region::{Region, RegionKind, content_block, content_of};
use super::{Response, hover};
use crate::answer::{Symbol, SymbolKind};
use crate::format::Context;
use crate::text::Span;

/// One symbol per region.
pub(super) fn symbols(response: &Response, cx: &Context) -> Vec<Symbol> {
    let layout = response.layout();
    let mut found = Vec::new();
    for region in response.regions(cx.source) {
        if (cx.cancelled)() {
            break;
        }
        let Some(first) = region.marks.first().and_then(|mark| layout.marks.get(*mark)) else {
            continue;
        };
        let word = |mark: &Mark| cx.source.slice(mark.name.clone()).into_owned();
        let (name, detail, kind, children) = match region.kind {
            RegionKind::Section => (word(first), None, SymbolKind::Text, Vec::new()),
            RegionKind::Vitals => {
                ("VITALS".to_owned(), None, SymbolKind::Group, vitals(layout, region, cx))
            }
            RegionKind::Action(index) => {
                // The rest of an action that was split in two isn't described again.
                let whole = layout
                    .actions
                    .get(&index)
                    .is_some_and(|action| region.marks.first() == Some(&action.first));
                let (name, detail) = if whole {
                    hover::title(layout, cx, index)
                } else {
                    (format!("{index} …"), None)
                };
                (name, detail, SymbolKind::Action, contents(layout, region, cx))
            }
        };
        found.push(Symbol {
            name: line(&name),
            detail,
            kind,
            span: region.span.clone(),
            selection: first.span.clone(),
            children,
        });
    }
    found
}

fn vitals(layout: &Layout, region: &Region, cx: &Context) -> Vec<Symbol> {
    let marks = region.marks.iter().filter_map(|mark| layout.marks.get(*mark));
    marks
        .map(|mark| Symbol {
            name: cx.source.slice(mark.name.clone()).into_owned(),
            detail: Some(line(&cx.source.slice(mark.value.clone())))
                .filter(|detail| !detail.is_empty()),
            kind: SymbolKind::Key,
            span: mark.line.clone(),
            selection: mark.span.clone(),
            children: Vec::new(),
        })
        .collect()
}

fn contents(layout: &Layout, region: &Region, cx: &Context) -> Vec<Symbol> {
    let starts = region.marks.iter().filter(|mark| {
        layout
            .marks
            .get(**mark)
            .is_some_and(|mark| matches!(mark.kind, MarkKind::ContentStart { .. }))
    });
    let found = starts.filter_map(|start| {
        let content = content_of(layout, *start)?;
        let lines = lines(cx, &content.span);
        Some(Symbol {
            name: "content".to_owned(),
            detail: Some(format!("{lines} line{}", if lines == 1 { "" } else { "s" })),
            kind: SymbolKind::Content,
            span: content_block(layout, content),
            selection: layout.marks.get(*start)?.span.clone(),
            children: Vec::new(),
        })
    });
    found.collect()
}

/// The number of lines of some content.
pub(super) fn lines(cx: &Context, span: &Span) -> usize {
    use crate::text::Encoding::Utf8;
    if span.is_empty() {
        0
    } else {
        (cx.source.position(span.end, Utf8).line - cx.source.position(span.start, Utf8).line)
            as usize
            + 1
    }
}

const LONGEST: usize = 80;

/// Text on one line of bounded length.
pub(super) fn line(text: &str) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        // The rest may be very long.
        if words.len() > LONGEST * 4 {
            break;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}
