//! The beginning of a program: its front matter while it is typed, and the conversion of a coding
//! agent's skill or command.

use std::path::Path;

use super::rules::compat_lenient_delimiter;
use super::{complete, convert};
use crate::answer::{Completion, Later, Rewritten};
use crate::format::Context;
use crate::format::start::Start;
use crate::markdown::BlockKind;
use crate::rule::Report;
use crate::text::Span;

pub struct Begun;

impl Start for Begun {
    fn check(&self, cx: &Context, report: &mut Report) {
        compat_lenient_delimiter::check_plain(cx, report);
    }

    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        complete::complete(cx, offset, false)
    }

    fn later<'a>(&self, cx: &'a Context, span: &Span) -> Option<Later<'a>> {
        conversion(cx, span)
    }
}

/// The conversion, offered at the top of a skill.
fn conversion<'a>(cx: &'a Context, span: &Span) -> Option<Later<'a>> {
    if !cx.path.is_some_and(is_skill) || span.start > top(cx) {
        return None;
    }
    let make = || {
        let made = convert::convert(cx.source, cx.path, None, cx.world)?;
        Ok(Rewritten { edits: made.edits, notes: made.notes })
    };
    Some(Later { title: "Convert to a markdownlang program", make: Box::new(make) })
}

fn is_skill(path: &Path) -> bool {
    let named = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
    let parts: Vec<_> = path.components().map(|part| part.as_os_str()).collect();
    named || parts.windows(2).any(|pair| matches!(pair, [agent, kind] if *agent == ".claude" && (*kind == "commands" || *kind == "skills")))
}

/// The end of the first heading, or else of the front matter and the first line.
fn top(cx: &Context) -> usize {
    let front = cx.source.front_matter().map_or(0, |front| front.span.end);
    let first = cx.source.sections().find(|placed| placed.start >= front);
    let heading = first.and_then(|placed| {
        let block = cx
            .source
            .blocks(placed)
            .blocks
            .first()
            .filter(|block| matches!(block.kind, BlockKind::Heading { .. }))?;
        Some(placed.start + block.span.end)
    });
    heading.unwrap_or_else(|| cx.source.line_span(front).end)
}
