//! What rules look at: a reply, its context, and the markers that malformed lines were meant to be.
//! Such a line is one mistake: its consequences aren't reported as well.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::super::Response;
use super::super::layout::{Action, End, Layout};
use super::super::mark::{Mark, MarkKind};
use super::super::plan::unsigned;
use super::super::vocabulary::{self, ActionType, SECTIONS, VITALS};
use super::meaning::{self, Meant};
use super::workspace::{self, Step};
use crate::format::Context;
use crate::text::{Edit, Reader, Span};

/// A reply that is checked.
pub struct RuleContext<'a> {
    pub response: &'a Response,
    pub cx: &'a Context<'a>,
    reader: Reader<'a>,
    /// The line break for fixes.
    pub line_break: &'static str,
    /// Lines that were meant as markers, in order.
    pub meant: Vec<Meant>,
    /// The kinds that several of them have.
    twice: OnceCell<Vec<MarkKind>>,
    /// The actions in document order.
    pub order: Vec<(u64, &'a Action)>,
    sections: HashSet<usize>,
    vitals: HashSet<usize>,
    keys: HashSet<(u64, String)>,
    /// The marks of each action, including ends of content.
    groups: OnceCell<HashMap<u64, Vec<usize>>>,
    /// The ends of lines that close a fence around a few markers: they are one mistake with the
    /// opening line.
    closing: OnceCell<HashSet<usize>>,
    /// Actions split in two by a wrong index: the wrong one, the right one.
    torn: OnceCell<HashMap<u64, u64>>,
    /// What actions do with files.
    steps: OnceCell<Vec<Step>>,
}

impl<'a> RuleContext<'a> {
    pub fn new(response: &'a Response, cx: &'a Context<'a>, line_break: &'static str) -> Self {
        let meant = meaning::read(response.layout(), cx);
        let (mut sections, mut vitals, mut keys) = (HashSet::new(), HashSet::new(), HashSet::new());
        for line in &meant {
            match &line.kind {
                MarkKind::Section(index) => drop(sections.insert(*index)),
                MarkKind::Vital(index) => drop(vitals.insert(*index)),
                MarkKind::Action { index, key, .. } => {
                    let name = line.name.get(key.clone()).unwrap_or_default();
                    keys.insert((*index, name.to_owned()));
                }
                MarkKind::ContentStart { index, .. } => {
                    keys.insert((*index, "CONTENT_START".to_owned()));
                }
                _ => {}
            }
        }
        let mut order: Vec<(u64, &Action)> =
            response.layout().actions.iter().map(|(index, action)| (*index, action)).collect();
        order.sort_by_key(|(_, action)| action.first);
        Self {
            response,
            cx,
            reader: cx.source.reader(),
            line_break,
            meant,
            twice: OnceCell::new(),
            order,
            sections,
            vitals,
            keys,
            groups: OnceCell::new(),
            closing: OnceCell::new(),
            torn: OnceCell::new(),
            steps: OnceCell::new(),
        }
    }

