//! Guesses which marker a malformed or unknown one was meant to be.

use super::super::layout::{End, Layout};
use super::super::mark::{self, Mark, MarkKind};
use super::super::vocabulary::PARAMETERS;
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
    let candidates =
        layout.marks.iter().enumerate().filter(|(_, mark)| is_doubtful(mark)).take(MOST);
    let found = candidates.filter_map(|(index, mark)| {
        let name = evident(&cx.source.slice(mark.name.clone()))
            .or_else(|| without_index(layout, index, cx))?;
        let kind = mark::named(&name).filter(MarkKind::is_marker)?;
        // A section is not a vital, however similar their names are.
        let fits = match mark.kind {
            MarkKind::UnknownSection => !matches!(kind, MarkKind::Vital(_)),
            MarkKind::ExtraVital => !matches!(kind, MarkKind::Section(_)),
            _ => true,
        };
        if !fits {
            return None;
        }
        // In content all this is text, except for an end marker in unclosed content.
        let counts = match layout
            .inside
            .get(index)
            .copied()
            .flatten()
            .and_then(|content| layout.contents.get(content))
        {
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
        MarkKind::LookAlike | MarkKind::Malformed | MarkKind::UnknownSection | MarkKind::ExtraVital
    )
}

/// The name that `name` was meant to be: in upper case, complete, without typos.
fn evident(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase().replace([' ', '-'], "_");
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
    let key =
        name.strip_prefix("ACTION_").or_else(|| name.starts_with("CONTENT_").then_some(&*name))?;
    let known = PARAMETERS.iter().find(|parameter| parameter.name == key)?;
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
        ] {
            assert_eq!(evident(name).as_deref(), meant, "{name}");
        }
    }
}
