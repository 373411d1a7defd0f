//! Applying a reply: the changes that its file actions make. Commands are never executed.

use super::layout::{self, End, Layout, join};
use super::mark::MarkKind;
use super::region::Region;
use super::reply::Reply;
use super::vocabulary::{ACTION_TYPES, action_type};
use super::{RegionKind, Response, Unmarked};
use crate::edit;
use crate::format::{Context, GRAMMARS, Model, blocks};
use crate::plan::choice::{Choice, Goal};
use crate::plan::order::Order;
use crate::plan::{Operation, Plan, Planner, Reason};
use crate::reply;
use crate::source::Source;
use crate::suggestion::{closest, quoted};
use crate::text::{Encoding, Reader, Span};

/// The types of actions that change files.
pub const FILE_ACTIONS: [&str; 3] = ["create_file", "edit_file", "delete_file"];

/// The file action that an unknown type was meant to be.
pub fn meant(kind: &str) -> Option<&'static str> {
    let bare = unsigned(kind).unwrap_or(kind);
    let word = bare.split_whitespace().next()?.trim_matches(['`', '"', '*', '\'', '.', ',']);
    if action_type(kind).is_some() {
        return None;
    }
    let near = closest(word, ACTION_TYPES.iter().map(|known| known.name))?;
    let found = FILE_ACTIONS.into_iter().find(|known| *known == near)?;
    // `create_dir` is an action of another client.
    let is_near = |own: &str, known: &str| {
        let first = own.get(..1).unwrap_or_default();
        known.starts_with(first) && closest(own, [known]).is_some()
    };
    let parts = word.split_once('_').zip(found.split_once('_'));
    let is_other =
        parts.is_some_and(|(own, known)| !is_near(own.0, known.0) || !is_near(own.1, known.1));
    (!is_other).then_some(found)
}

/// Whether an action of this type changes files, or was meant to.
fn concerns_files(kind: &str) -> bool {
    FILE_ACTIONS.contains(&kind) || meant(kind).is_some()
}

/// The indices and spans of the actions that change files.
pub fn blocks(response: &Response, source: &Source) -> Vec<(u64, Span)> {
    let reader = source.reader();
    response.regions(source).iter().filter_map(|region| block(response, &reader, region)).collect()
}

/// The same for one region.
fn block(response: &Response, reader: &Reader, region: &Region) -> Option<(u64, Span)> {
    let layout = response.layout();
    let RegionKind::Action(index) = region.kind else { return None };
    let action = layout.actions.get(&index)?;
    // With several types, none is meant for certain: one that changes files is refused.
    let mut kinds = action.types.iter().filter_map(|kind| layout.marks.get(*kind));
    let changes = region.marks.first() == Some(&action.first)
        && kinds.any(|kind| concerns_files(&reader.slice(kind.value.clone())));
    changes.then(|| (index, region.span.clone()))
}

/// The same for chosen actions: there may be very many others.
fn chosen(response: &Response, source: &Source, choices: &[Choice]) -> Vec<(u64, Span)> {
    let (regions, reader) = (response.regions(source), source.reader());
    let found = choices.iter().filter_map(|choice| {
        let first = response.layout().actions.get(&choice.number)?.first;
        let at = regions.partition_point(|region| region.marks.first() < Some(&first));
        block(response, &reader, regions.get(at)?).filter(|(index, _)| *index == choice.number)
    });
    found.collect()
}

/// The changes that a set of chosen actions makes. A reply that mixes dialects is all or nothing.
pub(super) fn apply(response: &Response, cx: &Context, order: &Order) -> Option<Plan> {
    if order.choices.is_none() {
        let draft = reply::read_source(cx.source, GRAMMARS);
        if draft.free {
            return blocks::apply::apply(&draft, cx, order)
                .or_else(|| Unmarked::read(cx.source).apply(cx, order));
        }
    }
    let root = order.root(cx.root())?;
    let places = match order.choices {
        Some(choices) => chosen(response, cx.source, choices),
        None => blocks(response, cx.source),
    };
    let line = |offset: usize| cx.source.position(offset, Encoding::Utf8).line + 1;
    // When you pick an action in an editor, the editor asks before it replaces anything.
    let planner = order
        .planner(cx.world, &root)
        .keeping_files(order.choices.is_none() && !order.terms.overwrites);
    let planner = planner.at_lines(places.iter().map(|(block, span)| (*block, line(span.start))));
    // The user may select something that isn't an action: that is refused with the reason.
    let mut chosen: Vec<u64> = match order.choices {
        None => places.into_iter().map(|(block, _)| block).collect(),
        Some(choices) => choices.iter().map(|choice| choice.number).collect(),
    };
    chosen.sort_unstable();
    chosen.dedup();
    let wanted = chosen
        .into_iter()
        .map(|index| (index, read(response.layout(), &|span| cx.source.slice(span), index)));
    of_actions(wanted.collect(), planner, cx.cancelled).into()
}

