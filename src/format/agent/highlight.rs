//! Highlights of what a client replaces in the body: exactly the characters that the judged clients
//! replace.

use super::subject::Subject;
use crate::answer::Highlight;
use crate::client::Substitutes;
use crate::text::Span;

/// The replaced text that touches `span`, in order.
pub fn highlights(subject: &Subject, span: &Span) -> Vec<Highlight> {
    let substitutes: Vec<&Substitutes> =
        subject.file.judged.iter().filter_map(|role| role.reads.substitutes.as_ref()).collect();
    if substitutes.is_empty() {
        return Vec::new();
    }
    let named: Vec<String> = substitutes
        .iter()
        .filter_map(|substitutes| substitutes.named.as_deref())
        .flat_map(|key| names(subject, key))
        .collect();
    let mut found = Vec::new();
    let sections = subject.cx.source.sections_in(span);
    for placed in sections.filter(|placed| placed.start >= subject.body()) {
        let text = subject.cx.source.section_text(placed);
        for (start, kind) in memchr::memchr2_iter(b'$', b'!', text.as_bytes())
            .map(|start| (start, text.as_bytes().get(start)))
        {
            let length = if kind == Some(&b'$') {
                dollar(&text, start, &substitutes, &named)
            } else {
                shell(&text, start, &substitutes)
            };
            if let Some(length) = length {
                found.push(Highlight {
                    span: placed.start + start..placed.start + start + length,
                    kind: if kind == Some(&b'$') { "parameter" } else { "macro" },
                });
            }
        }
    }
    found.dedup_by(|next, first| next.span.start < first.span.end);
    found.retain(|highlight| highlight.span.start < span.end && span.start < highlight.span.end);
    found
}

/// The names that a key of front matter gives to arguments.
fn names(subject: &Subject, key: &str) -> Vec<String> {
    let Some(entry) = subject.entry(key) else { return Vec::new() };
    match entry.value.as_sequence() {
        Some(sequence) => {
            sequence.items.iter().filter_map(|item| item.as_str()).map(str::to_owned).collect()
        }
        None => {
            entry.value.as_str().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
        }
    }
}

/// The length of the placeholder that begins with the `$` at `start`.
fn dollar(
    text: &str,
    start: usize,
    substitutes: &[&Substitutes],
    named: &[String],
) -> Option<usize> {
    let before = text.get(..start)?;
    let rest = text.get(start..)?;
    if before.ends_with('\\') {
        return None;
    }
    let word = |length: usize| {
        rest.get(length..)
            .and_then(|after| after.chars().next())
            .is_none_or(|letter| !(letter.is_alphanumeric() || letter == '_'))
    };
    let digits = 1 + rest.get(1..)?.bytes().take_while(u8::is_ascii_digit).count();
    let number: Option<u32> = rest.get(1..digits)?.parse().ok();
    if number.is_some_and(|number| {
        word(digits)
            && substitutes
                .iter()
                .any(|substitutes| substitutes.first.is_some_and(|first| first <= number))
    }) {
        return Some(digits);
    }
    let all = substitutes
        .iter()
        .filter_map(|substitutes| substitutes.all.as_deref())
        .find(|all| rest.starts_with(all) && word(all.len()));
    if let Some(all) = all {
        return Some(all.len());
    }
    if let Some(inside) =
        rest.strip_prefix("${").and_then(|rest| rest.split_once('}')).map(|(inside, _)| inside)
    {
        let known = |name: &String| {
            name.strip_suffix(':').map_or(inside == name, |prefix| {
                inside.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(':'))
            })
        };
        return substitutes
            .iter()
            .flat_map(|substitutes| &substitutes.variables)
            .any(known)
            .then(|| inside.len() + 3);
    }
    named
        .iter()
        .find(|name| {
            rest.get(1..).is_some_and(|rest| rest.starts_with(name.as_str()))
                && word(1 + name.len())
        })
        .map(|name| 1 + name.len())
}

/// The length of the command that begins with the `!` at `start`.
fn shell(text: &str, start: usize, substitutes: &[&Substitutes]) -> Option<usize> {
    let rest = text.get(start..)?;
    let runs = substitutes.iter().any(|substitutes| substitutes.shell);
    let begins = text.get(..start)?.chars().next_back().is_none_or(char::is_whitespace);
    let inside = rest.strip_prefix("!`").filter(|_| runs && begins)?.split(['`', '\n']).next()?;
    let closed = rest.get(2 + inside.len()..)?.starts_with('`');
    (closed && !inside.is_empty()).then(|| inside.len() + 3)
}

/// The meaning of the placeholder at `offset`, in Markdown.
pub fn page(subject: &Subject, offset: usize) -> Option<(Span, String)> {
    let highlight = highlights(subject, &(offset..offset + 1)).into_iter().next()?;
    let written = subject.cx.source.slice(highlight.span.clone()).into_owned();
    let number: Option<u32> = written.strip_prefix('$').and_then(|rest| rest.parse().ok());
    let mut lines = Vec::new();
    for role in &subject.file.judged {
        let Some(substitutes) = &role.reads.substitutes else { continue };
        let text = match (number, substitutes.first) {
            (Some(number), Some(first)) => match number.checked_sub(first) {
                Some(index) => format!("argument {}", index + 1),
                None => "not replaced".to_owned(),
            },
            (Some(_), None) => "not replaced".to_owned(),
            (None, _) if written.starts_with('!') && substitutes.shell => {
                "the output of the command".to_owned()
            }
            (None, _) if substitutes.all.as_deref() == Some(written.as_str()) => {
                "all arguments".to_owned()
            }
            (None, _) if written.starts_with("${") => "a value of the client".to_owned(),
            (None, _) if substitutes.named.is_some() => "the argument of this name".to_owned(),
            _ => "not replaced".to_owned(),
        };
        lines.push(format!("- {}: {text}", role.client.title));
    }
    let quote = if written.contains('`') { "``" } else { "`" };
    let space = if written.contains('`') { " " } else { "" };
    Some((
        highlight.span,
        format!(
            "{quote}{written}{space}{quote} is replaced before a model reads it\n\n{}",
            lines.join("\n")
        ),
    ))
}
