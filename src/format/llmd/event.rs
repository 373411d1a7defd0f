//! The lines that structure a document: headings, fences, markers, speakers, includes. Sections
//! cache theirs, so a key press only reads the lines of the section that it touches.

use std::sync::{Arc, OnceLock};

use super::layout::SectionKind;
use crate::edit::Marker;
use crate::format::blocks::written;
use crate::markdown::SectionKind as SectionStart;
use crate::source::{Placed, Source, Stretch};
use crate::text::Span;

/// A line that structures the document around it.
#[derive(Debug, Clone)]
pub(super) struct Event {
    /// Excludes its break.
    pub line: Span,
    /// After its break.
    pub next: usize,
    pub kind: EventKind,
}

#[derive(Debug, Clone)]
pub(super) enum EventKind {
    Heading {
        level: usize,
        name: Span,
        text: Arc<str>,
        section: SectionKind,
        /// It ends everything open, according to Markdown.
        top: bool,
    },
    Fence {
        mark: u8,
        length: usize,
        indent: usize,
        info: Span,
        opens: bool,
        closes: bool,
    },
    /// `None`: meant as a marker, but isn't one.
    Marker(Option<Marker>),
    /// Meant as the heading of an entry, but isn't one for Markdown or LLMD.
    Entry(Span),
    /// Meant as the heading of a section, but isn't a heading: `##Mission`, `**Mission**`
    Section(SectionKind),
    /// The length of the marker, including spaces before it.
    Human(usize),
    Assistant(usize),
    /// Meant as a human, but isn't read as one: `**User:**`
    User(usize),
    Include {
        span: Span,
        path: Span,
        text: Arc<str>,
    },
}

pub(super) const HUMAN: &str = "**Human:**";
pub(super) const ASSISTANT: &str = "**Assistant:**";

#[derive(Debug, Default)]
pub(super) struct Events(OnceLock<Box<[Event]>>);

impl Event {
    pub(super) fn shifted(&self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        let kind = match &self.kind {
            EventKind::Heading { level, name, text, section, top } => EventKind::Heading {
                level: *level,
                name: shift(name),
                text: Arc::clone(text),
                section: *section,
                top: *top,
            },
            EventKind::Fence { mark, length, indent, info, opens, closes } => EventKind::Fence {
                mark: *mark,
                length: *length,
                indent: *indent,
                info: shift(info),
                opens: *opens,
                closes: *closes,
            },
            EventKind::Include { span, path, text } => {
                EventKind::Include { span: shift(span), path: shift(path), text: Arc::clone(text) }
            }
            EventKind::Entry(span) => EventKind::Entry(shift(span)),
            other => other.clone(),
        };
        Self { line: shift(&self.line), next: self.next + by, kind }
    }
}

/// Every structuring line of a document, in order, stretch by stretch.
pub(super) struct AllEvents(Vec<(usize, Arc<Events>)>);

/// The structuring lines of a document, each with the start of its stretch.
pub(super) fn events(source: &Source) -> AllEvents {
    let stretches = source.stretches();
    AllEvents(stretches.map(|stretch| (stretch.start, of_stretch(source, stretch))).collect())
}

impl AllEvents {
    pub(super) fn list(&self) -> Vec<(usize, &Event)> {
        let all = || self.0.iter().filter_map(|(start, events)| Some((start, events.0.get()?)));
        let mut list = Vec::with_capacity(all().map(|(_, events)| events.len()).sum());
        for (start, events) in all() {
            list.extend(events.iter().map(|event| (*start, event)));
        }
        list
    }
}

fn of_stretch(source: &Source, stretch: Stretch) -> Arc<Events> {
    let events = stretch.memo().get::<Events>();
    events.0.get_or_init(|| {
        let mut found = Vec::new();
        for placed in stretch.sections() {
            let by = placed.start - stretch.start;
            found.extend(
                of_section(source, placed)
                    .0
                    .get()
                    .into_iter()
                    .flatten()
                    .map(|event| event.shifted(by)),
            );
        }
        found.into()
    });
    events
}

