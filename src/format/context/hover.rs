//! Hover: the current lines of the file, and how the item differs from them.

use super::Packs;
use super::compare::{self, Verdict};
use super::file::{Files, Text, unix};
use super::kind::{ABOUT, KINDS, named, of_file};
use super::layout::Item;
use super::links;
use super::write::safe_fence;
use crate::answer::Hover;
use crate::format::Context;
use crate::text::Span;
use crate::text::lines::unified_with;

/// Longer text is cut after this many lines.
const MOST_LINES: usize = 40;
/// Longer text gets no line-by-line diff.
const LONGEST: usize = 1 << 18;

/// The hover for the header at `offset`.
pub(super) fn hover(packs: &Packs, cx: &Context, offset: usize) -> Option<Hover> {
    let item = packs.item_at(offset)?;
    if let Some(span) = links::span(item).filter(|span| span.start <= offset && offset <= span.end)
    {
        return Some(Hover { span, markdown: file(cx, item)? });
    }
    let span = item.header.kind.clone();
    if offset < span.start || span.end < offset {
        return None;
    }
    let known = named(&cx.source.slice(span.clone()))?;
    let about = KINDS.iter().position(|kind| *kind == known).and_then(|index| ABOUT.get(index))?;
    Some(Hover { markdown: format!("**{}**: {about}", cx.source.slice(span.clone())), span })
}

fn file(cx: &Context, item: &Item) -> Option<String> {
    let name = compare::name(cx, item)?;
    let shown = code(&match &item.header.range {
        Some(range) => format!("{name}:{}", cx.source.slice(range.span.clone())),
        None => name.clone(),
    });
    let files = Files::new(cx);
    let why = match compare::judge(cx, &files, item) {
        Verdict::Unasked => {
            return Some(format!(
                "{shown}\n\nThe file is outside the workspace: agentmd links it, but does not read it."
            ));
        }
        Verdict::Missing => "The workspace has no such file.".to_owned(),
        Verdict::Folder => "This is a folder.".to_owned(),
        Verdict::Unreadable(why) => format!("The file {why}."),
        Verdict::WrongRange => "The range contains no lines.".to_owned(),
        Verdict::PastEnd(count) => {
            format!("The file has only {count} line{}.", if count == 1 { "" } else { "s" })
        }
        verdict @ (Verdict::Same | Verdict::Different) => {
            return Some(format!(
                "{shown}\n\n{}",
                lines(cx, item, &name, &files.text(&name).ok()?, &verdict)?
            ));
        }
    };
    Some(format!("{shown}\n\n{why}"))
}

fn lines(cx: &Context, item: &Item, name: &str, text: &Text, verdict: &Verdict) -> Option<String> {
    let Some(span) = compare::current(cx, item, text)
        .or_else(|| (*verdict == Verdict::Same && item.header.range.is_none()).then(|| text.all()))
    else {
        return Some("The file no longer contains these lines.".to_owned());
    };
    let language = of_file(name).unwrap_or_default();
    if *verdict == Verdict::Same {
        return Some(block(&said(text, span), language));
    }
    let (old, new) = (cx.source.slice(item.content.clone()), said(text, span));
    if old.len() + new.len() > LONGEST {
        return Some(format!("The file has changed.\n\n{}", block(&new, language)));
    }
    let (old, new) = (format!("{}\n", unix(&old)), format!("{}\n", unix(&new)));
    let diff = unified_with(&old, &new, 2);
    Some(format!(
        "The file has changed: `-` is the item, `+` is the file.\n\n{}",
        block(diff.trim_end(), "diff")
    ))
}

fn said(text: &Text, span: Span) -> String {
    text.source.slice(span).into_owned()
}

/// Text as a fenced block of bounded length.
fn block(text: &str, language: &str) -> String {
    let mut lines = text.lines();
    let mut shown: Vec<String> = lines.by_ref().take(MOST_LINES).map(cut).collect();
    let more = lines.count();
    if more > 0 {
        shown.push(format!("… {more} more lines"));
    }
    let shown = shown.join("\n");
    let fence = safe_fence(&shown);
    format!("{fence}{language}\n{shown}\n{fence}")
}

/// A line of bounded length.
fn cut(line: &str) -> String {
    const WIDEST: usize = 200;
    match line.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// Text in a code span that it can't close.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
