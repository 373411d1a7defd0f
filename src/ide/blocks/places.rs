//! The targets of blocks: links from the paths that they name, definitions, and hints with the
//! lines.

use std::path::Path;

use super::{Stand, manner_word, stands};
use crate::answer::{Inlay, Link, LinkTarget, Target};
use crate::document::Document;
use crate::format::Context;
use crate::plan::choice::Goal;
use crate::plan::standing::{FitKind, Standing, State};
use crate::source::Source;
use crate::text::{Encoding, Position, Span};

/// From every path that a block names to its target lines.
pub fn links(document: &Document, cx: &Context) -> Vec<Link> {
    let link = |stand: Stand| {
        let (_, standing) = stand.first()?;
        let path = file_of(cx, standing)?;
        let fragment = standing.lines().map(|lines| fragment(&lines));
        Some(Link {
            span: standing.named.clone()?,
            target: LinkTarget::File { path: path.to_owned(), fragment },
            tooltip: None,
        })
    };
    stands(document, cx).into_iter().filter_map(link).collect()
}

/// The existing file that a block is applied to.
fn file_of<'a>(cx: &Context<'a>, standing: &'a Standing) -> Option<&'a Path> {
    if standing.part.is_some() {
        return cx.path;
    }
    let missing = standing.fit().is_some_and(|fit| fit.kind == FitKind::Create);
    standing
        .path
        .as_deref()
        .filter(|path| !missing && cx.world.kind(path) == Some(crate::world::EntryKind::File))
}

/// A line in a URI, as editors write it.
pub(super) fn fragment(lines: &Span) -> String {
    format!("L{}", lines.start + 1)
}

/// The targets of the block at `offset`: every place that it could refer to.
pub fn definition(document: &Document, cx: &Context, offset: usize) -> Vec<Target> {
    let stands = stands(document, cx);
    let Some(stand) = stands.iter().find(|stand| stand.touches(&(offset..offset))) else {
        return Vec::new();
    };
    let Some((_, standing)) = stand.first() else { return Vec::new() };
    let origin = standing
        .named
        .clone()
        .filter(|named| named.start <= offset && offset <= named.end)
        .unwrap_or_else(|| cx.source.line_span(offset));
    let own = standing.part.is_some();
    let path = if own { None } else { file_of(cx, standing).map(Path::to_owned) };
    if path.is_none() && !own {
        return Vec::new();
    }
    let source = match &path {
        Some(path) => cx.world.read(path).unwrap_or_else(|_| Source::new("")),
        None => cx.source.clone(),
    };
    let places = match &standing.state {
        State::Refused(refusal) if !refusal.candidates.is_empty() => {
            refusal.candidates.iter().map(|line| *line..*line + 1).collect()
        }
        _ => vec![standing.lines().unwrap_or_else(|| {
            standing.part.as_ref().map_or(0..0, |part| part_lines(&source, part))
        })],
    };
    let target = |lines: Span| {
        let span = bytes(&source, &lines);
        Target {
            path: path.clone(),
            selection: span.start..source.line_span(span.start).end,
            span,
            origin: origin.clone(),
        }
    };
    places.into_iter().map(target).collect()
}

fn part_lines(source: &Source, part: &Span) -> Span {
    let line = source.position(part.start, Encoding::Utf8).line as usize;
    line..line
}

/// The bytes of some lines, without the last line break.
fn bytes(source: &Source, lines: &Span) -> Span {
    let start = |line: usize| {
        source.offset(
            Position { line: u32::try_from(line).unwrap_or(u32::MAX), column: 0 },
            Encoding::Utf8,
        )
    };
    let first = start(lines.start);
    let last = source.line_span(start(lines.end.saturating_sub(1).max(lines.start))).end;
    first..last.max(first)
}

/// The target lines, after the first line of every block that has some.
pub fn inlays(document: &Document, cx: &Context, span: &Span) -> Vec<Inlay> {
    let mut found = Vec::new();
    for stand in stands(document, cx) {
        let Some((goal, standing)) = stand.first() else { continue };
        let offset = cx.source.line_span(stand.span.start).end;
        if offset < span.start || span.end < offset {
            continue;
        }
        found.extend(label(*goal, standing).map(|label| Inlay { offset, label, tooltip: None }));
    }
    found
}

fn label(goal: Goal, standing: &Standing) -> Option<String> {
    let fit = standing.fit()?;
    let name = standing.name.as_deref().unwrap_or_default();
    let place = match (fit.kind, goal) {
        (FitKind::Create, _) => format!("{name}, a new file"),
        (FitKind::Delete, _) => format!("{name}, to be deleted"),
        (FitKind::Move, _) => format!("{name}, to be renamed"),
        (FitKind::Edit, Goal::Context) => format!("line {}", range(&fit.lines)),
        (FitKind::Edit, Goal::Workspace) => format!("{name}:{}", range(&fit.lines)),
    };
    let manner =
        manner_word(fit.tier, fit.score).map(|manner| format!(" ({manner})")).unwrap_or_default();
    let sure = if matches!(standing.state, State::Likely(_)) { "?" } else { "" };
    Some(format!(" → {place}{sure}{manner}"))
}

/// `41–50`, counted from 1.
pub(super) fn range(lines: &Span) -> String {
    if lines.len() > 1 {
        format!("{}–{}", lines.start + 1, lines.end)
    } else {
        (lines.start + 1).to_string()
    }
}
