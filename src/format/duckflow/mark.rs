//! Markers: the lines that make up a reply (DUCK-1, DUCK-4, DUCK-5, DUCK-8). Each line is
//! classified on its own; `layout` decides whether it is inside content, where it has no meaning.

mod bare;
mod inline;

use super::vocabulary::{SECTIONS, VITALS, parameter};
use crate::text::Span;

/// A line that is a marker, or looks like one. Spans count from the start of the searched text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub kind: MarkKind,
    /// The whole line, excluding its break.
    pub line: Span,
    /// From `[` through `]`; for a malformed marker its word; for a decorated one, its decoration
    /// as well.
    pub span: Span,
    /// Between the brackets.
    pub name: Span,
    /// After the brackets, trimmed.
    pub value: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkKind {
    /// `[REASONING]`, `[PLANNING]`, `[NOTES]`: an index into [`SECTIONS`].
    Section(usize),
    /// One of the four: an index into [`VITALS`].
    Vital(usize),
    /// `[NEW_VITAL] 0.5`
    ExtraVital,
    /// `[SOMETHING]`
    UnknownSection,
    /// `[ACTION_0_TYPE]`, `[ACTION_0_PATH]`
    Action {
        index: u64,
        /// The digits of the index.
        digits: Span,
        /// `TYPE`, `PATH`
        key: Span,
        is_type: bool,
    },
    ContentStart {
        index: u64,
        digits: Span,
    },
    ContentEnd {
        index: u64,
        digits: Span,
    },
    /// `[CONFIDEN` without its closing bracket, or an action's marker without an index or a key.
    Malformed,
    /// `[reasoning]`: a marker except for its case, for a tab or too many spaces before it, or for
    /// its decoration.
    LookAlike,
    /// A marker that isn't the first thing in its line. Its line begins with it, and ends where the
    /// next such marker does.
    Inline,
}

impl Mark {
    /// Whether the marker is decorated in the style of Markdown or other formats:
    /// `**[REASONING]**`, `[MOOD]: 0.5`.
    pub fn is_dressed(&self) -> bool {
        self.kind == MarkKind::LookAlike
            && (self.span.start + 1 != self.name.start || self.span.end != self.name.end + 1)
    }

    /// The same mark in a document that has `by` bytes before this one.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        let kind = match &self.kind {
            MarkKind::Action { index, digits, key, is_type } => MarkKind::Action {
                index: *index,
                digits: shift(digits),
                key: shift(key),
                is_type: *is_type,
            },
            MarkKind::ContentStart { index, digits } => {
                MarkKind::ContentStart { index: *index, digits: shift(digits) }
            }
            MarkKind::ContentEnd { index, digits } => {
                MarkKind::ContentEnd { index: *index, digits: shift(digits) }
            }
            other => other.clone(),
        };
        Self {
            kind,
            line: shift(&self.line),
            span: shift(&self.span),
            name: shift(&self.name),
            value: shift(&self.value),
        }
    }
}

impl MarkKind {
    /// Whether the line belongs to the format; the other kinds only matter to rules.
    pub fn is_marker(&self) -> bool {
        !matches!(self, Self::Malformed | Self::LookAlike | Self::Inline)
    }

    /// Whether the line doesn't belong to the text around it.
    pub fn ends_text(&self) -> bool {
        !matches!(self, Self::LookAlike | Self::Inline)
    }
}

/// With more spaces than this before the bracket, a line is text.
const DEEPEST: usize = 3;

/// Every marker in text that begins at the start of a line, in order.
pub fn marks(text: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut at = 0;
    // Most lines have no bracket, so they are skipped early.
    for bracket in memchr::memchr_iter(b'[', text.as_bytes()) {
        if bracket < at {
            continue;
        }
        let before = text.get(at..bracket).unwrap_or_default();
        let start = before.rfind(['\n', '\r']).map_or(at, |end| at + end + 1);
        let starts_line = start == 0
            || text.as_bytes().get(start - 1).is_some_and(|byte| matches!(byte, b'\n' | b'\r'));
        let rest = text.get(bracket..).unwrap_or_default();
        let end = bracket + memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        let indent = text.get(start..bracket).unwrap_or_default();
        let before = found.len();
        // A byte order mark is invisible, and concatenated texts have it in the middle.
        if starts_line
            && (indent.len() <= DEEPEST && indent.bytes().all(|byte| byte == b' ')
                || indent == "\u{feff}")
        {
            found.extend(
                read(text, start, bracket, end).or_else(|| dressed(text, start, bracket, end)),
            );
        } else if starts_line && indent.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
            found.extend(
                read(text, start, bracket, end)
                    .filter(|mark| known(&mark.kind))
                    .map(|mark| Mark { kind: MarkKind::LookAlike, ..mark }),
            );
        } else if starts_line {
            found.extend(dressed(text, start, bracket, end));
        }
        if found.len() > before {
            inline::divide(text, &mut found);
        } else if starts_line {
            found.extend(inline::end(text, start, end));
        }
        at = end;
    }
    bare::add(text, &mut found);
    found
}

