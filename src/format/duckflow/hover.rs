//! Hover: the meaning of a marker, a vital, a type or a parameter, and a preview of an action.

use super::Response;
use super::layout::{End, Layout};
use super::mark::{Mark, MarkKind};
use super::plan::FILE_ACTIONS;
use super::region::content_of;
use super::symbols::{line, lines};
use super::vocabulary::{ACTION_TYPES, Content, SECTIONS, VITALS, action_type, parameter};
use crate::answer::Hover;
use crate::format::Context;
use crate::plan::{FileChange, Plan};

/// The hover at `offset`.
pub(super) fn hover(response: &Response, cx: &Context, offset: usize) -> Option<Hover> {
    let (at, mark) = response.mark_at(offset)?;
    let layout = response.layout();
    if mark.span.start <= offset && offset <= mark.span.end {
        let markdown = marker(response, cx, at, mark)?;
        return Some(Hover { span: mark.span.clone(), markdown });
    }
    if offset < mark.value.start || mark.value.end < offset {
        return None;
    }
    let value = cx.source.slice(mark.value.clone()).into_owned();
    let markdown = match &mark.kind {
        MarkKind::Vital(index) => vital(*index)?,
        MarkKind::Action { index, is_type: true, .. } => action(response, cx, *index, &value),
        MarkKind::Action { index, key, .. } => {
            match cx.source.slice(key.clone()).to_ascii_uppercase().as_str() {
                "PATH" if FILE_ACTIONS.contains(&kind(layout, cx, *index).as_str()) => {
                    format!("`{}`\n\n{}", line(&value), effect(response, cx, *index)?)
                }
                key => parameter_page(key)?,
            }
        }
        _ => return None,
    };
    Some(Hover { span: mark.value.clone(), markdown })
}

fn marker(response: &Response, cx: &Context, at: usize, mark: &Mark) -> Option<String> {
    let layout = response.layout();
    Some(match &mark.kind {
        MarkKind::Section(index) => {
            let section = SECTIONS.get(*index)?;
            format!("**[{}]**\n\n{}", section.name, section.documentation)
        }
        MarkKind::Vital(index) => vital(*index)?,
        MarkKind::ExtraVital => "A vital that the specification does not define. agentmd keeps it.".to_owned(),
        MarkKind::UnknownSection => "A section that the specification does not define. agentmd keeps its text apart from the other sections.".to_owned(),
        MarkKind::Action { index, is_type: true, .. } => action(response, cx, *index, &kind(layout, cx, *index)),
        MarkKind::Action { index, key, .. } => {
            let key = cx.source.slice(key.clone()).to_ascii_uppercase();
            let (name, _) = title(layout, cx, *index);
            let page = parameter_page(&key).unwrap_or_else(|| format!("**{key}**: a parameter that the specification does not define. agentmd keeps it."));
            format!("{page}\n\nAction `{name}`.")
        }
        MarkKind::ContentStart { index, .. } => {
            let content = content_of(layout, at)?;
            let mut page = format!("**CONTENT_START**: {}", parameter("CONTENT_START")?.documentation);
            page.push_str(&format!("\n\n{} lines, {} bytes.", lines(cx, &content.span), content.span.len()));
            if !matches!(content.end, End::Mark(_)) {
                page.push_str(&format!(" `[ACTION_{index}_CONTENT_END]` is missing."));
            }
            page
        }
        MarkKind::ContentEnd { .. } => format!("**CONTENT_END**: {}", parameter("CONTENT_END")?.documentation),
        MarkKind::Malformed | MarkKind::LookAlike | MarkKind::Inline => return None,
    })
}

fn vital(index: usize) -> Option<String> {
    let vital = VITALS.get(index)?;
    Some(format!(
        "**[{}]**\n\n{}\n\nA number from `0.0` ({}) to `1.0` ({}).",
        vital.name, vital.documentation, vital.low, vital.high
    ))
}

fn parameter_page(key: &str) -> Option<String> {
    let parameter = parameter(key)?;
    let named = |names: &[&str]| names.contains(&parameter.name);
    let required: Vec<String> = ACTION_TYPES
        .iter()
        .filter(|kind| named(kind.required))
        .map(|kind| format!("`{}`", kind.name))
        .collect();
    let mut page = format!("**{}**: {}", parameter.name, parameter.documentation);
    if !required.is_empty() {
        page.push_str(&format!("\n\nRequired by {}.", required.join(", ")));
    }
    Some(page)
}

