//! Completion: the next marker, types of actions, values. Inside content, only its end marker is
//! offered.

use std::collections::HashSet;

use super::layout::{Content as Block, End, Layout};
use super::mark::MarkKind;
use super::vocabulary::{
    ACTION_TYPES, ActionType, Content, PARAMETERS, ParameterKind, SECTIONS, VITALS, action_type,
    parameter,
};
use super::{RegionKind, Response};
use crate::answer::{Completion, CompletionKind};
use crate::format::{Context, snippet};
use crate::source::Source;
use crate::text::{Edit, Span};
use crate::world::EntryKind;

/// The completions at `offset` of a reply.
pub fn complete(response: &Response, cx: &Context, offset: usize) -> Vec<Completion> {
    let layout = response.layout();
    let marker = typed_marker(cx.source, offset);
    if let Some(block) = content_at(layout, cx.source, offset) {
        let open = !matches!(block.end, End::Mark(_));
        let end = marker.filter(|(_, typed)| open && (typed.is_empty() || typed.starts_with('[')));
        return end.map(|(span, _)| end_of_content(block, span)).into_iter().collect();
    }
    if let Some((span, typed)) = marker {
        let offers = Offers { response, cx, offset, span };
        return if typed.is_empty() || typed.starts_with('[') {
            offers.markers()
        } else {
            Vec::new()
        };
    }
    values(response, cx, offset)
}

/// The completions at `offset` of a file that isn't a reply yet: the first marker, once its bracket
/// and two letters are typed.
pub fn start(cx: &Context, offset: usize) -> Vec<Completion> {
    let Some((span, typed)) = typed_marker(cx.source, offset) else { return Vec::new() };
    let Some(letters) = typed.strip_prefix('[').filter(|letters| letters.len() > 1) else {
        return Vec::new();
    };
    if cx.source.section_at(offset).is_some_and(|placed| in_code(cx.source, placed, offset)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    if "REASONING".starts_with(letters) {
        let mut item = item(
            &span,
            "[REASONING]",
            CompletionKind::Snippet,
            "a whole reply",
            SECTIONS.first().map_or("", |section| section.documentation),
        );
        let vitals: String = VITALS
            .iter()
            .enumerate()
            .map(|(index, vital)| {
                format!("[{}] ${{{}:0.{}}}\n", vital.name, index + 2, 9 - index % 2)
            })
            .collect();
        item.snippet = Some(format!(
            "[REASONING]\n${{1:Why the actions below are right.}}\n\n{vitals}\n[ACTION_0_TYPE] ${{6{}}}\n$0",
            choices()
        ));
        item.edit.text = "[REASONING]\n".to_owned();
        found.push(item);
    }
    if "ACTION_0_TYPE".starts_with(letters) {
        found.extend(whole_actions(&span, 0, 10));
    }
    found
}

fn in_code(source: &Source, placed: crate::source::Placed, offset: usize) -> bool {
    let local = offset - placed.start;
    let is_code = |block: &crate::markdown::Block| {
        matches!(block.kind, crate::markdown::BlockKind::Code { .. })
    };
    source
        .blocks(placed)
        .blocks
        .iter()
        .any(|block| is_code(block) && block.span.start < local && local <= block.span.end)
}

/// The marker being typed, if the line up to `offset` contains only that: the span to replace, and
/// what was typed.
fn typed_marker(source: &Source, offset: usize) -> Option<(Span, String)> {
    let line = source.line_span(offset);
    let text = source.slice(line.clone());
    let before = text.get(..offset.checked_sub(line.start)?)?;
    let mark =
        if line.start == 0 && before.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let typed = before.get(mark..)?.trim_start_matches(' ');
    let indent = before.len() - mark - typed.len();
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    if indent > 3 || !typed.strip_prefix('[').unwrap_or(typed).chars().all(is_word) {
        return None;
    }
    let after = text.get(before.len()..)?;
    let rest = after.trim_start_matches(is_word);
    let rest = rest.strip_prefix(']').unwrap_or(rest);
    // After a value, the author is busy with something else.
    rest.trim()
        .is_empty()
        .then(|| (line.start + mark + indent..line.end - rest.len(), typed.to_owned()))
}

/// The content that `offset` is in, excluding the line of its start marker.
fn content_at<'a>(layout: &'a Layout, source: &Source, offset: usize) -> Option<&'a Block> {
    let index =
        layout.contents.partition_point(|content| content.span.start <= offset).checked_sub(1)?;
    let content = layout.contents.get(index)?;
    // Blank lines after unclosed content belong to it too.
    let end = match content.end {
        End::Mark(_) | End::WrongIndex(_) => content.span.end,
        End::Missing(next) => next
            .and_then(|next| layout.marks.get(next))
            .map_or(source.len(), |mark| mark.line.start.saturating_sub(1)),
    };
    let start = layout.marks.get(content.start).map_or(0, |mark| mark.line.end);
    (offset <= end && offset > start).then_some(content)
}

