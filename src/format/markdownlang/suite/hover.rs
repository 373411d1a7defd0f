//! Hover in tests: on a key, a field of the input, a part of the output.

use super::keys;
use super::tested::{Found, follow};
use super::{Subject, Tested, Written};
use crate::answer::Hover;
use crate::format::markdownlang::field::{Key, find};
use crate::format::markdownlang::hover::details;
use crate::schema::{Describer, pointer};
use crate::template::types::Types;
use crate::yaml::{self, Side, Step};

pub fn hover(subject: &Subject, offset: usize) -> Option<Hover> {
    let written = &subject.written;
    let steps = yaml::at(written.root(), written.relative(offset)?);
    let Step::Entry { entry, side: Side::Key } = steps.last()? else { return None };
    let path: Vec<String> = steps
        .iter()
        .map(|step| match step {
            Step::Entry { entry, .. } => entry.key.as_str().unwrap_or_default().to_owned(),
            Step::Item { index, .. } => index.to_string(),
        })
        .collect();
    let span = written.absolute(&entry.key.span);
    let markdown = page(subject, &path)?;
    (!span.is_empty()).then_some(Hover { span, markdown })
}

fn page(subject: &Subject, path: &[String]) -> Option<String> {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let list = subject.written.cases().trim_start_matches('/');
    match path.as_slice() {
        [name] if subject.written.is_file => key(keys::FILE, name),
        [first, _, inside @ ..] if *first == list => match inside {
            [name] => key(keys::CASE, name),
            ["input", field @ ..] => part(subject.program()?, "input", field),
            ["expect", inside @ ..] => expectation(subject, &path, inside),
            _ => None,
        },
        _ => None,
    }
}

/// Inside `expect`, and inside the expectations at JSON Pointers.
fn expectation(subject: &Subject, path: &[&str], mut inside: &[&str]) -> Option<String> {
    let mut steps: Vec<String> = Vec::new();
    loop {
        match inside {
            [name] => return key(keys::EXPECT, name),
            ["judge", name] => return key(keys::JUDGE, name),
            ["equals", field @ ..] => {
                let field: Vec<&str> =
                    steps.iter().map(String::as_str).chain(field.iter().copied()).collect();
                return part(subject.program()?, "output", &field);
            }
            ["at", place, rest @ ..] => {
                steps.extend(pointer::to_path(place));
                if rest.is_empty() {
                    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
                    return part(subject.program()?, "output", &steps);
                }
                let at = path.get(..path.len() - rest.len())?;
                let value = value_at(&subject.written, at)?;
                if !super::expect::is_expectation(&value) {
                    let field: Vec<&str> =
                        steps.iter().map(String::as_str).chain(rest.iter().copied()).collect();
                    return part(subject.program()?, "output", &field);
                }
                inside = rest;
            }
            _ => return None,
        }
    }
}

fn value_at(written: &Written, path: &[&str]) -> Option<serde_json::Value> {
    written.value(&pointer::from_path(path))
}

fn key(table: &'static [Key], name: &str) -> Option<String> {
    let key = find(table, name)?;
    Some(format!("**{}**: {}\n\n{}", key.name, key.holds.expected(), key.documentation))
}

/// A field of the input or the output.
fn part(program: &Tested, field: &str, steps: &[&str]) -> Option<String> {
    let schema = program.schema(field)?;
    let types = Types::new(Some(schema));
    let steps: Vec<String> = steps.iter().map(|step| (*step).to_owned()).collect();
    let Found::Type(kind) = follow(&types, &steps) else { return None };
    let name = steps.last()?;
    let described = types.places(&kind).first().and_then(|at| Describer::new(schema).property(at));
    let mut page = format!("**{name}**");
    match described {
        Some(property) => {
            page.push_str(if property.required { ": required" } else { ": optional" });
            page.push_str(&format!("\n\n```\n{}\n```", property.summary));
            page.push_str(&details(&property));
        }
        None => page.push_str(&format!("\n\n```\n{}\n```", types.summary(&kind))),
    }
    Some(page)
}