fn read(text: &str, start: usize, bracket: usize, end: usize) -> Option<Mark> {
    let line = start..end;
    let rest = text.get(bracket + 1..end)?;
    let word =
        rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let name = rest.get(..word)?;
    let place = bracket + 1..bracket + 1 + word;
    let Some(after) = rest.get(word..).and_then(|rest| rest.strip_prefix(']')) else {
        let other = spaced(text, start, bracket, end);
        if let Some(mark) = other.or_else(|| enclosed(text, start, bracket, end)) {
            return Some(mark);
        }
        let cut = name.len() > 1
            && name.starts_with(|first: char| first.is_ascii_uppercase())
            && !name.contains(|other: char| other.is_ascii_lowercase());
        let open = cut
            && !rest.contains(']')
            && rest
                .get(word..)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '#']));
        let value = place.end..place.end;
        return open.then_some(Mark {
            kind: MarkKind::Malformed,
            line,
            span: bracket..place.end,
            name: place,
            value,
        });
    };
    // Links and their definitions.
    if after.starts_with(['(', '[', ':']) {
        return None;
    }
    let lead = after.len() - after.trim_start().len();
    let trimmed = after.trim();
    let from = if trimmed.is_empty() { place.end + 1 } else { place.end + 1 + lead };
    let value = from..from + trimmed.len();
    let kind = kind(name, place.start, trimmed)?;
    Some(Mark { kind, line, span: bracket..place.end + 1, name: place, value })
}

/// `[ACTION 0 TYPE]`, `[ACTION-0-TYPE]`
fn spaced(text: &str, start: usize, bracket: usize, end: usize) -> Option<Mark> {
    let rest = text.get(bracket + 1..end)?;
    let close = rest.bytes().take(LONGEST_NAME).position(|byte| byte == b']')?;
    let (name, value) = (rest.get(..close)?, rest.get(close + 1..)?);
    if !name.get(.."ACTION".len())?.eq_ignore_ascii_case("ACTION")
        || value.starts_with(['(', '[', ':'])
    {
        return None;
    }
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b' ');
    if !name.bytes().all(is_letter) {
        return None;
    }
    // `[ACTION_0_TYPE finish]`
    let word = name.split(' ').next().unwrap_or_default();
    if word.len() < name.len()
        && let Some(MarkKind::Action { key, .. }) = named(&word.to_ascii_uppercase())
        && word.to_ascii_uppercase().get(key).and_then(parameter).is_some()
    {
        return None;
    }
    let kind = named(&name.to_ascii_uppercase().replace([' ', '-'], "_"))?;
    let place = bracket + 1..bracket + 1 + close;
    let from = place.end + 1 + value.len() - value.trim_start().len();
    matches!(
        kind,
        MarkKind::Action { .. } | MarkKind::ContentStart { .. } | MarkKind::ContentEnd { .. }
    )
    .then(|| Mark {
        kind: MarkKind::LookAlike,
        line: start..end,
        span: bracket..place.end + 1,
        name: place,
        value: from..from + value.trim().len(),
    })
}

/// `[ACTION_0_PATH: a.txt]`, `[MOOD=0.8]`: a marker with its value between the brackets.
fn enclosed(text: &str, start: usize, bracket: usize, end: usize) -> Option<Mark> {
    let line = text.get(bracket + 1..end)?.trim_end();
    let inside = line.strip_suffix(']')?;
    let word =
        inside.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (name, rest) = inside.split_at_checked(word)?;
    let value = rest.trim_start_matches([' ', '\t', ':', '=']);
    let is_number = value.starts_with(|first: char| first.is_ascii_digit());
    let fits = match named(&name.to_ascii_uppercase())? {
        MarkKind::Vital(_) => is_number,
        MarkKind::Action { .. } => !value.is_empty() && rest.len() > value.len(),
        _ => false,
    };
    let from = bracket + 1 + inside.len() - value.len();
    (fits && !value.contains(['[', ']'])).then(|| Mark {
        kind: MarkKind::LookAlike,
        line: start..end,
        span: bracket..bracket + 1 + line.len(),
        name: bracket + 1..bracket + 1 + word,
        value: from..from + value.trim_end().len(),
    })
}

/// All names of markers are much shorter.
const LONGEST_NAME: usize = 64;

