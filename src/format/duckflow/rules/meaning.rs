//! Guesses which marker a malformed or unknown one was meant to be.

use super::super::layout::{Content, End, Layout};
use super::super::mark::{self, Mark, MarkKind};
use super::super::vocabulary::{PARAMETERS, ParameterKind, parameter};
use super::context::{FARTHEST, index_of, names};
use crate::format::Context;
use crate::suggestion::closest;
use crate::text::Span;

/// A line that was meant as a marker.
#[derive(Debug)]
pub struct Meant {
    pub mark: usize,
    /// The line.
    pub span: Span,
    /// The name that belongs between its brackets.
    pub name: String,
    /// The kind of marker with that name; its spans are offsets in the name.
    pub kind: MarkKind,
}

/// Beyond this many wrong markers, the guessing stops.
pub const MOST: usize = 4096;

/// Every line outside content that was meant as a marker, in order; in unclosed content, only the
/// end markers.
pub fn read(layout: &Layout, cx: &Context) -> Vec<Meant> {
    let candidates = layout
        .marks
        .iter()
        .enumerate()
        .filter(|(index, mark)| is_doubtful(mark) || is_misspelt_end(layout, *index, mark, cx));
    let found = candidates.take(MOST).filter_map(|(index, mark)| {
        let name = evident(&cx.source.slice(mark.name.clone()))
            .or_else(|| without_index(layout, index, cx))?;
        if mark.kind == MarkKind::Inline && !is_apart(layout, index, cx) {
            return None;
        }
        let kind = mark::named(&name).filter(MarkKind::is_marker)?;
        // A section is not a vital, however similar their names are.
        let fits = match mark.kind {
            MarkKind::UnknownSection => !matches!(kind, MarkKind::Vital(_)),
            MarkKind::ExtraVital => !matches!(kind, MarkKind::Section(_)),
            _ => true,
        };
        // Without brackets, the name of a vital may be just a word.
        let is_bare = || !cx.source.slice(mark.span.clone()).contains('[');
        let is_word = mark.kind == MarkKind::LookAlike
            && matches!(kind, MarkKind::Vital(_) | MarkKind::Section(_))
            && is_bare()
            && is_read(layout, &kind);
        if !fits || is_word {
            return None;
        }
        // In content all this is text, except for an end marker in unclosed content.
        let counts = match around(layout, index) {
            None => true,
            Some(content) => {
                matches!(content.end, End::Missing(_))
                    && matches!(kind, MarkKind::ContentEnd { index, .. } if index == content.index)
            }
        };
        counts.then(|| Meant { mark: index, span: mark.line.clone(), name, kind })
    });
    found.collect()
}

/// Whether a line may have been meant as a different marker.
pub fn is_doubtful(mark: &Mark) -> bool {
    matches!(
        mark.kind,
        MarkKind::LookAlike
            | MarkKind::Inline
            | MarkKind::Malformed
            | MarkKind::UnknownSection
            | MarkKind::ExtraVital
    )
}

/// The content that a mark is text of.
fn around(layout: &Layout, mark: usize) -> Option<&Content> {
    layout.contents.get((*layout.inside.get(mark)?)?)
}

/// Whether a line of unclosed content is a parameter that nothing has, nearly the end marker.
fn is_misspelt_end(layout: &Layout, index: usize, mark: &Mark, cx: &Context) -> bool {
    let MarkKind::Action { key, is_type: false, .. } = &mark.kind else { return false };
    if !mark.value.is_empty()
        || !around(layout, index).is_some_and(|own| matches!(own.end, End::Missing(_)))
    {
        return false;
    }
    let key = cx.source.slice(key.clone());
    let ends = ["CONTENT_END", "CONTENT_START"];
    parameter(&key).is_none() && closest(&key, ends) == Some("CONTENT_END")
}

/// Whether the vital or section is read.
fn is_read(layout: &Layout, kind: &MarkKind) -> bool {
    let sections = layout.sections.iter().map(|section| section.mark);
    let mut marks = sections.chain(layout.vitals.iter().map(|vital| vital.mark));
    marks.any(|mark| layout.marks.get(mark).is_some_and(|mark| mark.kind == *kind))
}

/// The marker that begins the line of an inline one.
pub fn host(layout: &Layout, inline: usize) -> Option<&Mark> {
    let before = layout.marks.get(..inline)?.iter().rev().take(FARTHEST);
    let own = layout.marks.get(inline)?;
    before
        .take_while(|mark| own.line.start <= mark.line.end)
        .find(|mark| mark.kind != MarkKind::Inline)
}

/// Whether an inline marker isn't part of the value before it: that is a single word, or the
/// marker is a vital with a number that is missing otherwise.
fn is_apart(layout: &Layout, inline: usize, cx: &Context) -> bool {
    let Some(own) = layout.marks.get(inline) else { return false };
    let Some(host) = host(layout, inline) else { return true };
    let name = |mark: &Mark| mark::named(&cx.source.slice(mark.name.clone()));
    match &host.kind {
        MarkKind::Vital(_)
        | MarkKind::ExtraVital
        | MarkKind::Action { is_type: true, .. }
        | MarkKind::ContentStart { .. }
        | MarkKind::ContentEnd { .. } => true,
        MarkKind::Action { key, .. } if is_word(&cx.source.slice(key.clone())) => true,
        _ => match name(own) {
            Some(kind @ MarkKind::Vital(_)) => {
                let value = cx.source.slice(own.value.clone());
                value.starts_with(|first: char| first.is_ascii_digit()) && !is_read(layout, &kind)
            }
            Some(MarkKind::Action { index, .. } | MarkKind::ContentStart { index, .. }) => {
                is_missing_key(layout, host, own, index, cx)
            }
            _ => false,
        },
    }
}