    pub fn layout(&self) -> &'a Layout {
        self.response.layout()
    }

    pub fn mark(&self, index: usize) -> Option<&'a Mark> {
        self.layout().marks.get(index)
    }

    pub fn text(&self, span: &Span) -> Cow<'a, str> {
        self.reader.slice(span.clone())
    }

    /// Every mark outside content.
    pub fn marks(&self) -> impl Iterator<Item = (usize, &'a Mark)> {
        let layout = self.layout();
        layout
            .marks
            .iter()
            .enumerate()
            .filter(|(index, _)| layout.inside.get(*index).is_none_or(Option::is_none))
    }

    /// The type of the action: the value of its last `TYPE`, and its span.
    pub fn type_of(&self, action: &Action) -> Option<(Cow<'a, str>, Span)> {
        let value = self.value(self.mark(*action.types.last()?)?);
        Some((self.text(&value), value))
    }

    /// What the value of a marker was meant to be: without a sign before it if it is one word, and
    /// without markers after it.
    pub fn value(&self, mark: &Mark) -> Span {
        let next = self.layout().marks.partition_point(|other| other.line.start <= mark.line.start);
        let apart = self.mark(next).filter(|next| next.kind == MarkKind::Inline);
        let end = apart
            .filter(|_| self.meant_as(next).is_some())
            .map_or(mark.value.end, |inline| inline.line.start.min(mark.value.end))
            .max(mark.value.start);
        let value = mark.value.start..end;
        if !self.is_word(mark) {
            return value;
        }
        let bare = unsigned(&self.text(&value)).map_or(value.len(), str::len);
        value.end - bare..value.end
    }

    /// Whether the value of a marker is one word.
    pub fn is_word(&self, mark: &Mark) -> bool {
        match &mark.kind {
            MarkKind::Vital(_) | MarkKind::ExtraVital => true,
            MarkKind::Action { is_type: true, .. } => true,
            MarkKind::Action { key, .. } => meaning::is_word(&self.text(key)),
            _ => false,
        }
    }

    /// Whether a sign precedes the type of an action.
    pub fn has_signed_type(&self, index: u64) -> bool {
        let action = self.layout().actions.get(&index);
        let mark = action.and_then(|action| self.mark(*action.types.last()?));
        mark.is_some_and(|mark| unsigned(&self.text(&mark.value)).is_some())
    }

    /// Whether stray text was meant as the value of the marker above it.
    pub fn is_value_below(&self, stray: &Span) -> bool {
        let layout = self.layout();
        let next = layout.marks.partition_point(|mark| mark.line.start < stray.start);
        next.checked_sub(1)
            .and_then(|above| self.value_below(above))
            .is_some_and(|below| below == *stray)
    }

    /// Whether text can be the value of a vital or a type.
    fn fits(&self, mark: &Mark, value: &Span) -> bool {
        let value = self.text(value);
        match mark.kind {
            MarkKind::Vital(_) => number(&value).is_some(),
            MarkKind::Action { is_type: true, .. } => {
                value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            }
            _ => false,
        }
    }

    /// The value of a vital or a type in the line below it, if nothing else precedes the next
    /// marker.
    pub fn value_below(&self, index: usize) -> Option<Span> {
        let mark = self.mark(index).filter(|mark| mark.value.is_empty())?;
        let layout = self.layout();
        let at = layout.stray.partition_point(|stray| stray.start < mark.line.end);
        let below = layout.stray.get(at).filter(|below| below.len() <= NEAR)?;
        let next = self.mark(index + 1).map_or(usize::MAX, |next| next.line.start);
        let is_line = !self.text(below).contains(['\n', '\r']);
        (below.end <= next && is_line && self.fits(mark, below)).then(|| below.clone())
    }

    pub fn known_type(&self, action: &Action) -> Option<&'static ActionType> {
        vocabulary::action_type(&self.type_of(action)?.0)
    }

    /// The key of an action's mark, in upper case.
    pub fn key(&self, mark: &Mark) -> String {
        match &mark.kind {
            MarkKind::Action { key, .. } => self.text(key).to_ascii_uppercase(),
            MarkKind::ContentStart { .. } => "CONTENT_START".to_owned(),
            MarkKind::ContentEnd { .. } => "CONTENT_END".to_owned(),
            _ => String::new(),
        }
    }

    /// Whether a marker is decorated, or written without its brackets.
    pub fn is_dressed(&self, mark: &Mark) -> bool {
        let is_bare = || !self.text(&mark.span).starts_with('[');
        mark.is_dressed() || mark.kind == MarkKind::LookAlike && is_bare()
    }

    /// Whether a malformed line was meant as this section.
    pub fn means_section(&self, section: usize) -> bool {
        self.sections.contains(&section)
    }

    pub fn means_vital(&self, vital: usize) -> bool {
        self.vitals.contains(&vital)
    }

    pub fn means_key(&self, index: u64, key: &str) -> bool {
        self.keys.contains(&(index, key.to_owned()))
    }

    /// Whether a line in the text at `span` was meant as a marker.
    pub fn holds_meant(&self, span: &Span) -> bool {
        self.meant_in(span).is_some()
    }

    /// The marker that a mark was meant to be.
    pub fn meant_as(&self, mark: usize) -> Option<&Meant> {
        self.meant
            .binary_search_by_key(&mark, |meant| meant.mark)
            .ok()
            .and_then(|at| self.meant.get(at))
    }

    /// The first line in the text at `span` that was meant as a marker.
    pub fn meant_in(&self, span: &Span) -> Option<&Meant> {
        let from = self.meant.partition_point(|line| line.span.end <= span.start);
        self.meant.get(from).filter(|line| line.span.start < span.end)
    }

    /// The end of the reasoning's text.
    pub fn reasoning_end(&self) -> Option<usize> {
        let reasoning =
            |mark: usize| self.mark(mark).is_some_and(|mark| mark.kind == MarkKind::Section(0));
        let section =
            self.layout().sections.iter().rev().find(|section| reasoning(section.mark))?;
        let text = section.pieces.iter().rev().find_map(|piece| {
            let text = self.text(piece);
            let length = text.trim_end().len();
            (length > 0).then_some(piece.start + length)
        });
        text.or_else(|| self.mark(section.mark).map(|mark| mark.line.end))
    }

    /// Whether the mark is in what the reference parser reads as reasoning: it knows no other
    /// sections.
    pub fn follows_reasoning(&self, mark: usize) -> bool {
        let before = (0..mark).rev().take(FARTHEST).filter_map(|at| self.mark(at)).find(|mark| {
            mark.kind.is_marker()
                && !matches!(mark.kind, MarkKind::Section(1..) | MarkKind::UnknownSection)
        });
        before.is_some_and(|mark| mark.kind == MarkKind::Section(0))
    }

    /// Whether the reply certainly does the same if a line of text becomes the marker that it was
    /// meant as: it may be quoted.
    pub fn is_harmless(&self, meant: &Meant) -> bool {
        let before = || {
            (0..meant.mark)
                .rev()
                .take(FARTHEST)
                .filter_map(|at| self.mark(at))
                .find(|mark| mark.kind.is_marker())
        };
        match meant.kind {
            // The reply has it already, or the text below would no longer belong to a section.
            MarkKind::Section(_) | MarkKind::Vital(_)
                if self.is_there(&meant.kind) || self.is_meant_twice(&meant.kind) =>
            {
                false
            }
            MarkKind::Vital(_) if self.precedes_text(meant.mark) || !self.is_level(meant.mark) => {
                false
            }
            MarkKind::Section(_) | MarkKind::Vital(_) => match before() {
                // It would end the value of a parameter.
                Some(mark) => !matches!(mark.kind, MarkKind::Action { is_type: false, .. }),
                None => meant.mark < FARTHEST,
            },
            _ => false,
        }
    }

    /// Whether the value of a mark is nothing but a number as vitals have it: other words may be those of a sentence.
    fn is_level(&self, mark: usize) -> bool {
        let text = self.mark(mark).map(|mark| self.text(&mark.value));
        let text = text.as_deref().unwrap_or_default().trim();
        let (bare, most) = text.strip_suffix('%').map_or((text, 1.0), |bare| (bare, 100.0));
        number(bare).is_some_and(|number| number <= most)
    }

    /// Whether the marker before a mark is that of a section, whose text may quote the mark.
    pub fn is_in_section(&self, mark: usize) -> bool {
        let mut before = (0..mark).rev().take(FARTHEST).filter_map(|at| self.mark(at));
        let host = before.find(|mark| mark.kind.is_marker());
        host.is_some_and(|host| {
            matches!(host.kind, MarkKind::Section(_) | MarkKind::UnknownSection)
        })
    }

    /// Whether a section or vital of this kind is read.
    fn is_there(&self, kind: &MarkKind) -> bool {
        let layout = self.layout();
        let sections = layout.sections.iter().map(|section| section.mark);
        let known = sections.chain(layout.vitals.iter().map(|vital| vital.mark));
        known.take(MOST_PARTS).any(|mark| self.mark(mark).is_some_and(|mark| mark.kind == *kind))
    }

    /// Whether several lines were meant as this section or vital: only one of them can be it.
    fn is_meant_twice(&self, kind: &MarkKind) -> bool {
        let twice = self.twice.get_or_init(|| {
            let (mut once, mut twice) = (Vec::new(), Vec::new());
            for meant in &self.meant {
                if !matches!(meant.kind, MarkKind::Section(_) | MarkKind::Vital(_)) {
                    continue;
                }
                let list = if once.contains(&&meant.kind) { &mut twice } else { &mut once };
                if !list.contains(&&meant.kind) {
                    list.push(&meant.kind);
                }
            }
            twice.into_iter().cloned().collect()
        });
        twice.contains(kind)
    }

    /// Whether lines of text follow a mark before the next marker, except those that were meant as
    /// markers, too.
    fn precedes_text(&self, mark: usize) -> bool {
        let Some(own) = self.mark(mark) else { return false };
        let mut at = own.line.end;
        let is_text = |span: Span| {
            let end = span.end.min(span.start + NEAR);
            end < span.end || !self.text(&(span.start..end)).trim().is_empty()
        };
        for next in (mark + 1..).take(FARTHEST).map_while(|index| self.mark(index)) {
            if is_text(at..next.line.start.max(at)) {
                return true;
            }
            if next.kind.is_marker() {
                return false;
            }
            at = at.max(next.line.end);
        }
        is_text(at..self.cx.source.len().max(at))
    }

    /// Whether text that belongs to no part follows `offset`, before the next marker.
    pub fn precedes_stray(&self, offset: usize) -> bool {
        let layout = self.layout();
        let from = layout.marks.partition_point(|mark| mark.line.start < offset);
        let next = layout
            .marks
            .iter()
            .skip(from)
            .find(|mark| mark.kind.is_marker())
            .map_or(usize::MAX, |mark| mark.line.start);
        let at = layout.stray.partition_point(|stray| stray.start < offset);
        layout.stray.get(at).is_some_and(|stray| stray.start < next)
    }

    /// Whether the mark at `offset` is an unmatched end marker: the text before it was meant as
    /// content.
    pub fn lacks_start(&self, offset: usize) -> bool {
        let layout = self.layout();
        let at = layout.marks.partition_point(|mark| mark.line.start < offset);
        layout.unopened.binary_search(&at).is_ok()
    }

    /// The last mark of a parameter.
    pub fn parameter(&self, action: &Action, key: &str) -> Option<&'a Mark> {
        action
            .parameters
            .iter()
            .rev()
            .filter_map(|parameter| self.mark(parameter.mark))
            .find(|mark| self.key(mark) == key)
    }

    /// The whole lines that `span` touches, including the last break.
    pub fn lines(&self, span: &Span) -> Span {
        let source = self.cx.source;
        let end = source.line_span(span.end).end;
        let pair = source.slice(end..(end + 2).min(source.len())) == "\r\n";
        source.line_span(span.start).start..(end + 1 + usize::from(pair)).min(source.len())
    }

    /// Whether the text that ends at `offset` is the second line of a fence around a few markers.
    pub fn closes_fence(&self, offset: usize) -> bool {
        self.closing
            .get_or_init(|| self.fences().iter().skip(1).step_by(2).map(|span| span.end).collect())
            .contains(&offset)
    }

    /// The lines that open or close a fence outside content, in order.
    pub fn fences(&self) -> Vec<Span> {
        let continued =
            self.order.iter().flat_map(|(_, action)| &action.parameters).filter_map(|parameter| {
                Some(self.mark(parameter.mark)?.line.end..parameter.pieces.last()?.end)
            });
        let mut fences: Vec<Span> = self
            .layout()
            .stray
            .iter()
            .cloned()
            .chain(continued)
            .filter(|span| is_fence(self.text(span).trim()))
            .collect();
        fences.sort_by_key(|span| span.start);
        fences
    }

    /// The end of the text at `span`, without trailing whitespace.
    pub fn trimmed_end(&self, span: &Span) -> usize {
        let mut end = span.end;
        while end > span.start {
            let from = self
                .cx
                .source
                .line_span(end.saturating_sub(STEP).max(span.start))
                .start
                .max(span.start);
            let kept = self.text(&(from..end)).trim_end().len();
            if kept > 0 {
                return from + kept;
            }
            end = from;
        }
        span.start
    }

    /// The marks of an action, including ends of content.
    pub fn group(&self, index: u64) -> &[usize] {
        let groups = self.groups.get_or_init(|| {
            let mut groups: HashMap<u64, Vec<usize>> = HashMap::new();
            let wrong: HashSet<usize> = self
                .layout()
                .contents
                .iter()
                .filter_map(
                    |content| if let End::WrongIndex(end) = content.end { Some(end) } else { None },
                )
                .collect();
            for (at, mark) in self.marks().filter(|(at, _)| !wrong.contains(at)) {
                if let Some((index, _)) = index_of(mark) {
                    groups.entry(index).or_default().push(at);
                }
            }
            groups
        });
        groups.get(&index).map(Vec::as_slice).unwrap_or_default()
    }

    /// The marks of an action's keys, in order.
    pub fn group_of(&self, action: &Action) -> Vec<usize> {
        let contents = action
            .contents
            .iter()
            .filter_map(|content| self.layout().contents.get(*content))
            .map(|content| content.start);
        let mut marks: Vec<usize> = action
            .types
            .iter()
            .copied()
            .chain(action.parameters.iter().map(|parameter| parameter.mark))
            .chain(contents)
            .collect();
        marks.sort_unstable();
        marks
    }

    /// The edits that renumber every mark of an action.
    pub fn renumber(&self, from: u64, to: u64) -> Vec<Edit> {
        let digits = self
            .group(from)
            .iter()
            .filter_map(|mark| index_of(self.mark(*mark)?))
            .map(|(_, digits)| digits);
        digits.map(|digits| Edit::replace(digits, to.to_string())).collect()
    }

    /// The action that this one is a part of: one of the two has the wrong index.
    pub fn belongs_to(&self, index: u64) -> Option<u64> {
        self.torn().get(&index).copied()
    }

    /// The wrong and the right index of an action that was split in two, if this is one of its
    /// parts.
    pub fn torn_from(&self, index: u64) -> Option<(u64, u64)> {
        self.torn()
            .iter()
            .find(|(wrong, right)| **wrong == index || **right == index)
            .map(|(wrong, right)| (*wrong, *right))
    }

    /// Whether the action is one part of an action that was split in two.
    pub fn is_torn(&self, index: u64) -> bool {
        self.torn_from(index).is_some()
    }

    fn torn(&self) -> &HashMap<u64, u64> {
        self.torn.get_or_init(|| {
            let typeless = self.order.iter().filter(|(_, action)| action.types.is_empty());
            typeless
                .filter_map(|(index, action)| self.other_half(*index, action))
                .take(MOST_TORN)
                .collect()
        })
    }

    /// An action without a type after marks of another one that has none of its keys is a part of
    /// it.
    fn other_half(&self, index: u64, action: &Action) -> Option<(u64, u64)> {
        let before = (0..action.first)
            .rev()
            .find(|at| self.layout().inside.get(*at).is_none_or(Option::is_none))?;
        let (other, _) = index_of(self.mark(before)?)?;
        // A missing type of the next action is likelier than a wrong index.
        if other.checked_add(1) == Some(index) {
            return None;
        }
        let whole = self
            .layout()
            .actions
            .get(&other)
            .filter(|_| self.group(other).len() <= LONGEST_TORN)?;
        let keys: HashSet<String> = self
            .group(other)
            .iter()
            .filter_map(|mark| self.mark(*mark))
            .map(|mark| self.key(mark))
            .collect();
        let shared = self
            .group(index)
            .iter()
            .filter_map(|mark| self.mark(*mark))
            .any(|mark| keys.contains(&self.key(mark)));
        if whole.types.is_empty()
            || shared
            || self.means_key(index, "TYPE")
            || !action.contents.is_empty() && !whole.contents.is_empty()
        {
            return None;
        }
        let smaller = self.group(index).len() <= self.group(other).len();
        Some(if smaller { (index, other) } else { (other, index) })
    }

    /// What the actions do with files, and what they find.
    pub fn steps(&self) -> &[Step] {
        self.steps.get_or_init(|| workspace::follow(&workspace::wanted(self), self.cx))
    }

    /// Whether the document has neither reasoning nor an action, nor a line that was meant as one.
    pub fn is_empty(&self) -> bool {
        let layout = self.layout();
        let reasoning = layout.sections.iter().any(|section| {
            self.mark(section.mark).is_some_and(|mark| mark.kind == MarkKind::Section(0))
        });
        !reasoning
            && layout.actions.is_empty()
            && layout.unopened.is_empty()
            && self.meant.is_empty()
    }

    /// The missing vitals, by index.
    pub fn missing_vitals(&self) -> Vec<usize> {
        let present: HashSet<usize> = self
            .layout()
            .vitals
            .iter()
            .filter_map(|vital| vital_of(self.mark(vital.mark)?))
            .collect();
        (0..VITALS.len())
            .filter(|vital| !present.contains(vital) && !self.means_vital(*vital))
            .collect()
    }
}