/// A known marker in bold, in a heading, a list or a quote, in code, or followed by a colon.
fn dressed(text: &str, start: usize, bracket: usize, end: usize) -> Option<Mark> {
    let before = text.get(start..bracket).filter(|before| before.len() <= LONGEST_DRESS)?;
    let bare = before.trim_start();
    let number = bare.trim_start_matches(|first: char| first.is_ascii_digit());
    let listed = number.len() == bare.len() || number.starts_with(['.', ')']);
    if !listed
        || !number.trim_start_matches(['.', ')']).bytes().all(|byte| b" \t>#*_`+-".contains(&byte))
    {
        return None;
    }
    let rest = text.get(bracket + 1..end)?;
    let word =
        rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (name, after) = (rest.get(..word)?, rest.get(word..)?.strip_prefix(']')?);
    // Bold and code end as they begin; a colon may be on either side of the end.
    let quotes: &[char] = match number.trim_end().bytes().next_back() {
        Some(b'*') => &['*'],
        Some(b'_') => &['_'],
        Some(b'`') => &['`'],
        _ => &[],
    };
    let value = after.trim_start_matches(quotes);
    let colon = value.trim_start_matches(':');
    let colons = value.len() - colon.len();
    let value = colon.trim_start_matches(quotes);
    let closed = rest.len() - value.len();
    if after.starts_with(['(', '[']) || bare.is_empty() && colons == 0 || colons > 1 {
        return None;
    }
    let kind = named(&name.to_ascii_uppercase()).filter(MarkKind::is_marker)?;
    let text = value.trim().trim_end_matches(quotes).trim_end();
    let fits = match kind {
        MarkKind::ExtraVital | MarkKind::UnknownSection => false,
        // A link reference definition has one word.
        MarkKind::Section(_) if bare.is_empty() => {
            text.contains(' ') || !text.contains(['/', '.', '#', '<'])
        }
        _ => true,
    };
    let from = bracket + 1 + closed + value.len() - value.trim_start().len();
    let place = bracket + 1..bracket + 1 + word;
    fits.then(|| Mark {
        kind: MarkKind::LookAlike,
        line: start..end,
        span: start + before.len() - bare.len()..bracket + 1 + closed,
        name: place,
        value: from..from + text.len(),
    })
}

/// Longer text before the bracket is prose.
const LONGEST_DRESS: usize = 12;

/// Whether the specification knows a marker of this kind.
pub fn known(kind: &MarkKind) -> bool {
    kind.is_marker() && !matches!(kind, MarkKind::UnknownSection | MarkKind::ExtraVital)
}

/// The kind of a marker with this name.
pub fn named(name: &str) -> Option<MarkKind> {
    kind(name, 0, "")
}

fn kind(name: &str, at: usize, value: &str) -> Option<MarkKind> {
    if let Some(index) = SECTIONS.iter().position(|section| section.name == name) {
        return Some(MarkKind::Section(index));
    }
    if let Some(index) = VITALS.iter().position(|vital| vital.name == name) {
        return Some(MarkKind::Vital(index));
    }
    if let Some(rest) = name.strip_prefix("ACTION_") {
        return Some(action(rest, at + "ACTION_".len()).unwrap_or(MarkKind::Malformed));
    }
    let upper = name.to_ascii_uppercase();
    if upper != name {
        let known = SECTIONS.iter().any(|section| section.name == upper)
            || VITALS.iter().any(|vital| vital.name == upper)
            || upper.strip_prefix("ACTION_").is_some_and(|rest| action(rest, 0).is_some());
        return known.then_some(MarkKind::LookAlike);
    }
    if name.len() < 2 || !name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    Some(if value.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        MarkKind::ExtraVital
    } else {
        MarkKind::UnknownSection
    })
}

