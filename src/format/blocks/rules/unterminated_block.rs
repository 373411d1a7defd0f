use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::RuleContext;
use crate::declare_rule;
use crate::edit::{Dialect, Pair, Reason};
use crate::format::blocks::check::{Item, next_line};
use crate::format::blocks::written::is_like_end;
use crate::rule::{Fix, Report};
use crate::text::{Edit, Span};

declare_rule! {
    /// The block never ends. The reply may have been cut off, and the new text with it, so agentmd
    /// doesn't apply the block. It continues with the next head.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    pub static RULE = "edit/unterminated-block", Error, "Unclosed block";
}

/// Blocks by where the line of their head begins.
type Heads<'a> = BTreeMap<usize, &'a Item<'a>>;

pub fn check(context: &RuleContext, report: &mut Report) {
    let heads = OnceCell::new();
    for item in
        context.odd().filter(|item| item.written.block.error == Some(Reason::UnterminatedBlock))
    {
        // A misspelt end marker is reported at its own line.
        if context.meant_end(item).is_some() {
            continue;
        }
        if item.written.block.dialect != Dialect::SearchReplace {
            let message = "this edit has no end and may have been cut off, so it isn't applied; ask the model to continue";
            report.add(&RULE, item.head().span, message);
            continue;
        }
        let end = context.end_line(item);
        let message = format!(
            "this block has no end and may have been cut off, so it isn't applied; close it with `{end}`"
        );
        let finding = report.add(&RULE, item.head().span, message);
        let head = item.head();
        let next = next_line(context.cx.source, head.line.end);
        let heads = heads.get_or_init(|| {
            context.items.iter().map(|item| (item.head().line.start, item)).collect::<Heads>()
        });
        if heads.contains_key(&next) {
            let line = head.line.start..next;
            finding.fix(Fix::suggestion(
                "Remove the line: the next one begins the block too",
                vec![Edit::delete(line)],
            ));
            continue;
        }
        if let Some(line) = meant_end(context, item) {
            finding.relate(line.clone(), format!("did you mean `{end}`?"));
            let edits = vec![Edit::replace(line, end.clone())];
            finding.fix(Fix::suggestion(format!("Replace with `{end}`"), edits));
            continue;
        }
        let divided = !item.written.dividers.is_empty() || item.written.pair() == Pair::Changelog;
        if let Some(edit) = divided.then(|| close(context, heads, item, &end)) {
            finding.fix(Fix::suggestion("Close the block", vec![edit]));
        }
    }
}

/// The line after the last divider that was meant to end the block, without its indentation.
fn meant_end(context: &RuleContext, item: &Item) -> Option<Span> {
    let last = item.dividers().last().unwrap_or_else(|| item.head());
    let from = next_line(context.cx.source, last.line.end);
    let end = item.block.span().end.min(item.part.end).min(from + FARTHEST);
    let (text, name) = (context.text(&(from..end.max(from))), context.names(item).1);
    let mut at = from;
    text.split_inclusive('\n').find_map(|line| {
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        is_like_end(line, name).then(|| start..start + line.trim().len())
    })
}

/// The end of a block is looked for in so many bytes.
const FARTHEST: usize = 1 << 16;

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~")
}

/// Whether the line above the block, or above its path, opens a fence.
fn is_fenced(context: &RuleContext, item: &Item) -> bool {
    let path = item
        .block
        .path
        .as_ref()
        .filter(|path| !path.inherited && path.span.end < item.head().line.start);
    let tops = [
        Some(item.head().line.start),
        path.map(|path| context.cx.source.line_span(path.span.start).start),
    ];
    let above =
        |top: usize| top.checked_sub(1).map(|at| context.text(&context.cx.source.line_span(at)));
    tops.into_iter().flatten().filter_map(above).any(|line| is_fence(&line))
}

/// After the last line that belongs to the block: before any fence, the path of the next block, or
/// a blank line.
fn close(context: &RuleContext, heads: &Heads, item: &Item, end: &str) -> Edit {
    let source = context.cx.source;
    let head = item.head();
    let last = item.dividers().last().unwrap_or_else(|| item.head());
    let mut line = source.line_span(item.block.span().end.min(item.part.end));
    // A path is directly above its block: those of blocks after the next one are too far down.
    let next = heads
        .range(next_line(source, head.line.end)..)
        .next()
        .filter(|(_, other)| other.start == item.start);
    let next_path = next
        .and_then(|(_, other)| other.block.path.as_ref().filter(|path| !path.inherited))
        .map(|path| path.span.start)
        .filter(|at| *at > last.line.end);
    // In a fence, the block ends with the fence.
    if is_fenced(context, item) {
        let mut at = next_line(source, last.line.end);
        while at < line.start {
            let next = source.line_span(at);
            if is_fence(&context.text(&next)) {
                line = source.line_span(next.start.saturating_sub(1));
                break;
            }
            at = next_line(source, next.end).max(at + 1);
        }
    }
    while line.start > last.line.end {
        let text = context.text(&line);
        let text = text.trim();
        let other = text.is_empty() || is_fence(text) || next_path.is_some_and(|at| at <= line.end);
        if !other {
            break;
        }
        line = source.line_span(line.start - 1);
    }
    let lead = context.text(&(head.line.start..head.span.start));
    Edit::insert(line.end.max(last.line.end), format!("{}{lead}{end}", source.line_break()))
}
