//! The outcome of blocks for the mission and the changelog, in order (LLMD-14, LLMD-17, LLMD-18).

use super::context::RuleContext;
use crate::edit::Subject;
use crate::format::blocks::check::Item;
use crate::format::blocks::rules::{ALREADY_APPLIED, NO_OP};
use crate::format::llmd::layout::{Section, SectionKind};
use crate::format::llmd::plan;
use crate::rule::Report;
use crate::text::Span;

/// A block for the mission, and its outcome.
pub struct Mission<'a> {
    pub item: &'a Item<'a>,
    /// The mission that it is matched against.
    pub current: String,
    /// Its location, or its location before other blocks.
    pub place: Span,
    pub verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It matches the whole mission, which becomes this.
    Whole(String),
    /// It matches part of the mission, which becomes this.
    Part(String),
    Same,
    AlreadyApplied,
    Ambiguous,
    Absent,
}

/// The outcome of every live block for the mission. Text that isn't found is fine if unapplied
/// blocks of earlier entries would create it.
pub(super) fn evaluate<'s>(context: &'s RuleContext) -> Vec<Mission<'s>> {
    let Some(section) = section(context, SectionKind::Mission).filter(|_| context.is_whole())
    else {
        return Vec::new();
    };
    let about = |item: &&Item| {
        item.written.block.subject == Subject::Mission && item.written.block.error.is_none()
    };
    let items: Vec<&Item> = context.blocks.live().filter(about).collect();
    if !items.iter().any(|item| item.current) {
        return Vec::new();
    }
    let body = context.text(&section.body);
    let start = section.body.start + (body.len() - body.trim_start().len());
    let place = start..start + body.trim().len();
    let (mut current, mut after_all) = (normal(body.trim()), normal(body.trim()));
    let mut found = Vec::new();
    for item in items {
        let later = judge(&after_all, item);
        let fits = matches!(later, Verdict::Whole(_) | Verdict::Part(_));
        if let Verdict::Whole(text) | Verdict::Part(text) = later {
            after_all = text;
        }
        if !item.current {
            continue;
        }
        let verdict = judge(&current, item);
        if verdict == Verdict::Absent && fits {
            continue;
        }
        let before = current.clone();
        if let Verdict::Whole(text) | Verdict::Part(text) = &verdict {
            current.clone_from(text);
        }
        found.push(Mission { item, current: before, place: place.clone(), verdict });
    }
    found
}

/// The outcome of a block, given the mission.
pub fn judge(current: &str, item: &Item) -> Verdict {
    let mut verdict = Verdict::Absent;
    for split in &item.written.block.splits {
        let (search, replace) = (normal(split.search.trim()), normal(split.replace.trim()));
        if search == replace {
            return Verdict::Same;
        }
        if current == replace {
            return Verdict::AlreadyApplied;
        }
        if current == search {
            return Verdict::Whole(replace);
        }
        if search.is_empty() {
            continue;
        }
        match current.matches(search.as_str()).take(2).count() {
            1 => return Verdict::Part(current.replacen(search.as_str(), &replace, 1)),
            2.. => verdict = Verdict::Ambiguous,
            _ => {}
        }
    }
    verdict
}

fn normal(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn section<'a>(context: &RuleContext<'a>, kind: SectionKind) -> Option<&'a Section> {
    context.layout().sections.iter().find(|section| section.kind == kind)
}

/// Reports blocks for the document itself that are already applied, or change nothing.
pub(super) fn applied(context: &RuleContext, report: &mut Report) {
    for found in context.missions() {
        match found.verdict {
            Verdict::AlreadyApplied => {
                let message =
                    "the mission is already as this block wants it; the block changes nothing";
                report.add(&ALREADY_APPLIED, found.item.block.span.clone(), message).unnecessary();
            }
            Verdict::Same => {
                report.add(
                    &NO_OP,
                    found.item.head().span,
                    "the old and the new mission are identical; the block changes nothing",
                );
            }
            _ => {}
        }
    }
    let Some(changelog) = section(context, SectionKind::Changelog).filter(|_| context.is_whole())
    else {
        return;
    };
    let items = context.blocks.live().filter(|item| {
        item.current
            && item.written.block.subject == Subject::Changelog
            && item.written.block.error.is_none()
    });
    let mut items = items.peekable();
    if items.peek().is_none() {
        return;
    }
    let body = normal(&context.text(&changelog.body));
    for item in items {
        let text =
            item.written.block.splits.first().map(|split| split.replace.trim()).unwrap_or_default();
        if !text.is_empty() && body.trim_end().ends_with(plan::item(text).trim_end()) {
            let message = "the changelog already ends with this item; the block changes nothing";
            report.add(&ALREADY_APPLIED, item.block.span.clone(), message).unnecessary();
        }
    }
}