/// The changes that one action makes, regardless of the files' current contents.
pub(super) fn of_action(response: &Response, cx: &Context, index: u64) -> Plan {
    let choices = [Choice::found(index)];
    apply(response, cx, &Order::of(&choices, Goal::Workspace)).unwrap_or_default()
}

/// The changes that the file actions of a reply without markers make.
pub(super) fn of_reply(reply: &Reply, cx: &Context, order: &Order) -> Option<Plan> {
    let root = order.root(cx.root())?;
    let actions = reply
        .actions
        .iter()
        .filter(|action| concerns_files(&action.kind) && order.choice(action.index).is_some());
    let mut planner = order.planner(cx.world, &root);
    if order.choices.is_none() {
        for mistake in reply.mistakes.iter().filter(|mistake| mistake.stops) {
            planner.refuse_line(1, None, edit::Reason::UnknownCall.into(), &*mistake.message);
        }
    }
    let wanted = actions.map(|action| {
        let path = action
            .parameters
            .iter()
            .find(|(name, _)| name == "path")
            .map(|(_, value)| value.clone());
        (
            action.index,
            Ok(Wanted { kind: action.kind.clone(), path, content: action.content.clone() }),
        )
    });
    Some(of_actions(wanted.collect(), planner, cx.cancelled))
}

fn of_actions(
    mut actions: Vec<(u64, Result<Wanted, Unclear>)>,
    mut planner: Planner,
    cancelled: &dyn Fn() -> bool,
) -> Plan {
    if planner.is_backwards() {
        actions.reverse();
    }
    for (index, wanted) in actions {
        if cancelled() {
            return Plan::default();
        }
        take(&mut planner, index, wanted);
    }
    planner.finish()
}

/// The intent of an action.
pub(super) struct Wanted {
    pub kind: String,
    pub path: Option<String>,
    pub content: Option<String>,
}

/// Why an action can't be understood, and the file that it is about.
pub(super) type Unclear = (Reason, String, Option<String>);

/// Reads one action. If the markers are ambiguous, nothing is applied.
pub(super) fn read(layout: &Layout, text: layout::Reader, index: u64) -> Result<Wanted, Unclear> {
    let Some(action) = layout.actions.get(&index) else {
        return Err((Reason::NotAFileAction, format!("unknown action {index}"), None));
    };
    let twice = |what: &str| format!("more than one {what} in action {index}; remove all but one");
    let mut paths = Vec::new();
    for parameter in &action.parameters {
        if let Some(MarkKind::Action { key, .. }) =
            layout.marks.get(parameter.mark).map(|mark| &mark.kind)
            && text(key.clone()).eq_ignore_ascii_case("PATH")
        {
            paths.push(join(text, &parameter.pieces));
        }
    }
    let path = paths.pop();
    let unclear = |reason: Reason, message: String| Err((reason, message, path.clone()));
    if paths.iter().any(|other| Some(other) != path.as_ref()) {
        return unclear(Reason::Ambiguous, twice("`PATH`"));
    }
    let mut kinds = action
        .types
        .iter()
        .filter_map(|kind| layout.marks.get(*kind))
        .map(|mark| text(mark.value.clone()).into_owned());
    let kind = kinds.next().unwrap_or_default();
    if kinds.any(|other| other != kind) {
        return unclear(Reason::Ambiguous, twice("`TYPE`"));
    }
    let content = match action.contents.as_slice() {
        [] => None,
        [one] => layout.contents.get(*one),
        _ => return unclear(Reason::Ambiguous, twice("content")),
    };
    if content.is_some_and(|content| !matches!(content.end, End::Mark(_))) && kind != "delete_file"
    {
        let message = match content.map(|content| content.end) {
            Some(End::WrongIndex(_)) => format!(
                "the markers around the content of action {index} have different indices; write {index} in both"
            ),
            _ => format!(
                "unclosed content in action {index}, possibly cut off; `[ACTION_{index}_CONTENT_END]` is missing"
            ),
        };
        return unclear(Reason::UnterminatedBlock, message);
    }
    Ok(Wanted {
        kind,
        path,
        content: content.map(|content| text(content.span.clone()).into_owned()),
    })
}

