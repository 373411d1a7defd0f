//! What a program would read from a reply: its markers, else its JSON, else the flexible fallback
//! (DUCK-14, DUCK-15). There is always a result, never only an error.

mod flexible;
mod json;

use std::borrow::Cow;
use std::collections::HashMap;

use super::layout::{self, Layout, Reader, join};
use super::mark::{self, Mark, MarkKind};
use super::sym_ops;
use crate::text::Span;

/// A reply as a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    pub source: ReplySource,
    pub reasoning: String,
    /// By name in lower case, in document order.
    pub vitals: Vec<(String, f64)>,
    /// `planning`, `notes` and unknown ones, by name in lower case.
    pub sections: Vec<(String, String)>,
    /// Sorted by index.
    pub actions: Vec<Action>,
    /// The readings that failed before this one, and why.
    pub steps: Vec<String>,
    /// What is wrong with a reply in JSON.
    pub mistakes: Vec<Mistake>,
}

/// A part of a reply in JSON that can't be read as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The rule that reports the same in markers.
    pub code: &'static str,
    pub message: String,
    /// An action would be lost, or something else written than was meant.
    pub stops: bool,
}

/// How a reply was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReplySource {
    #[default]
    Markers,
    Json,
    Flexible,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Action {
    pub index: u64,
    pub kind: String,
    /// By name in lower case; unique.
    pub parameters: Vec<(String, String)>,
    pub content: Option<String>,
}

impl ReplySource {
    pub fn name(self) -> &'static str {
        match self {
            Self::Markers => "markers",
            Self::Json => "json",
            Self::Flexible => "flexible",
        }
    }
}

/// The reply that the markers of a document make, even a partial one.
pub fn marked(text: &str) -> Reply {
    let reader = |span: Span| Cow::Borrowed(text.get(span).unwrap_or_default());
    of(&layout::layout(&reader, text.len(), mark::marks(text)), &reader)
}

/// Whether text is a reply in JSON and nothing else.
pub fn is_json(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    text.starts_with('{') && json::is_reply(text)
}

/// Reads a reply of any kind.
pub fn read(text: &str) -> Reply {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let trimmed = text.trim_start();
    let mut steps = Vec::new();
    if trimmed.starts_with(['{', '[']) || trimmed.starts_with("```json") {
        // `[REASONING]` begins with a bracket too.
        match json::whole(trimmed) {
            Ok(reply) => return reply,
            Err(reason) if !trimmed.starts_with('[') => steps.push(reason),
            Err(_) => {}
        }
    }
    let reply = marked(text);
    if !reply.actions.is_empty() || !reply.reasoning.is_empty() {
        return Reply { steps, ..reply };
    }
    steps.push(no_markers(text));
    match json::embedded(text) {
        Ok(reply) => return Reply { steps, ..reply },
        Err(reason) => steps.push(reason),
    }
    if sym_ops::vitals(text).is_some() {
        steps.push("this is Sym-Ops, whose actions are not read".to_owned());
    }
    steps.push("Used flexible extraction fallback".to_owned());
    Reply { steps, ..flexible::extract(text) }
}

/// Whether the markers in a document contain any part of a reply.
pub fn has_markers(text: &str) -> bool {
    let reply = marked(text.strip_prefix('\u{feff}').unwrap_or(text));
    !reply.actions.is_empty() || !reply.reasoning.is_empty()
}

/// Why no markers were found: mentions lines that are nearly markers.
fn no_markers(text: &str) -> String {
    let near: Vec<Mark> =
        mark::marks(text).into_iter().filter(|mark| mark.kind == MarkKind::LookAlike).collect();
    let Some(first) = near.first() else {
        return "the text has no markers with content".to_owned();
    };
    let line = text.get(..first.line.start).unwrap_or_default().matches('\n').count() + 1;
    let shown = text.get(first.span.clone()).unwrap_or_default();
    let rest = match near.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "line {line} is nearly a marker (`{shown}`){rest}: write markers in capitals at the start of a line, undecorated"
    )
}

/// The reply that markers make.
pub fn of(layout: &Layout, text: Reader) -> Reply {
    let name = |mark: usize| {
        layout
            .marks
            .get(mark)
            .map(|mark| text(mark.name.clone()).to_ascii_lowercase())
            .unwrap_or_default()
    };
    let (mut reasoning, mut sections, mut vitals) =
        (String::new(), Named::default(), Named::default());
    for section in &layout.sections {
        let content = join(text, &section.pieces);
        match layout.marks.get(section.mark).map(|mark| &mark.kind) {
            Some(MarkKind::Section(0)) => reasoning = content,
            _ => sections.set(name(section.mark), content),
        }
    }
    for vital in &layout.vitals {
        if let Some((number, _)) = vital.number {
            vitals.set(name(vital.mark), number);
        }
    }
    let actions = layout.actions.iter().filter_map(|(index, action)| {
        let kind = text(layout.marks.get(*action.types.last()?)?.value.clone()).into_owned();
        let mut parameters = Named::default();
        for parameter in &action.parameters {
            if let Some(MarkKind::Action { key, .. }) =
                layout.marks.get(parameter.mark).map(|mark| &mark.kind)
            {
                parameters
                    .set(text(key.clone()).to_ascii_lowercase(), join(text, &parameter.pieces));
            }
        }
        let content = action.contents.last().and_then(|content| layout.contents.get(*content));
        Some(Action {
            index: *index,
            kind,
            parameters: parameters.list,
            content: content.map(|content| text(content.span.clone()).into_owned()),
        })
    });
    Reply {
        source: ReplySource::Markers,
        reasoning,
        vitals: vitals.list,
        sections: sections.list,
        actions: actions.collect(),
        ..Reply::default()
    }
}

/// Values by name: the last value is used, at the position of the first.
#[derive(Debug)]
struct Named<T> {
    list: Vec<(String, T)>,
    places: HashMap<String, usize>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self { list: Vec::new(), places: HashMap::new() }
    }
}

impl<T> Named<T> {
    fn set(&mut self, name: String, value: T) {
        match self.places.get(&name).and_then(|place| self.list.get_mut(*place)) {
            Some((_, old)) => *old = value,
            None => {
                self.places.insert(name.clone(), self.list.len());
                self.list.push((name, value));
            }
        }
    }
}
