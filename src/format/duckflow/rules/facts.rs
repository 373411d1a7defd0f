//! A part of a reply, checked on its own: its findings, and the facts needed to decide that no
//! other part can change them. If one could, the reply is checked as a whole.

use std::sync::Arc;

use parking_lot::Mutex;

use super::super::Response;
use super::super::layout::{Action, End};
use super::super::mark::MarkKind;
use super::super::part::{Parts, PlacedPart};
use super::context::index_of;
use super::workspace::{self, Follower, Found, Wanted};
use super::{Reach, RuleContext, check_all, meaning, no_finish};
use crate::format::Context;
use crate::rule::kept::Kept;
use crate::rule::{Diagnostic, Report};

/// A part that was checked.
#[derive(Debug)]
pub struct Checked {
    /// The findings that need no other part.
    found: Findings,
    /// The findings that only apply if the part is the last one.
    last: Vec<Diagnostic>,
    /// `None`: the part can't be checked on its own.
    facts: Option<Facts>,
    /// It is the first part.
    is_head: bool,
}

/// Findings, and those with the ones about files.
#[derive(Debug)]
struct Findings {
    own: Arc<Kept>,
    /// What the actions found, and all findings then.
    about_files: Mutex<Option<(Vec<Found>, Arc<Kept>)>>,
}

impl Findings {
    fn new(own: Vec<Diagnostic>) -> Self {
        Self { own: Arc::new(Kept::new(0, own)), about_files: Mutex::default() }
    }

    /// The findings of a stretch that begins at `start`, if its actions want these files and find
    /// them so.
    fn with_files(
        &self,
        wanted: &[Wanted],
        found: Vec<Found>,
        start: usize,
        cx: &Context,
    ) -> Arc<Kept> {
        if found.is_empty() {
            return Arc::clone(&self.own);
        }
        if let Some((known, kept)) = &*self.about_files.lock()
            && *known == found
        {
            return Arc::clone(kept);
        }
        let wanted = wanted.iter().map(|wanted| wanted.shifted(start));
        let mut report = Report::default();
        workspace::report(&workspace::steps(wanted, found.clone()), cx, &mut report);
        let kept = if report.diagnostics.is_empty() {
            Arc::clone(&self.own)
        } else {
            report.diagnostics.extend(self.own.all(start));
            Arc::new(Kept::new(start, report.diagnostics))
        };
        *self.about_files.lock() = Some((found, Arc::clone(&kept)));
        kept
    }
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
            let found = Findings::new(Vec::new());
            return Self { found, last: Vec::new(), facts: None, is_head };
        };
        let (mut found, mut last) = (Report::default(), Report::default());
        check_all(
            &context,
            if is_head { &[Reach::Part, Reach::Head] } else { &[Reach::Part] },
            &mut found,
        );
        check_all(&context, &[Reach::Last], &mut last);
        let found = Findings::new(found.diagnostics);
        Self { found, last: last.diagnostics, facts: Some(facts), is_head }
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

/// A group of parts that were checked.
#[derive(Debug)]
pub struct Summary {
    found: Together,
    /// `None`: one of the parts can't be checked on its own, or next to the others.
    border: Option<Border>,
}

/// Where the findings of a group are kept.
#[derive(Debug)]
enum Together {
    /// In one piece, with the files that the actions use, at most so many as are looked up.
    Whole(Findings, Vec<Wanted>),
    /// With each part: the group was edited, so it probably will be again.
    InParts,
}

/// What matters to other groups.
#[derive(Debug)]
struct Border {
    /// The index of the first action, and the one that must follow.
    actions: Option<(u64, u64)>,
    /// The names of sections in the first part of the reply, and in all others.
    sections: [Vec<String>; 2],
    doubtful: usize,
    /// A missing `finish` isn't reported after one of the parts but the last.
    finish_is_clear: bool,
    last: PlacedPart,
}