/// Whether a section begins with the heading of an entry.
pub(super) fn begins_entry(source: &Source, placed: Placed) -> bool {
    if placed.section.kind != SectionStart::Heading(3) {
        return false;
    }
    let events = of_section(source, placed);
    let first = events.0.get().and_then(|events| events.first());
    first.is_some_and(
        |event| matches!(&event.kind, EventKind::Heading { text, .. } if text.starts_with("Entry")),
    )
}

fn of_section(source: &Source, placed: Placed) -> Arc<Events> {
    let events = placed.section.memo.get::<Events>();
    events.0.get_or_init(|| read(&source.section_text(placed), placed.start == 0).into());
    events
}

fn read(text: &str, top: bool) -> Vec<Event> {
    let (mut found, mut at) = (Vec::new(), 0);
    for piece in text.split_inclusive('\n') {
        let mark =
            if top && at == 0 && piece.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let end = at + piece.trim_end_matches(['\n', '\r']).len();
        let span = at + mark..end.max(at + mark);
        at += piece.len();
        let line = text.get(span.clone()).unwrap_or_default();
        let kind = kind(line, span.start, span.start == mark);
        found.extend(kind.map(|kind| Event { line: span.clone(), next: at, kind }));
        found.extend(include(line, span.start).map(|kind| Event {
            line: span.clone(),
            next: at,
            kind,
        }));
    }
    found
}

fn kind(line: &str, start: usize, top: bool) -> Option<EventKind> {
    match line.trim_start_matches([' ', '\t']).as_bytes().first()? {
        b'#' => heading(line, start, top).or_else(|| entry(line, start)).or_else(|| section(line)),
        b'`' | b'~' => fence(line, start),
        b'<' | b'>' | b'=' | b'-' | b'+' => {
            written::is_like_marker(line).then(|| EventKind::Marker(written::mark(line)))
        }
        b'*' if said(line, HUMAN).is_some() => said(line, HUMAN).map(EventKind::Human),
        b'*' => said(line, ASSISTANT)
            .map(EventKind::Assistant)
            .or_else(|| user(line).map(EventKind::User))
            .or_else(|| section(line)),
        b'\\' => section(line),
        _ => None,
    }
}

/// The length of a speaker's marker at the start of a line, after at most three spaces.
fn said(line: &str, mark: &str) -> Option<usize> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() <= 3 && text.starts_with(mark))
        .then(|| line.len() - text.len() + mark.len())
}

/// The length of a human's name in another spelling: `**User:**`, `**Human**:`
fn user(line: &str) -> Option<usize> {
    let text = line.trim_start_matches(' ').strip_prefix("**")?;
    let (name, rest) = text.split_at_checked(text.find([':', '*'])?)?;
    let tail = rest.strip_prefix(":**").or_else(|| rest.strip_prefix("**:"))?;
    let known = ["user", "human", "you"].iter().any(|known| known.eq_ignore_ascii_case(name));
    known.then_some(line.len() - tail.len())
}

fn heading(line: &str, start: usize, top: bool) -> Option<EventKind> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.get(level..).filter(|rest| {
        (1..=3).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']))
    })?;
    let name = rest.trim();
    // Trailing marks close a heading if a space comes before them: `# C#` keeps its own.
    let bare = name.trim_end_matches('#');
    let name = if bare.is_empty() || bare.ends_with([' ', '\t']) { bare.trim_end() } else { name };
    let at = start + level + (rest.len() - rest.trim_start().len());
    Some(EventKind::Heading {
        level,
        name: at..at + name.len(),
        text: name.into(),
        section: SectionKind::of(name),
        top,
    })
}

/// `#### Entry 2`, or `### Entry 2` with spaces before the `#` or without one after it.
fn entry(line: &str, start: usize) -> Option<EventKind> {
    let text = line.trim();
    let name = text.trim_start_matches('#');
    let is_meant = is_like_entry(name.trim_end_matches('#').trim());
    is_meant.then(|| EventKind::Entry(start..start + line.trim_end().len()))
}

