//! What a program would read from a reply: markers where there are any, else JSON, else whatever can be made out
//! (DUCK-14, DUCK-15). Always an answer, never an error alone.

mod flexible;
mod json;

use std::borrow::Cow;

use super::layout::{self, Layout, Reader, join};
use super::mark::{self, MarkKind};
use crate::text::Span;

/// A reply as a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    pub source: ReplySource,
    pub reasoning: String,
    /// By name in lower case, in the order of the text.
    pub vitals: Vec<(String, f64)>,
    /// `planning`, `notes` and unknown ones, by name in lower case.
    pub sections: Vec<(String, String)>,
    /// Sorted by index.
    pub actions: Vec<Action>,
    /// What was tried before this reading succeeded, and why it did not do.
    pub steps: Vec<String>,
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
    /// By name in lower case; each once.
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
    let reader = |span: Span| Cow::Borrowed(text.get(span).unwrap_or_default());
    let layout = layout::layout(&reader, text.len(), mark::marks(text));
    let reply = of(&layout, &reader);
    if !reply.actions.is_empty() || !reply.reasoning.is_empty() {
        return Reply { steps, ..reply };
    }
    steps.push("there are no markers with anything in them".to_owned());
    match json::embedded(text) {
        Ok(reply) => return Reply { steps, ..reply },
        Err(reason) => steps.push(reason),
    }
    steps.push("Used flexible extraction fallback".to_owned());
    Reply { steps, ..flexible::extract(text) }
}

/// The reply that markers make.
pub fn of(layout: &Layout, text: Reader) -> Reply {
    let name = |mark: usize| layout.marks.get(mark).map(|mark| text(mark.name.clone()).to_ascii_lowercase()).unwrap_or_default();
    let (mut reasoning, mut sections, mut vitals) = (String::new(), Vec::new(), Vec::new());
    for section in &layout.sections {
        let content = join(text, &section.pieces);
        match layout.marks.get(section.mark).map(|mark| &mark.kind) {
            Some(MarkKind::Section(0)) => reasoning = content,
            _ => set(&mut sections, name(section.mark), content),
        }
    }
    for vital in &layout.vitals {
        if let Some((number, _)) = vital.number {
            set(&mut vitals, name(vital.mark), number);
        }
    }
    let actions = layout.actions.iter().filter_map(|(index, action)| {
        let kind = text(layout.marks.get(*action.types.last()?)?.value.clone()).into_owned();
        let mut parameters = Vec::new();
        for parameter in &action.parameters {
            if let Some(MarkKind::Action { key, .. }) = layout.marks.get(parameter.mark).map(|mark| &mark.kind) {
                set(&mut parameters, text(key.clone()).to_ascii_lowercase(), join(text, &parameter.pieces));
            }
        }
        let content = action.contents.last().and_then(|content| layout.contents.get(*content));
        Some(Action { index: *index, kind, parameters, content: content.map(|content| text(content.span.clone()).into_owned()) })
    });
    Reply { source: ReplySource::Markers, reasoning, vitals, sections, actions: actions.collect(), steps: Vec::new() }
}

/// The last value of a name counts, at the place of the first.
fn set<T>(list: &mut Vec<(String, T)>, name: String, value: T) {
    match list.iter_mut().find(|(known, _)| *known == name) {
        Some((_, old)) => *old = value,
        None => list.push((name, value)),
    }
}