/// How many malformed lines may separate two markers.
pub const FARTHEST: usize = 64;

/// Longer actions are taken as complete.
const LONGEST_TORN: usize = 64;

/// Whitespace between two markers is at most this long, in bytes.
const NEAR: usize = 1 << 8;

/// So many sections and vitals are looked through.
const MOST_PARTS: usize = 1 << 12;

/// With more split actions, none is reported.
const MOST_TORN: usize = 16;

/// The end of the text is searched in steps of this many bytes.
const STEP: usize = 4096;

/// Whether text is a single line that opens or closes a fence.
fn is_fence(text: &str) -> bool {
    (text.starts_with("```") || text.starts_with("~~~")) && !text.contains(['\n', '\r'])
}

/// The index of an action's mark, and its digits.
pub fn index_of(mark: &Mark) -> Option<(u64, Span)> {
    match &mark.kind {
        MarkKind::Action { index, digits, .. }
        | MarkKind::ContentStart { index, digits }
        | MarkKind::ContentEnd { index, digits } => Some((*index, digits.clone())),
        _ => None,
    }
}

pub fn vital_of(mark: &Mark) -> Option<usize> {
    if let MarkKind::Vital(index) = mark.kind { Some(index) } else { None }
}

/// The names of sections and vitals.
pub fn names() -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().map(|section| section.name).chain(VITALS.iter().map(|vital| vital.name))
}

/// A number as vitals have it: in digits, without a sign.
fn number(text: &str) -> Option<f64> {
    let digits = text.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    text.parse().ok().filter(|_| digits)
}
