//! A part of a reply, checked on its own: its findings, and the facts needed to decide that no
//! other part can change them. If one could, the reply is checked as a whole.

use super::super::layout::{Action, End};
use super::super::mark::MarkKind;
use super::super::{PlacedPart, Response};
use super::context::index_of;
use super::workspace::{self, Wanted};
use super::{Reach, RuleContext, check_all, meaning, no_finish};
use crate::format::Context;
use crate::rule::{Diagnostic, Report};

/// A part that was checked.
#[derive(Debug)]
pub struct Checked {
    /// The findings that need no other part.
    findings: Vec<Diagnostic>,
    /// The findings that only apply if the part is the last one.
    last: Vec<Diagnostic>,
    /// `None`: the part can't be checked on its own.
    facts: Option<Facts>,
}

/// The facts that matter to other parts.
#[derive(Debug)]
struct Facts {
    /// The indices of the first and the last action; those between are consecutive.
    actions: Option<(u64, u64)>,
    /// The largest number that a line was meant to have.
    reaches: u64,
    /// The names of sections, and of lines that were meant as sections.
    sections: Vec<String>,
    /// How many lines were compared with marker names.
    doubtful: usize,
    /// A fence line has no partner.
    odd_fence: bool,
    /// Some content is unclosed.
    open: bool,
    /// An action is `finish`.
    finished: bool,
    /// A missing `finish` isn't reported.
    finish_is_clear: bool,
    /// The files that its actions use.
    wanted: Vec<Wanted>,
}

impl Checked {
    pub fn new(response: &Response, cx: &Context, is_head: bool, line_break: &'static str) -> Self {
        let context = RuleContext::new(response, cx, line_break);
        let Some(facts) = Facts::of(&context, is_head) else {
            return Self { findings: Vec::new(), last: Vec::new(), facts: None };
        };
        let (mut found, mut last) = (Report::default(), Report::default());
        check_all(
            &context,
            if is_head { &[Reach::Part, Reach::Head] } else { &[Reach::Part] },
            &mut found,
        );
        check_all(&context, &[Reach::Last], &mut last);
        Self { findings: found.diagnostics, last: last.diagnostics, facts: Some(facts) }
    }
}

impl Facts {
    fn of(context: &RuleContext, is_head: bool) -> Option<Self> {
        let layout = context.layout();
        let name = |mark: usize| {
            context.mark(mark).map(|mark| context.text(&mark.name).to_ascii_uppercase())
        };
        let mut sections: Vec<String> =
            layout.sections.iter().filter_map(|section| name(section.mark)).collect();
        let follow = context
            .order
            .windows(2)
            .all(|pair| matches!(pair, [(a, _), (b, _)] if a.checked_add(1) == Some(*b)));
        let unclear = |(_, action): &(u64, &Action)| action.types.len() != 1;
        if !follow || context.order.iter().any(unclear) {
            return None;
        }
        if is_head {
            let before = layout.marks.first().map_or(0, |mark| mark.line.start);
            let text = context.text(&(0..before));
            if context.is_empty()
                || text.lines().any(|line| {
                    line.trim_start_matches('\u{feff}').trim_start().starts_with(['`', '~'])
                })
            {
                return None;
            }
        } else if !layout.vitals.is_empty() || sections.iter().any(|name| name == "REASONING") {
            return None;
        }
        let actions = context
            .order
            .first()
            .zip(context.order.last())
            .map(|((first, _), (last, _))| (*first, *last));
        let (first, last) = actions.unwrap_or((u64::MAX, 0));
        let mut reaches = 0;
        for meant in &context.meant {
            match meant.kind {
                MarkKind::Action { index, .. }
                | MarkKind::ContentStart { index, .. }
                | MarkKind::ContentEnd { index, .. }
                    if index >= first =>
                {
                    reaches = reaches.max(index);
                }
                // Whether its fix is safe depends on the others of its name.
                MarkKind::Section(_) if is_head => sections.push(meant.name.to_ascii_uppercase()),
                MarkKind::Vital(_) if is_head => {}
                _ => return None,
            }
        }
        let own = |mark: usize| {
            context
                .mark(mark)
                .and_then(index_of)
                .is_some_and(|(index, _)| (first..=last).contains(&index))
        };
        if layout.contents.iter().any(|content| matches!(content.end, End::WrongIndex(_)))
            || !layout.unopened.iter().all(|mark| own(*mark))
        {
            return None;
        }
        let (finishes, unclear) = no_finish::facts(context);
        Some(Self {
            actions,
            reaches,
            sections,
            doubtful: layout.marks.iter().filter(|mark| meaning::is_doubtful(mark)).count(),
            odd_fence: context.fences().len() % 2 == 1,
            open: layout.contents.iter().any(|content| matches!(content.end, End::Missing(_))),
            finished: context.order.iter().any(|(_, action)| {
                context.type_of(action).is_some_and(|(kind, _)| kind == "finish")
            }),
            finish_is_clear: finishes || unclear,
            wanted: workspace::wanted(context),
        })
    }
}

/// The findings of a reply, part by part; `None` if they might differ from those of the whole.
pub fn check_parts(parts: &[PlacedPart], cx: &Context) -> Option<Vec<Diagnostic>> {
    let mut checked: Vec<(usize, &Checked, &Facts)> = Vec::with_capacity(parts.len());
    let mut next = 0;
    for placed in parts {
        if (cx.cancelled)() {
            return Some(Vec::new());
        }
        let found = placed.checked(cx);
        let facts = found.facts.as_ref()?;
        if let Some((_, _, before)) = checked.last()
            && (before.open
                || before.odd_fence
                || before.finished
                || before.actions.is_some() && before.reaches >= next)
        {
            return None;
        }
        if let Some((first, last)) = facts.actions {
            if first != next {
                return None;
            }
            next = last.checked_add(1)?;
        }
        checked.push((placed.start, found, facts));
    }
    let mut names: Vec<&str> = checked
        .iter()
        .skip(1)
        .flat_map(|(.., facts)| &facts.sections)
        .map(String::as_str)
        .collect();
    if !names.is_empty() {
        names.extend(
            checked.first().into_iter().flat_map(|(.., facts)| &facts.sections).map(String::as_str),
        );
        names.sort_unstable();
        if names.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
            return None;
        }
    }
    if checked.iter().map(|(.., facts)| facts.doubtful).sum::<usize>() > meaning::MOST {
        return None;
    }
    let mut found: Vec<Diagnostic> = checked
        .iter()
        .flat_map(|(start, checked, _)| {
            checked.findings.iter().map(|finding| finding.shifted(*start))
        })
        .collect();
    let finish_is_clear = checked.iter().rev().skip(1).any(|(.., facts)| facts.finish_is_clear);
    if let Some((start, last, _)) = checked.last().filter(|_| !finish_is_clear) {
        found.extend(last.last.iter().map(|finding| finding.shifted(*start)));
    }
    let wanted = checked
        .iter()
        .flat_map(|(start, _, facts)| facts.wanted.iter().map(|wanted| wanted.shifted(*start)));
    let mut report = Report::from(found);
    workspace::report(&workspace::follow(wanted, cx), cx, &mut report);
    Some(report.diagnostics)
}