/// Whether a marker is of the same action as the one at the start of its line, which has no such
/// parameter otherwise.
fn is_missing_key(layout: &Layout, host: &Mark, own: &Mark, index: u64, cx: &Context) -> bool {
    let key = |mark: &Mark| {
        let name = cx.source.slice(mark.name.clone()).to_ascii_uppercase();
        parts(&name).map(|(.., key)| key.to_owned())
    };
    let Some(wanted) = key(own).filter(|key| parameter(key).is_some()) else { return false };
    let Some(action) = layout.actions.get(&index) else { return false };
    let same = index_of(host).is_some_and(|(host, _)| host == index);
    let mut keys = action.types.iter().chain(action.parameters.iter().map(|own| &own.mark));
    let is_there = keys.any(|mark| layout.marks.get(*mark).and_then(key).as_ref() == Some(&wanted));
    let starts = wanted.starts_with("CONTENT_") && !action.contents.is_empty();
    same && !is_there && !starts
}

/// Whether the value of a parameter is a single word.
pub fn is_word(key: &str) -> bool {
    parameter(&key.to_ascii_uppercase())
        .is_some_and(|parameter| parameter.kind != ParameterKind::Text)
}

/// The name that `name` was meant to be: in upper case, complete, without typos.
fn evident(name: &str) -> Option<String> {
    let mut upper = name.to_ascii_uppercase().replace([' ', '-'], "_");
    // `[ACTION0_TYPE]`
    let is_digit = |letter: char| letter.is_ascii_digit();
    if upper.strip_prefix("ACTION").is_some_and(|rest| rest.starts_with(is_digit)) {
        upper.insert("ACTION".len(), '_');
    }
    let Some((word, digits, key)) = parts(&upper) else {
        return known(&upper, names);
    };
    closest(word, ["ACTION"])?;
    let parameters = || PARAMETERS.iter().map(|parameter| parameter.name);
    let key = known(key, parameters).unwrap_or_else(|| key.to_owned());
    (!key.is_empty()).then(|| format!("ACTION_{digits}_{key}"))
}

/// The word of the list that equals this one, starts with it, or is similar.
fn known<I: Iterator<Item = &'static str>>(word: &str, words: impl Fn() -> I) -> Option<String> {
    let only_one = || {
        let mut begun = words().filter(|name| word.len() >= 2 && name.starts_with(word));
        begun.next().filter(|_| begun.next().is_none())
    };
    let found =
        words().find(|name| *name == word).or_else(only_one).or_else(|| closest(word, words()));
    found.map(str::to_owned)
}

/// `ACTION`, `0` and `PATH` of `ACTION_0_PATH`.
fn parts(name: &str) -> Option<(&str, &str, &str)> {
    let (word, rest) = name.split_once('_')?;
    let (digits, key) = rest.split_once('_')?;
    (!digits.is_empty() && digits.len() < 20 && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .then_some((word, digits, key))
}

/// `[ACTION_PATH]` and `[CONTENT_END]` belong to the action before them, `[ACTION_TYPE]` begins the
/// next one.
fn without_index(layout: &Layout, at: usize, cx: &Context) -> Option<String> {
    let name = cx.source.slice(layout.marks.get(at)?.name.clone());
    let own = layout.marks.get(at)?;
    let is_next = || {
        let above = at.checked_sub(1).and_then(|above| layout.marks.get(above));
        let is_action = above.is_some_and(|above| index_of(above).is_some());
        is_action && !own.value.is_empty() && is_word(&name)
    };
    let key = name.strip_prefix("ACTION_");
    let key = key.or_else(|| (name.starts_with("CONTENT_") || is_next()).then_some(&*name))?;
    // `[ACTION_N_TYPE]`, `[ACTION_O_PATH]`: a letter stands where the index belongs.
    let lettered = || key.split_once('_').filter(|(letter, _)| letter.len() == 1);
    let known = parameter(key).or_else(|| parameter(lettered()?.1))?;
    let key = known.name;
    let before = layout
        .marks
        .get(..at)?
        .iter()
        .rev()
        .take(FARTHEST)
        .find_map(index_of)
        .map(|(index, _)| index);
    let index = match before {
        None => 0,
        Some(index) if key == "TYPE" => index.checked_add(1)?,
        Some(index) => index,
    };
    Some(format!("ACTION_{index}_{}", known.name))
}

#[cfg(test)]
mod tests {
    use super::evident;

    #[test]
    fn the_name_that_was_meant() {
        for (name, meant) in [
            ("reasoning", Some("REASONING")),
            ("CONFIDEN", Some("CONFIDENCE")),
            ("MOOD", Some("MOOD")),
            ("MODO", Some("MOOD")),
            ("action_0_type", Some("ACTION_0_TYPE")),
            ("ACTION_0_PA", Some("ACTION_0_PATH")),
            ("ACTON_12_CONTENT_STRAT", Some("ACTION_12_CONTENT_START")),
            ("ACTION_0_TICKET", Some("ACTION_0_TICKET")),
            ("ACTION_0_", None),
            ("SUMMARY", None),
            ("CON", Some("CONFIDENCE")),
            ("Action 0 Type", Some("ACTION_0_TYPE")),
            ("ACTION-0-CONTENT-END", Some("ACTION_0_CONTENT_END")),
            ("ACTION_0_CONTENT_EDN", Some("ACTION_0_CONTENT_END")),
            ("ACTION0_TYPE", Some("ACTION_0_TYPE")),
        ] {
            assert_eq!(evident(name).as_deref(), meant, "{name}");
        }
    }
}