fn end_of_content(block: &Block, span: Span) -> Completion {
    let documentation = parameter("CONTENT_END").map_or("", |parameter| parameter.documentation);
    item(
        &span,
        &format!("[ACTION_{}_CONTENT_END]", block.index),
        CompletionKind::Keyword,
        "ends the content",
        documentation,
    )
}

fn item(
    span: &Span,
    label: &str,
    kind: CompletionKind,
    detail: &str,
    documentation: &str,
) -> Completion {
    Completion {
        label: label.to_owned(),
        kind,
        detail: (!detail.is_empty()).then(|| detail.to_owned()),
        documentation: (!documentation.is_empty()).then(|| documentation.to_owned()),
        edit: Edit::replace(span.clone(), label),
        snippet: None,
        rank: 0,
        more: false,
    }
}

fn choices() -> String {
    let names: Vec<&str> = ACTION_TYPES.iter().map(|kind| kind.name).collect();
    format!("|{}|", names.join(","))
}

/// The lines that an action of this type needs after its `TYPE`, as a snippet.
fn body(kind: &ActionType, index: u64) -> String {
    let mut text = String::new();
    for (stop, name) in (1..).zip(kind.required) {
        text.push_str(&format!("\n[ACTION_{index}_{name}] ${{{stop}}}"));
    }
    if kind.content == Content::Wanted || kind.name == "edit_file" {
        text.push_str(&format!(
            "\n[ACTION_{index}_CONTENT_START]\n$0\n[ACTION_{index}_CONTENT_END]"
        ));
    }
    text
}

fn whole_actions(span: &Span, index: u64, rank: u32) -> impl Iterator<Item = Completion> {
    (rank..).zip(ACTION_TYPES).map(move |(rank, kind)| {
        let text = format!("[ACTION_{index}_TYPE] {}", kind.name);
        let snippet = text.clone() + &body(kind, index);
        Completion {
            snippet: Some(snippet),
            rank,
            ..item(span, &text, CompletionKind::Snippet, "a new action", kind.documentation)
        }
    })
}

/// Markers at the start of a line.
struct Offers<'a> {
    response: &'a Response,
    cx: &'a Context<'a>,
    offset: usize,
    span: Span,
}

