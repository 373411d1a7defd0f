use std::sync::OnceLock;

use super::super::read;
use super::super::swallowed::{self, Lines, Swallowed};
use super::unread_header;
use crate::declare_rule;
use crate::format::Context;
use crate::markdown::Trace;
use crate::rule::{Fix, Report};
use crate::source::{Source, Stretch};
use crate::text::{Edit, Span};

declare_rule! {
    /// Items of a pack follow a line that is nearly its heading. Without the heading `## Context`,
    /// they aren't a pack: agentmd doesn't compare them with their files.
    ///
    /// ````markdown file=src/agent.lisp
    /// (defun greet ()
    ///   (print "hi"))
    /// ````
    ///
    /// ````markdown bad
    /// # Context
    ///
    /// ### Code (from src/agent.lisp)
    /// ```lisp
    /// (defun greet ()
    ///   (print "hi"))
    /// ```
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
    pub static RULE = "context/pack-heading", Warning, "Heading of a pack that isn't read as one";
}

/// The lines that are the heading of a pack, or nearly so, as offsets in a stretch.
#[derive(Debug, Default)]
struct Titles(OnceLock<Box<[Span]>>);

pub fn check(cx: &Context, report: &mut Report) {
    let source = cx.source;
    for title in source.stretches().flat_map(|stretch| of_stretch(source, stretch)) {
        let written = source.slice(title.clone());
        let is_right = written.trim_end() == HEADING;
        let below = source.slice(title.end..source.len().min(title.end + NEAR));
        let mut lines = Lines { text: &below, at: 0 }.filter(|(_, line)| !line.trim().is_empty());
        let (Some((at, header)), Some((_, fence))) = (lines.next(), lines.next()) else { continue };
        let line_length = header.trim_end().len();
        let opens = fence.trim_start().starts_with("```");
        let packs = || read::read(source);
        let inside = || {
            let packs = packs();
            let before = packs.items.partition_point(|item| item.line.start <= title.start);
            let item = before.checked_sub(1).and_then(|item| packs.items.get(item));
            item.is_some_and(|item| title.start < item.end)
        };
        if !opens || inside() {
            continue;
        }
        if is_right {
            let found = swallowed::find(&below, title.end).or_else(|| {
                let header = swallowed::of_known_type(header)?;
                let end = title.end + at + line_length;
                Some(Swallowed { span: title.end + at..end, header, lacks_fence: false })
            });
            if let Some(found) = found {
                unread_header::first(&found, report);
            }
        } else if swallowed::is_named(header) {
            let message = format!("`{}` doesn't begin a pack; write `{HEADING}`", written.trim());
            let edits = vec![Edit::replace(title.clone(), HEADING)];
            report
                .add(&RULE, title, message)
                .fix(Fix::suggestion(format!("Write `{HEADING}`"), edits));
        }
    }
}

const HEADING: &str = "## Context";

/// The first item is within this many bytes.
const NEAR: usize = 1 << 9;

fn of_stretch(source: &Source, stretch: Stretch) -> Vec<Span> {
    let memo = stretch.memo().get::<Titles>();
    let found = memo.0.get_or_init(|| {
        let mut found = Vec::new();
        for placed in stretch.sections().filter(|placed| placed.section.may_have(Trace::Pack)) {
            let text = source.section_text(placed);
            let lines = Lines { text: &text, at: 0 };
            let titles = lines.filter(|(_, line)| {
                line.trim_matches(|letter: char| !letter.is_alphabetic()) == "Context"
            });
            let from = placed.start - stretch.start;
            found.extend(titles.map(|(at, line)| from + at..from + at + line.len()));
        }
        found.into()
    });
    found.iter().map(|span| span.start + stretch.start..span.end + stretch.start).collect()
}