/// The path in backticks, quotes, bold or a link, or before punctuation, as models write them.
pub fn unquoted(path: &str) -> Option<&str> {
    let between = |open: &str, close: &str| path.strip_prefix(open)?.strip_suffix(close);
    let quotes =
        [("`", "`"), ("\"", "\""), ("'", "'"), ("**", "**"), ("<", ">"), ("“", "”"), ("‘", "’")];
    let inner = quotes.into_iter().find_map(|(open, close)| between(open, close));
    let link = || path.strip_prefix('[')?.strip_suffix(')')?.split_once("](").map(|(text, _)| text);
    // `a.py,` and `a.py.` are ends of sentences.
    let sentence = || {
        let bare = path.trim_end_matches([',', ';', '.']);
        let name = bare.rsplit('/').next().unwrap_or_default();
        (bare.len() < path.len() && name.contains('.')).then_some(bare)
    };
    let inner = inner.or_else(link).or_else(sentence)?.trim();
    (!inner.is_empty() && !inner.contains(['`', '"', '*'])).then_some(inner)
}

/// A value without the sign before it: `= a.txt`, `: 0.8`, `-> finish`.
pub fn unsigned(value: &str) -> Option<&str> {
    let is_sign = |letter: char| matches!(letter, '=' | ':' | '-' | '>' | '–' | '—');
    let rest = value.trim_start_matches(is_sign);
    let sign = value.strip_suffix(rest)?;
    let alone = rest.starts_with([' ', '\t']) || matches!(sign, "=" | ":");
    let short = (1..=2).contains(&sign.chars().count()) && !sign.starts_with('>');
    let rest = rest.trim_start();
    (short && alone && !rest.is_empty()).then_some(rest)
}

fn take(planner: &mut Planner, index: u64, wanted: Result<Wanted, Unclear>) {
    let Wanted { kind, path, content } = match wanted {
        Ok(wanted) => wanted,
        Err((reason, message, file)) => {
            return planner.refuse(index, file.as_deref(), reason, message);
        }
    };
    let file = path.as_deref().unwrap_or_default();
    if let Some(inner) = unquoted(file).filter(|_| FILE_ACTIONS.contains(&kind.as_str())) {
        let message =
            format!("the path of action {index} is written as {}; write `{inner}`", quoted(file));
        return planner.refuse(index, Some(file), Reason::PathForbidden, message);
    }
    if let Some(inner) = unsigned(file).filter(|_| FILE_ACTIONS.contains(&kind.as_str())) {
        let message = format!("a sign precedes the path of action {index}; write `{inner}`");
        return planner.refuse(index, Some(file), Reason::PathForbidden, message);
    }
    match (kind.as_str(), content.as_deref()) {
        ("delete_file", _) => planner.take(index, file, Operation::Delete),
        ("create_file" | "edit_file", None) => {
            let message = format!("action {index} has no content, so there is nothing to write");
            planner.refuse(index, Some(file), Reason::MissingContent, message);
        }
        ("create_file" | "edit_file", Some(content)) if holds_edit_blocks(content) => {
            match edit::read(content).as_slice() {
                [] => planner.take(
                    index,
                    file,
                    if kind == "edit_file" {
                        Operation::Replace(content)
                    } else {
                        Operation::Create(content)
                    },
                ),
                blocks => planner.take(index, file, Operation::Edit(blocks)),
            }
        }
        ("create_file", Some(content)) => planner.take(index, file, Operation::Create(content)),
        ("edit_file", Some(content)) => planner.take(index, file, Operation::Replace(content)),
        (other, _) if meant(other).is_some() => {
            let meant = meant(other).unwrap_or_default();
            let message = format!(
                "unknown type {} of action {index}; did you mean `{meant}`?",
                quoted(other)
            );
            planner.refuse(index, Some(file), Reason::NotAFileAction, message);
        }
        (other, _) => {
            let message = format!("action {index} (`{other}`) does not change files");
            planner.refuse(index, Some(file), Reason::NotAFileAction, message);
        }
    }
}

/// Whether some line starts a block of text to search for, in one of the styles that models use, and
/// the rest is such blocks: prose about blocks is prose.
pub(super) fn holds_edit_blocks(content: &str) -> bool {
    content.split(['\n', '\r']).any(starts_block) && is_only_blocks(content)
}

fn starts_block(line: &str) -> bool {
    let line = line.trim();
    let word = line.trim_start_matches(['<', '-']);
    let width = line.len() - word.len();
    let word = word.trim_end_matches('>').trim();
    width >= 3 && ["SEARCH", "ORIGINAL"].iter().any(|known| word.eq_ignore_ascii_case(known))
        || line == "*** Begin Patch"
}

fn is_only_blocks(content: &str) -> bool {
    let blocks = edit::read(content);
    let inside =
        |at: usize| blocks.iter().any(|block| block.span.start <= at && at <= block.span.end);
    let mut at = 0;
    content.split_inclusive('\n').all(|line| {
        let start = at;
        at += line.len();
        let text = line.trim();
        let named = edit::naming::alone_above(text).is_some();
        text.is_empty()
            || inside(start)
            || named
            || text.starts_with("```")
            || text.starts_with("*** ")
            || text.starts_with("--- ")
            || text.starts_with("+++ ")
    })
}