impl Offers<'_> {
    fn markers(&self) -> Vec<Completion> {
        let mut found = Vec::new();
        self.sections(&mut found);
        self.vitals(&mut found);
        let layout = self.response.layout();
        // The line being typed doesn't describe the reply yet.
        let own = layout
            .marks
            .get(layout.marks.partition_point(|mark| mark.line.start < self.span.start));
        let own = own
            .filter(|mark| mark.line.start <= self.offset && self.offset <= mark.line.end)
            .map(|mark| mark.line.start);
        let regions = self.response.regions(self.cx.source);
        let before = regions
            .iter()
            .rfind(|region| region.span.start < self.span.start && Some(region.span.start) != own);
        if let Some(RegionKind::Action(index)) = before.map(|region| region.kind) {
            self.parameters(index, &mut found);
        }
        let typed = |index: &u64| {
            own.is_none()
                || layout.actions.get(index).is_some_and(|action| self.has_other_marks(action))
        };
        let next = layout
            .actions
            .keys()
            .rev()
            .find(|index| typed(index))
            .map_or(0, |last| last.saturating_add(1));
        found.extend(whole_actions(&self.span, next, 60));
        found
    }

    /// Whether an action has markers other than the one in the cursor's line.
    fn has_other_marks(&self, action: &super::layout::Action) -> bool {
        let starts = action
            .contents
            .iter()
            .filter_map(|content| self.response.layout().contents.get(*content))
            .map(|content| content.start);
        let mut marks = action
            .types
            .iter()
            .copied()
            .chain(action.parameters.iter().map(|parameter| parameter.mark))
            .chain(starts);
        marks.any(|mark| !self.is_here(mark))
    }

    fn is_here(&self, mark: usize) -> bool {
        self.response
            .layout()
            .marks
            .get(mark)
            .is_some_and(|mark| mark.line.start <= self.offset && self.offset <= mark.line.end)
    }

    fn sections(&self, found: &mut Vec<Completion>) {
        let layout = self.response.layout();
        for (index, section) in SECTIONS.iter().enumerate() {
            let is_it = |mark: usize| {
                layout.marks.get(mark).is_some_and(|mark| mark.kind == MarkKind::Section(index))
                    && !self.is_here(mark)
            };
            if !layout.sections.iter().any(|known| is_it(known.mark)) {
                let label = format!("[{}]", section.name);
                let rank = if index == 0 { 0 } else { 80 };
                let snippet = Some(format!("{label}\n$0"));
                let text = format!("{label}\n");
                let edit = Edit::replace(self.span.clone(), text);
                found.push(Completion {
                    rank,
                    snippet,
                    edit,
                    ..item(&self.span, &label, CompletionKind::Keyword, "", section.documentation)
                });
            }
        }
    }

    fn vitals(&self, found: &mut Vec<Completion>) {
        let layout = self.response.layout();
        for (index, vital) in VITALS.iter().enumerate() {
            let is_it = |mark: usize| {
                layout.marks.get(mark).is_some_and(|mark| mark.kind == MarkKind::Vital(index))
                    && !self.is_here(mark)
            };
            if !layout.vitals.iter().any(|known| is_it(known.mark)) {
                let label = format!("[{}]", vital.name);
                let documentation = format!(
                    "{} From 0.0 ({}) to 1.0 ({}).",
                    vital.documentation, vital.low, vital.high
                );
                let edit = Edit::replace(self.span.clone(), format!("{label} "));
                let snippet = Some(format!("{label} ${{1:0.9}}"));
                found.push(Completion {
                    rank: 10,
                    snippet,
                    edit,
                    ..item(&self.span, &label, CompletionKind::Keyword, "vital", &documentation)
                });
            }
        }
    }

    /// Which parameters the action before the cursor accepts, and which it lacks.
    fn parameters(&self, index: u64, found: &mut Vec<Completion>) {
        let layout = self.response.layout();
        let Some(action) = layout.actions.get(&index) else { return };
        let others = |marks: &[usize]| marks.iter().any(|mark| !self.is_here(*mark));
        if !others(&action.types) {
            let label = format!("[ACTION_{index}_TYPE]");
            let snippet = Some(format!("{label} ${{1{}}}", choices()));
            let edit = Edit::replace(self.span.clone(), format!("{label} "));
            let documentation = parameter("TYPE").map_or("", |parameter| parameter.documentation);
            found.push(Completion {
                rank: 20,
                snippet,
                edit,
                more: true,
                ..item(&self.span, &label, CompletionKind::Keyword, "required", documentation)
            });
        }
        let kind = action
            .types
            .last()
            .and_then(|kind| layout.marks.get(*kind))
            .map(|mark| self.cx.source.slice(mark.value.clone()).into_owned());
        let kind = kind.as_deref().and_then(action_type);
        let has: HashSet<String> = action
            .parameters
            .iter()
            .filter(|parameter| !self.is_here(parameter.mark))
            .filter_map(|parameter| match &layout.marks.get(parameter.mark)?.kind {
                MarkKind::Action { key, .. } => {
                    Some(self.cx.source.slice(key.clone()).to_ascii_uppercase())
                }
                _ => None,
            })
            .collect();
        let names: Vec<&str> = match kind {
            Some(kind) => kind.required.iter().chain(kind.optional).copied().collect(),
            // An action of an unknown type may have any parameter.
            None => PARAMETERS
                .iter()
                .map(|parameter| parameter.name)
                .filter(|name| *name != "TYPE" && !name.starts_with("CONTENT_"))
                .collect(),
        };
        for name in names.into_iter().filter(|name| !has.contains(*name)) {
            let required = kind.is_some_and(|kind| kind.required.contains(&name));
            let label = format!("[ACTION_{index}_{name}]");
            let documentation = parameter(name).map_or("", |parameter| parameter.documentation);
            let detail = if required { "required" } else { "" };
            let edit = Edit::replace(self.span.clone(), format!("{label} "));
            let more =
                parameter(name).is_some_and(|parameter| parameter.kind == ParameterKind::Path);
            let rank = if required { 21 } else { 40 };
            found.push(Completion {
                rank,
                edit,
                more,
                ..item(&self.span, &label, CompletionKind::Keyword, detail, documentation)
            });
        }
        let contents: Vec<usize> = action
            .contents
            .iter()
            .filter_map(|content| layout.contents.get(*content))
            .map(|content| content.start)
            .collect();
        if kind.is_none_or(|kind| kind.content != Content::Unused) && !others(&contents) {
            let label = format!("[ACTION_{index}_CONTENT_START]");
            let documentation =
                parameter("CONTENT_START").map_or("", |parameter| parameter.documentation);
            let lines = |inside: &str| format!("{label}\n{inside}\n[ACTION_{index}_CONTENT_END]");
            let rank =
                if kind.is_some_and(|kind| kind.content == Content::Wanted) { 22 } else { 30 };
            let edit = Edit::replace(self.span.clone(), lines(""));
            let snippet = Some(lines("$0"));
            found.push(Completion {
                rank,
                snippet,
                edit,
                ..item(&self.span, &label, CompletionKind::Snippet, "content", documentation)
            });
        }
    }
}