/// The type of an action; empty if it has none.
fn kind(layout: &Layout, cx: &Context, index: u64) -> String {
    let mark =
        layout.actions.get(&index).and_then(|action| layout.marks.get(*action.types.last()?));
    mark.map(|mark| cx.source.slice(mark.value.clone()).into_owned()).unwrap_or_default()
}

/// A short label for an action, and what it is for.
pub(super) fn title(layout: &Layout, cx: &Context, index: u64) -> (String, Option<String>) {
    let kind = kind(layout, cx, index);
    let value = |wanted: &str| {
        let action = layout.actions.get(&index)?;
        let found = action.parameters.iter().rev().find_map(|parameter| {
            let mark = layout.marks.get(parameter.mark)?;
            let MarkKind::Action { key, .. } = &mark.kind else { return None };
            cx.source
                .slice(key.clone())
                .eq_ignore_ascii_case(wanted)
                .then(|| line(&cx.source.slice(mark.value.clone())))
        });
        found.filter(|value| !value.is_empty())
    };
    let subject = action_type(&kind).and_then(|kind| value(kind.required.first()?));
    let name = if kind.is_empty() { "(no type)".to_owned() } else { line(&kind) };
    let name = subject
        .map_or_else(|| format!("{index} {name}"), |subject| format!("{index} {name} {subject}"));
    (name, value("DESCRIPTION"))
}

/// The action's meaning, what it lacks, and what applying it would do.
fn action(response: &Response, cx: &Context, index: u64, name: &str) -> String {
    let layout = response.layout();
    let (title, description) = title(layout, cx, index);
    let mut page = format!("**Action {title}**");
    if let Some(description) = description {
        page.push_str(&format!("\n\n{description}"));
    }
    let Some(kind) = action_type(name) else {
        let names: Vec<String> =
            ACTION_TYPES.iter().map(|kind| format!("`{}`", kind.name)).collect();
        page.push_str(&format!(
            "\n\nThe specification does not define this type. It defines {}.",
            names.join(", ")
        ));
        return page;
    };
    page.push_str(&format!("\n\n{}", kind.documentation));
    let words = |names: &[&str]| {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let content = match kind.content {
        Content::Wanted => ", and content",
        Content::Allowed => ", and content if the whole file is given",
        Content::Unused => "",
    };
    page.push_str(&format!(
        "\n\nRequired: {}{content}. Optional: {}.",
        words(kind.required),
        words(kind.optional)
    ));
    if let Some(effect) = effect(response, cx, index) {
        page.push_str(&format!("\n\n{effect}"));
    }
    page
}

/// Longer files get no diff.
const MOST_COMPARED: usize = 2000;
const MOST_SHOWN: usize = 40;

/// What applying an action would do to files; `None` if it doesn't touch files.
fn effect(response: &Response, cx: &Context, index: u64) -> Option<String> {
    if !FILE_ACTIONS.contains(&kind(response.layout(), cx, index).as_str()) {
        return None;
    }
    let Plan { changes, applied, refusals, .. } = super::plan::of_action(response, cx, index);
    if let Some(refusal) = refusals.first() {
        return Some(format!("It can't be applied: {}", refusal.message));
    }
    match changes.first() {
        Some(change) => Some(preview(change)),
        None => (!applied.is_empty())
            .then(|| "It is already applied: the file matches this action.".to_owned()),
    }
}

fn preview(change: &FileChange) -> String {
    let what = match (&change.before, &change.after) {
        (None, _) => return "Applying it creates the file.".to_owned(),
        (_, None) => return "Applying it deletes the file.".to_owned(),
        (Some(_), Some(_)) if change.risky => {
            "The file already exists. Applying the action replaces its contents:"
        }
        (Some(_), Some(_)) => "Applying it changes the file:",
    };
    let count = |text: &Option<String>| text.as_ref().map_or(0, |text| text.lines().count());
    if count(&change.before) + count(&change.after) > MOST_COMPARED {
        return what.trim_end_matches(':').to_owned() + ".";
    }
    let diff = change.hunks();
    let mut shown: Vec<&str> = diff.lines().take(MOST_SHOWN).collect();
    if diff.lines().count() > MOST_SHOWN {
        shown.push("…");
    }
    let longest = shown
        .iter()
        .map(|line| {
            line.len() - line.trim_start_matches([' ', '+', '-']).trim_start_matches('`').len()
        })
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{what}\n\n{fence}diff\n{}\n{fence}", shown.join("\n"))
}
