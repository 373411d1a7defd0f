use std::sync::OnceLock;

use super::super::line::{Gap, LineKind, Lines, Naming};
use super::super::read::{self, may_begin};
use super::super::swallowed::is_named;
use super::super::{header, kind, write};
use super::unread_header::{self, opener};
use crate::declare_rule;
use crate::format::Context;
use crate::markdown::SectionKind;
use crate::rule::{Fix, Report};
use crate::source::{Placed, Source, Stretch};
use crate::text::{Edit, Span};

declare_rule! {
    /// A header of a pack names a file, but no fence follows it. Without one, the text below isn't
    /// the content of an item, and headings in it are read as headings of the document.
    ///
    /// Put the content in a fence.
    ///
    /// ````markdown file=src/agent.lisp
    /// (defun greet ()
    ///   (print "hi"))
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from src/agent.lisp)
    /// (defun greet ()
    ///   (print "hi"))
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from src/agent.lisp)
    /// ```lisp
    /// (defun greet ()
    ///   (print "hi"))
    /// ```
    /// ````
    pub static RULE = "context/missing-fence", Warning, "Item without a fence";
}

/// The sections that begin with such a header, as offsets in a stretch.
#[derive(Debug, Default)]
struct Bare(OnceLock<Box<[usize]>>);

pub fn check(cx: &Context, report: &mut Report) {
    let source = cx.source;
    if !may_begin(source) {
        return;
    }
    let bare: Vec<usize> =
        source.stretches().flat_map(|stretch| of_stretch(source, stretch)).collect();
    if bare.is_empty() {
        return;
    }
    let packs = read::read(source);
    let mut is_pack = false;
    for placed in source.sections() {
        if let SectionKind::Heading(1 | 2) = placed.section.kind {
            let lines = Lines::of(source, placed);
            is_pack = lines.lines.first().is_some_and(|line| line.kind == LineKind::Context);
        }
        let at = placed.start;
        let item = packs.items.partition_point(|item| item.line.start <= at).checked_sub(1);
        let inside = item.and_then(|item| packs.items.get(item)).is_some_and(|item| at < item.end);
        if is_pack && !inside && bare.binary_search(&at).is_ok() {
            add(cx, at, report);
        }
    }
}

fn of_stretch(source: &Source, stretch: Stretch) -> Vec<usize> {
    let memo = stretch.memo().get::<Bare>();
    let found = memo.0.get_or_init(|| {
        let bare = stretch.sections().filter(|placed| is_bare(source, *placed));
        bare.map(|placed| placed.start - stretch.start).collect()
    });
    found.iter().map(|at| at + stretch.start).collect()
}

/// Whether a section begins with the header of an item, and not with its fence below.
fn is_bare(source: &Source, placed: Placed) -> bool {
    if placed.section.kind != SectionKind::Heading(3) {
        return false;
    }
    let lines = Lines::of(source, placed);
    let Some(first) = lines.lines.first() else { return false };
    let LineKind::Header(header, Naming::Known) = &first.kind else { return false };
    let fence = lines.lines.get(1).filter(|next| next.gap < Gap::Text);
    let opens = fence.is_some_and(|next| matches!(next.kind, LineKind::Fence(_)));
    header.file.as_ref().is_some_and(|file| !file.is_empty()) && !opens
}

fn add(cx: &Context, at: usize, report: &mut Report) {
    let source = cx.source;
    let line = source.line_span(at);
    let written = source.slice(line.clone());
    let message = "item without a fence; put its content in one";
    let finding = report.add(&RULE, line.clone(), message);
    let content = content(source, line.end);
    let text = source.slice(content.clone());
    let eol = source.line_break();
    let opener = opener(written.trim_end());
    let info = opener.trim_start_matches('`');
    // The fence that closes it may be there.
    let closed = text
        .lines()
        .next_back()
        .is_some_and(|last| last.trim_end() == "```" && text.matches("```").count() == 1);
    let next = source.line_span((line.end + eol.len()).min(source.len()));
    if text.is_empty() && is_named(&source.slice(next.clone())) {
        let edits = vec![Edit::delete(line.start..next.start.max(line.end))];
        finding.fix(Fix::suggestion("Remove the header", edits));
        return;
    }
    let opening = unread_header::opening(source, &line, written.trim_end());
    let edits = if closed || !opening.span.is_empty() {
        vec![opening]
    } else {
        let fence = write::safe_fence(&text);
        let close = if text.is_empty() { line.end } else { content.end };
        vec![
            Edit::insert(line.end, format!("{eol}{fence}{info}")),
            Edit::insert(close, format!("{eol}{fence}")),
        ]
    };
    finding.fix(Fix::suggestion("Put the content in a fence", edits));
}

/// The text below a header, up to the next line that is part of the pack or ends it.
fn content(source: &Source, from: usize) -> Span {
    let end = source.len().min(from + LONGEST);
    let text = source.slice(from..end);
    let (mut at, mut blank, mut last) = (0, false, 0);
    for line in text.split_inclusive('\n') {
        let is_header = || {
            header::read(line.trim_end()).is_some_and(|header| {
                let known = line.get(header.kind).and_then(kind::named).is_some();
                known || header.file.is_some()
            })
        };
        let is_heading = || line.starts_with("# ") || line.starts_with("## ");
        if at > 0 && (is_header() || blank && is_heading()) {
            break;
        }
        blank = line.trim().is_empty();
        at += line.len();
        if !blank {
            last = at - (line.len() - line.trim_end().len());
        }
    }
    let lead = text.get(..last).unwrap_or_default();
    let start = lead.len() - lead.trim_start_matches(['\r', '\n']).len();
    from + start..from + last.max(start)
}

/// A longer content isn't looked through.
const LONGEST: usize = 1 << 16;