impl Summary {
    pub fn new(parts: &[PlacedPart], cx: &Context) -> Self {
        let is_edited = parts.iter().any(|placed| placed.is_made());
        let border = Border::of(parts, cx);
        if is_edited || border.is_none() {
            return Self { found: Together::InParts, border };
        }
        let findings = parts.iter().flat_map(|placed| {
            let own = Arc::clone(&placed.checked(cx).found.own);
            (0..own.len()).filter_map(move |index| own.get(index, placed.start))
        });
        let wanted = parts.iter().flat_map(|placed| {
            let facts = placed.checked(cx).facts.as_ref();
            let wanted = facts.map_or(&[][..], |facts| &facts.wanted);
            wanted.iter().map(|wanted| wanted.shifted(placed.start))
        });
        let wanted = wanted.take(workspace::MOST).collect();
        Self { found: Together::Whole(Findings::new(findings.collect()), wanted), border }
    }
}

impl Border {
    fn of(parts: &[PlacedPart], cx: &Context) -> Option<Self> {
        let mut border = Self {
            actions: None,
            sections: [Vec::new(), Vec::new()],
            doubtful: 0,
            finish_is_clear: false,
            last: parts.last()?.clone(),
        };
        let mut before: Option<&Facts> = None;
        for placed in parts {
            let checked = placed.checked(cx);
            let facts = checked.facts.as_ref()?;
            let next = border.actions.map_or(0, |(_, next)| next);
            if before.is_some_and(|before| before.affects(next)) {
                return None;
            }
            if let Some((first, last)) = facts.actions {
                if border.actions.is_some_and(|(_, next)| first != next) {
                    return None;
                }
                let begin = border.actions.map_or(first, |(begin, _)| begin);
                border.actions = Some((begin, last.checked_add(1)?));
            }
            let [head, rest] = &mut border.sections;
            if checked.is_head { head } else { rest }.extend(facts.sections.iter().cloned());
            border.doubtful += facts.doubtful;
            border.finish_is_clear |= before.is_some_and(|before| before.finish_is_clear);
            before = Some(facts);
        }
        Some(border)
    }
}

impl Facts {
    /// Whether a part may change what the next one means, whose first action should be `next`.
    fn affects(&self, next: u64) -> bool {
        self.open
            || self.odd_fence
            || self.finished
            || self.actions.is_some() && self.reaches >= next
    }
}

/// Reports the findings of a reply, part by part; `false` if they might differ from those of the
/// whole.
pub fn check_parts<'p>(parts: &'p Parts, cx: &'p Context, report: &mut Report) -> bool {
    let mut last: Option<(usize, &Border, &Checked, &Facts)> = None;
    let (mut next, mut doubtful, mut finish_is_clear) = (0, 0, false);
    let [mut head, mut rest] = [Vec::new(), Vec::new()];
    for placed in parts.groups() {
        if (cx.cancelled)() {
            return true;
        }
        let Some(border) = &placed.summary(cx).border else { return false };
        let checked = border.last.checked(cx);
        let Some(facts) = &checked.facts else { return false };
        if let Some((.., before)) = last {
            if before.affects(next) {
                return false;
            }
            finish_is_clear |= before.finish_is_clear;
        }
        if let Some((first, after)) = border.actions {
            if first != next {
                return false;
            }
            next = after;
        }
        let [own_head, own_rest] = &border.sections;
        head.extend(own_head.iter().map(String::as_str));
        rest.extend(own_rest.iter().map(String::as_str));
        doubtful += border.doubtful;
        finish_is_clear |= border.finish_is_clear;
        last = Some((placed.start, border, checked, facts));
    }
    if !rest.is_empty() {
        rest.extend(head);
        rest.sort_unstable();
        if rest.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
            return false;
        }
    }
    if doubtful > meaning::MOST {
        return false;
    }
    let mut follower = Follower::new(cx);
    for placed in parts.groups() {
        let mut keep = |findings: &Findings, wanted: &'p [Wanted], start: usize| {
            let found = follower.follow(wanted);
            report.keep(start, &findings.with_files(wanted, found, start, cx));
        };
        match &placed.summary(cx).found {
            Together::Whole(findings, wanted) => keep(findings, wanted, placed.start),
            Together::InParts => {
                for part in placed.own_parts() {
                    let checked = part.checked(cx);
                    let wanted = checked.facts.as_ref().map_or(&[][..], |facts| &facts.wanted);
                    keep(&checked.found, wanted, placed.start + part.start);
                }
            }
        }
    }
    if let Some((start, border, last, _)) = last.filter(|_| !finish_is_clear) {
        let start = start + border.last.start;
        report.diagnostics.extend(last.last.iter().map(|finding| finding.shifted(start)));
    }
    true
}