/// `0_PATH`, after `ACTION_`, which ends at `at`.
fn action(rest: &str, at: usize) -> Option<MarkKind> {
    let (number, key) = rest.split_once('_')?;
    if number.is_empty() || key.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let index = number.parse().ok()?;
    let digits = at..at + number.len();
    let place = digits.end + 1..digits.end + 1 + key.len();
    Some(match key {
        "CONTENT_START" => MarkKind::ContentStart { index, digits },
        "CONTENT_END" => MarkKind::ContentEnd { index, digits },
        _ => MarkKind::Action {
            index,
            digits,
            key: place,
            is_type: key.eq_ignore_ascii_case("TYPE"),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(MarkKind, &str, &str)> {
        marks(text)
            .into_iter()
            .map(|mark| (mark.kind.clone(), &text[mark.name], &text[mark.value]))
            .collect()
    }

    #[test]
    fn duck_01_up_to_three_spaces_may_precede_a_marker() {
        let found =
            kinds("   [NOTES] a \r\n    [NOTES] b\n\t[NOTES] c\n    [SUMMARY]\ntext [NOTES]");
        let look_alike = MarkKind::LookAlike;
        assert_eq!(
            found,
            [
                (MarkKind::Section(2), "NOTES", "a"),
                (look_alike.clone(), "NOTES", "b"),
                (look_alike, "NOTES", "c")
            ]
        );
        assert_eq!(kinds("\u{feff}[REASONING]"), [(MarkKind::Section(0), "REASONING", "")]);
    }

    #[test]
    fn duck_01_lower_case_is_a_look_alike() {
        let found =
            kinds("[reasoning]\n[Confidence] 0.5\n[action_0_type] finish\n[something]\n[x]");
        assert!(found.iter().all(|(kind, ..)| *kind == MarkKind::LookAlike), "{found:?}");
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn duck_08_a_marker_without_its_bracket_is_malformed() {
        let text = "[CONFIDEN  # Typo\n[ACTION_0_PA  # Incomplete\n[A note that goes on\n[ACTION_TYPE] x\n[ACTION_1_] x\n[ACTION_99999999999999999999_TYPE] x";
        let found: Vec<_> =
            marks(text).into_iter().map(|mark| (mark.kind, &text[mark.span])).collect();
        let names = [
            "[CONFIDEN",
            "[ACTION_0_PA",
            "[ACTION_TYPE]",
            "[ACTION_1_]",
            "[ACTION_99999999999999999999_TYPE]",
        ];
        assert_eq!(found, names.map(|name| (MarkKind::Malformed, name)));
    }

    #[test]
    fn duck_05_an_action_has_an_index_and_a_key() {
        let text = "[ACTION_07_PATH2]  src/a b.rs  ";
        let found = marks(text);
        let MarkKind::Action { index, digits, key, .. } = &found[0].kind else {
            panic!("{found:?}")
        };
        assert_eq!(
            (*index, &text[digits.clone()], &text[key.clone()], &text[found[0].value.clone()]),
            (7, "07", "PATH2", "src/a b.rs")
        );
    }

    #[test]
    fn a_marker_may_be_decorated() {
        for (text, name, value) in [
            ("**[REASONING]**", "REASONING", ""),
            ("### [REASONING]", "REASONING", ""),
            ("- [ACTION_0_TYPE] create_file", "ACTION_0_TYPE", "create_file"),
            ("[ACTION_0_TYPE]: create_file", "ACTION_0_TYPE", "create_file"),
            ("**[MOOD]:** 0.5", "MOOD", "0.5"),
            ("**[mood]: 0.5**", "mood", "0.5"),
            ("2. `[FOCUS]` 0.5", "FOCUS", "0.5"),
            ("> [NOTES] a *b*", "NOTES", "a *b*"),
            ("  - **[ACTION_0_CONTENT_START]**", "ACTION_0_CONTENT_START", ""),
            ("[REASONING]: All is well.", "REASONING", "All is well."),
        ] {
            let found = marks(text);
            let [mark] = found.as_slice() else { panic!("{text}: {found:?}") };
            assert!(mark.is_dressed(), "{text}: {mark:?}");
            assert_eq!(
                (&text[mark.name.clone()], &text[mark.value.clone()]),
                (name, value),
                "{text}"
            );
        }
    }

    #[test]
    fn an_action_may_be_written_with_spaces() {
        let found = kinds(
            "[ACTION 0 TYPE] finish\n[Action-0-Path] a\n[ACTION 0 plan] b\n[ACTION item list] c\n[ACTION 0](d)",
        );
        let names: Vec<_> =
            found.iter().map(|(kind, name, value)| (kind.clone(), *name, *value)).collect();
        let look_alike = |name, value| (MarkKind::LookAlike, name, value);
        assert_eq!(
            names,
            [
                look_alike("ACTION 0 TYPE", "finish"),
                look_alike("Action-0-Path", "a"),
                look_alike("ACTION 0 plan", "b")
            ]
        );
    }

    #[test]
    fn words_are_not_decoration() {
        assert_eq!(
            kinds(
                "See [REASONING]\n- [x] done\n- [ ] [NOTES]\n* [SUMMARY] a\n- [NOTES](a)\n12 [MOOD] 1\n[NOTES]:: a\n**bold** [NOTES]"
            ),
            []
        );
        assert!(!marks("[reasoning]")[0].is_dressed());
    }

    #[test]
    fn links_are_not_markers() {
        assert_eq!(
            kinds("[CONFIDENCE](http://a)\n[NOTES]: http://b\n[TODO][NOTES]\n[1] note\n[X] done"),
            []
        );
    }
}
