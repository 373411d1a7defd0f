//! Keys without `: ` after them, and sentences that have one.

use super::{Broken, Chunk, Fault, Repair};
use crate::format::front_matter;
use crate::text::{self, Edit, Span};
use crate::yaml;

impl Chunk {
    /// Spaces after the colon of which none is one for YAML, such as those that don't break a line.
    fn blank(&self, text: &str, key: &str) -> Option<Span> {
        let start = self.span.start + key.len() + 1;
        let blank = start..self.value;
        let unknown = |space: char| space.is_whitespace() && !space.is_ascii();
        let only = text.get(blank.clone())?.starts_with(unknown);
        only.then_some(blank)
    }

    /// A line that begins with a key that YAML doesn't read as one.
    pub(super) fn unmarked(&self, text: &str, key: &str, fault: &Fault) -> Broken {
        let (message, title, mut edits, safe) = match fault {
            Fault::Glued if self.blank(text, key).is_some() => (
                format!("a space that YAML doesn't know follows `{key}:`, so it reads no key here"),
                format!("Write a plain space after `{key}:`"),
                self.blank(text, key).map(|span| Edit::replace(span, " ")).into_iter().collect(),
                true,
            ),
            Fault::Glued => (
                format!("there is no space after `{key}:`, so YAML reads no key here"),
                format!("Insert a space after `{key}:`"),
                vec![Edit::insert(self.value, " ")],
                true,
            ),
            Fault::Sign { span, sure } => {
                let sign = text.get(span.clone()).unwrap_or_default().trim();
                let message = match sign {
                    "" => format!("there is no colon after `{key}`, so YAML reads no key here"),
                    _ => format!(
                        "`{sign}` follows `{key}` instead of a colon and a space, so YAML reads no key here"
                    ),
                };
                let edit = Edit::replace(span.clone(), ": ");
                (message, format!("Write `{key}: `"), vec![edit], *sure)
            }
        };
        let span = self.value_span(text);
        let value = text.get(span.clone()).unwrap_or_default();
        let mut safe = safe;
        if !value.contains('\n') && !yaml::parse(&format!("{key}: {value}")).errors.is_empty() {
            edits.push(Edit::replace(span, front_matter::in_quotes(value)));
            safe &= front_matter::is_meant_as_text(key, value);
        }
        Broken {
            key: Some(key.to_owned()),
            span: self.span.start..self.value,
            message,
            repairs: vec![Repair { title, edits, safe }],
        }
    }

    /// Sentences below a description, each with a colon, that YAML reads as keys. A few words with a short
    /// value, such as `Last updated: 2026-01-01`, may be a key that the author made up.
    pub(super) fn sentences(&self, text: &str, known: &dyn Fn(&str) -> bool) -> Option<Broken> {
        let key = self.key.as_deref().filter(|key| front_matter::takes_prose(key))?;
        let span = self.value_span(text);
        let value = text.get(span.clone()).unwrap_or_default();
        let all = sentences(value);
        let is_key = |(_, sentence): &(usize, &str)| {
            let folded = sentence.to_lowercase();
            ["-", "_", ""].into_iter().any(|mark| known(&folded.replace(' ', mark)))
        };
        if all.iter().any(is_key) {
            return None;
        }
        let is_said = |at: usize, sentence: &str| {
            let rest = value.get(at + sentence.len()..).unwrap_or_default();
            rest.lines().next().is_some_and(|rest| rest.split_whitespace().count() >= LEAST_WORDS)
        };
        let &(at, sentence) =
            all.iter().find(|(at, sentence)| begins(sentence) || is_said(*at, sentence))?;
        let mut broken = self.lines(text, key, (span.clone(), value), known)?;
        let clear = all.iter().all(|(_, sentence)| begins(sentence));
        broken.repairs.iter_mut().for_each(|repair| repair.safe &= clear);
        broken.span = span.start + at..span.start + at + sentence.len();
        broken.message = format!("YAML reads `{sentence}` as a key, not as part of `{key}`");
        Some(broken)
    }
}

/// The fewest words, the colon included, that make the rest of a line part of a sentence.
const LEAST_WORDS: usize = 4;

/// Words that begin a sentence about when to use something.
const OPENINGS: &[&str] =
    &["Activate", "Always", "Do", "Don't", "Invoke", "Never", "Trigger", "Triggers", "Use", "When"];

/// Whether a sentence says when to use something.
fn begins(sentence: &str) -> bool {
    sentence.split_whitespace().next().is_some_and(|word| OPENINGS.contains(&word))
}

/// A value in quotes whose lines begin at column 0, if nothing else is wrong.
pub(super) fn astray(text: &str, known: &dyn Fn(&str) -> bool) -> Option<Broken> {
    let starts = front_matter::astray(text);
    let first = *starts.first()?;
    let line = |at: usize| text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let edits: Vec<Edit> = starts.iter().map(|at| Edit::insert(*at, "  ")).collect();
    let repaired = text::apply(text, &edits).ok()?;
    let above = text.get(..first)?.lines().rev();
    let key = above.filter_map(super::key).next().map(super::unquoted)?;
    let safe = !starts.iter().any(|at| super::key(line(*at)).is_some_and(known));
    yaml::parse(&repaired).errors.is_empty().then(|| Broken {
        key: Some(key.to_owned()),
        span: first..first + line(first).len(),
        message: format!(
            "this line of `{key}` isn't indented, so strict YAML ends the value before it"
        ),
        repairs: vec![Repair { title: "Indent the lines of the value".to_owned(), edits, safe }],
    })
}

/// The unindented lines after the first that begin with several words and a colon: their starts,
/// and these words.
fn sentences(value: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let lines = value.split_inclusive('\n').filter_map(|line| {
        let start = at;
        at += line.len();
        let (words, rest) = line.split_once(':')?;
        let said = words.starts_with(char::is_alphabetic) && words.trim().contains(' ');
        let ends = rest.starts_with([' ', '\t', '\r', '\n']) || rest.is_empty();
        (start > 0 && said && ends).then_some((start, words.trim_end()))
    });
    lines.collect()
}
