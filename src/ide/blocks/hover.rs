//! Hover on a block: its changes as a diff; if it can't be applied, the reason and the nearest
//! match.

use super::places::{fragment, range};
use super::{change_of, manner, percent, stands};
use crate::answer::Hover;
use crate::document::Document;
use crate::edit::nearest::Nearest;
use crate::format::Context;
use crate::plan::FileChange;
use crate::plan::choice::{Choice, Goal, Way};
use crate::plan::standing::{Fit, FitKind, Refusal, Standing, State};
use crate::text::Span;
use crate::world;

/// The hover of the block at `offset`.
pub fn hover(document: &Document, cx: &Context, offset: usize) -> Option<Hover> {
    let stands = stands(document, cx);
    let stand = stands.iter().find(|stand| stand.touches(&(offset..offset)))?;
    let (goal, standing) = stand.first()?;
    let named = standing.named.clone().filter(|named| named.start <= offset && offset <= named.end);
    let span = named.unwrap_or_else(|| stand.span.clone());
    let markdown = match &standing.state {
        State::Fits(fit) => fitting(document, cx, *goal, standing, fit, Way::Found),
        State::Likely(fit) => fitting(document, cx, *goal, standing, fit, Way::Confirmed),
        State::Done => format!("{}: applied already.", link(cx, standing, None)),
        State::Refused(refusal) => refused(cx, standing, refusal),
    };
    Some(Hover { span, markdown })
}

/// The block's file, with the line, as a link if possible.
fn link(cx: &Context, standing: &Standing, lines: Option<&Span>) -> String {
    let name = standing.name.as_deref().unwrap_or("this document");
    let label = lines.map_or_else(|| name.to_owned(), |lines| format!("{name}:{}", range(lines)));
    let path = if standing.part.is_some() { cx.path } else { standing.path.as_deref() };
    let clean = !label.contains(['[', ']', '\\']);
    match path.filter(|path| clean && cx.world.kind(path).is_some()) {
        Some(path) => {
            let uri = world::uri(path).replace('(', "%28").replace(')', "%29");
            let fragment = lines.map(|lines| format!("#{}", fragment(lines))).unwrap_or_default();
            format!("[{label}]({uri}{fragment})")
        }
        None => format!("`{}`", label.replace('`', "'")),
    }
}

fn fitting(
    document: &Document,
    cx: &Context,
    goal: Goal,
    standing: &Standing,
    fit: &Fit,
    way: Way,
) -> String {
    let lines = Some(&fit.lines).filter(|_| fit.kind == FitKind::Edit);
    let what = match fit.kind {
        FitKind::Edit => manner(fit.tier, fit.score),
        FitKind::Create => "would be created".to_owned(),
        FitKind::Delete => "would be deleted".to_owned(),
        FitKind::Move => "would be renamed".to_owned(),
    };
    let goal_word =
        if goal == Goal::Context && standing.name.is_some() { " in Code Context" } else { "" };
    let mut page = format!("{}{goal_word}: {what}.", link(cx, standing, lines));
    if way == Way::Confirmed {
        page.push_str(" It's only applied if you confirm it.");
    }
    if let Some(change) = change_of(document, cx, Choice { number: standing.number, way }, goal)
        .filter(|change| change.after.is_some())
    {
        page.push_str(&format!("\n\n{}", diff(&change)));
    }
    page
}

fn refused(cx: &Context, standing: &Standing, refusal: &Refusal) -> String {
    let mut page =
        format!("**Can't be applied** (`{}`): {}", refusal.reason.name(), refusal.message);
    if refusal.candidates.len() > 1 {
        let links: Vec<String> = refusal
            .candidates
            .iter()
            .take(10)
            .map(|line| link(cx, standing, Some(&(*line..*line + 1))))
            .collect();
        page.push_str(&format!("\n\n{}", links.join(", ")));
    } else if let Some(nearest) = &refusal.nearest {
        page.push_str(&format!(
            "\n\nNearest: {}, {}.",
            link(cx, standing, Some(&nearest.lines)),
            percent(nearest.similarity)
        ));
        page.push_str(&format!("\n\n{}", differences(nearest)));
    }
    page
}

/// The lines that the block searches for and the file doesn't have, as a diff.
fn differences(nearest: &Nearest) -> String {
    let mut rows = Vec::new();
    for difference in nearest.differences.iter().take(MOST_SHOWN / 2) {
        rows.push(format!("@@ line {} @@", difference.line + 1));
        rows.extend(difference.want.iter().map(|line| format!("-{line}")));
        rows.extend(difference.have.iter().map(|line| format!("+{line}")));
    }
    format!("The block has `-`, the file `+`:\n\n{}", fenced(&rows))
}

/// With more lines than this, no difference is shown.
const MOST_COMPARED: usize = 200_000;
const MOST_SHOWN: usize = 60;

/// A change as a fenced diff.
pub fn diff(change: &FileChange) -> String {
    let count = |text: &Option<String>| text.as_ref().map_or(0, |text| text.lines().count());
    if count(&change.before) + count(&change.after) > MOST_COMPARED {
        return "The file is too long for a preview.".to_owned();
    }
    let diff = change.diff();
    let lines = || diff.lines().skip_while(|line| !line.starts_with("@@"));
    let mut rows: Vec<String> = lines().take(MOST_SHOWN).map(str::to_owned).collect();
    if lines().nth(MOST_SHOWN).is_some() {
        rows.push("…".to_owned());
    }
    fenced(&rows)
}

/// Lines in a fence longer than any inside them.
fn fenced(rows: &[String]) -> String {
    let run = |row: &String| {
        let row = row.trim_start_matches([' ', '+', '-']);
        row.len() - row.trim_start_matches('`').len()
    };
    let fence = "`".repeat(rows.iter().map(run).max().unwrap_or(0).max(2) + 1);
    format!("{fence}diff\n{}\n{fence}", rows.join("\n"))
}