/// Values after a marker.
fn values(response: &Response, cx: &Context, offset: usize) -> Vec<Completion> {
    let Some((_, mark)) = response.mark_at(offset).filter(|(_, mark)| offset > mark.span.end)
    else {
        return Vec::new();
    };
    // From the first character that isn't whitespace, or from the cursor.
    let span = if mark.value.is_empty() { offset..offset } else { mark.value.clone() };
    if !(span.start <= offset && offset <= span.end) {
        return Vec::new();
    }
    match &mark.kind {
        MarkKind::Vital(index) => {
            VITALS.get(*index).map_or_else(Vec::new, |vital| numbers(&span, vital))
        }
        MarkKind::Action { index, is_type: true, .. } => types(response, *index, &span),
        MarkKind::Action { key, .. } => {
            let key = cx.source.slice(key.clone()).to_ascii_uppercase();
            match parameter(&key).map(|parameter| parameter.kind) {
                Some(ParameterKind::Path) => paths(cx, &span, offset, key == "WORKING_DIR"),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn numbers(span: &Span, vital: &super::vocabulary::VitalName) -> Vec<Completion> {
    let details = [("0.9", vital.high), ("0.7", ""), ("0.5", ""), ("0.3", ""), ("0.1", vital.low)];
    let items = (0..).zip(details);
    items
        .map(|(rank, (number, detail))| Completion {
            rank,
            ..item(span, number, CompletionKind::Value, detail, vital.documentation)
        })
        .collect()
}

fn types(response: &Response, index: u64, span: &Span) -> Vec<Completion> {
    let new = response
        .layout()
        .actions
        .get(&index)
        .is_some_and(|action| action.parameters.is_empty() && action.contents.is_empty());
    let offer = |(rank, kind): (u32, &ActionType)| {
        let snippet = new.then(|| kind.name.to_owned() + &body(kind, index));
        Completion {
            rank,
            snippet,
            ..item(span, kind.name, CompletionKind::EnumMember, "", kind.documentation)
        }
    };
    (0..).zip(ACTION_TYPES).map(offer).collect()
}

/// The files and folders of the workspace; completion replaces the last part of the path.
fn paths(cx: &Context, span: &Span, offset: usize, folders_only: bool) -> Vec<Completion> {
    let Some(root) = cx.root() else { return Vec::new() };
    let typed = cx.source.slice(span.start..offset).into_owned();
    let (folder, name) = typed.rsplit_once('/').unwrap_or(("", &typed));
    if typed.starts_with('/') || folder.split('/').any(|part| part == "..") {
        return Vec::new();
    }
    let place = offset - name.len()..span.end;
    let hidden = name.starts_with('.');
    let entries = cx.world.list(&root.join(folder)).into_iter();
    let kept = entries.filter(|entry| {
        (hidden || !entry.name.starts_with('.'))
            && entry.name != ".git"
            && !entry.name.contains(char::is_control)
    });
    kept.filter(|entry| !folders_only || entry.kind == EntryKind::Folder)
        .map(|entry| {
            let is_folder = entry.kind == EntryKind::Folder;
            let kind = if is_folder { CompletionKind::Folder } else { CompletionKind::File };
            let text = if is_folder { format!("{}/", entry.name) } else { entry.name };
            Completion {
                rank: u32::from(is_folder),
                more: is_folder,
                snippet: None,
                ..item(&place, &text, kind, "", "")
            }
        })
        .collect()
}

/// Escapes text that is literal in a snippet.
pub(super) fn literal(text: &str) -> String {
    snippet::escape(text)
}