/// `##Mission`, `#### Mission`, `**Mission**`, `\\## Mission`
fn section(line: &str) -> Option<EventKind> {
    let text = line.trim();
    let bold = || text.strip_prefix("**")?.strip_suffix("**");
    let marked = text.strip_prefix('\\').unwrap_or(text);
    let heading = || Some(marked.trim_start_matches('#')).filter(|name| name.len() < marked.len());
    let name = bold().or_else(heading)?.trim().trim_end_matches([':', '#']).trim_end();
    let kind = SectionKind::meant(name)?;
    Some(EventKind::Section(kind))
}

/// Whether the text of a heading is that of an entry: ignores case and text after the number.
pub(super) fn is_like_entry(text: &str) -> bool {
    let Some(word) = text.get(..5).filter(|word| word.eq_ignore_ascii_case("entry")) else {
        return false;
    };
    let rest = text.get(word.len()..).unwrap_or_default();
    let number = rest.trim_start_matches([' ', '\t', '#']);
    let after = number.trim_start_matches(|letter: char| letter.is_ascii_digit());
    number.len() < rest.len()
        && after.len() < number.len()
        && (after.is_empty() || after.trim_start().starts_with([':', '.', ')', '-', '–', '—']))
}

/// The spans of the number and of the title in the text after `Entry`, which ends at `end`.
pub(super) fn numbered(text: &str, end: usize) -> (Span, Span) {
    let text = text.trim_start();
    let (start, digits) = (end - text.len(), text.bytes().take_while(u8::is_ascii_digit).count());
    let rest = text.get(digits..).unwrap_or_default();
    let title = rest.trim_start_matches([' ', '\t', ':', '.', ')', '-', '–', '—']);
    // `1.5` isn't a number of an entry.
    let part = rest.trim_start_matches(['.', ',', '-', '–']);
    if digits > 0 && part.len() < rest.len() && part.starts_with(|next: char| next.is_ascii_digit())
    {
        let after = part.trim_start_matches(|letter: char| {
            letter.is_ascii_digit() || matches!(letter, '.' | ',' | '-' | '–')
        });
        let title = after.trim_start_matches([' ', '\t', ':', '.', ')', '-', '–', '—']);
        return (start..end - after.len(), end - title.len()..end);
    }
    // A comment isn't a title, and other programs don't read the number before one.
    if digits == 0 || title.len() == rest.len() && !rest.is_empty() || title.starts_with("<!--") {
        return (start..end, end..end);
    }
    // Punctuation alone counts as a title, too.
    let title = if title.is_empty() { rest.trim_start() } else { title };
    (start..start + digits, end - title.len()..end)
}

fn fence(line: &str, start: usize) -> Option<EventKind> {
    let text = line.trim_start_matches(' ');
    let mark = *text.as_bytes().first()?;
    let length = text.bytes().take_while(|byte| *byte == mark).count();
    let rest = text.get(length..)?;
    let shallow = line.len() - text.len() <= 3;
    let info = rest.trim();
    let at = start + line.trim_end().len() - info.len();
    let fence = EventKind::Fence {
        mark,
        length,
        indent: line.len() - text.len(),
        info: at..at + info.len(),
        opens: shallow && !(mark == b'`' && info.contains('`')),
        closes: shallow && info.is_empty(),
    };
    (length >= 3).then_some(fence)
}

fn include(line: &str, start: usize) -> Option<EventKind> {
    let open = line.find("{%")?;
    let close = open + line.get(open..)?.find("%}")? + 2;
    let inside = line.get(open + 2..close - 2)?;
    let quoted = inside.trim().strip_prefix("include")?.trim();
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let path = quoted
        .strip_prefix(quote)?
        .strip_suffix(quote)
        .filter(|path| !path.is_empty() && !path.contains(quote))?;
    let at = open + line.get(open..close)?.find(quote)? + 1;
    Some(EventKind::Include {
        span: start + open..start + close,
        path: start + at..start + at + path.len(),
        text: path.into(),
    })
}
