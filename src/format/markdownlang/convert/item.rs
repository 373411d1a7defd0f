//! One line that describes a parameter: `- url (required): The URL to fetch`.

use super::infer::{default, infer};
use super::parameter::{Parameter, property};

/// Reads a list item, without its bullet. `None` if it doesn't describe a named thing.
pub fn read(text: &str) -> Option<Parameter> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (name, rest) = name(&line)?;
    let mut parameter = Parameter::text(name)?;
    let mut stated: Option<String> = None;
    let mut required = None;
    let mut rest = rest.trim_start();
    // Attributes in brackets, before the colon or after it.
    let mut described = false;
    loop {
        let behind = rest.trim_start_matches([':', '–', '—']).trim_start_matches("- ").trim_start();
        described |= behind.len() < rest.len();
        rest = behind;
        let Some((inside, after)) = bracketed(rest) else { break };
        if !attributes(inside, &mut parameter, &mut required, &mut stated) {
            break;
        }
        rest = after.trim_start();
    }
    let marks: &[_] = &[':', '-', '–', '—', ' ', '*'];
    parameter.description = rest.trim_start_matches(marks).trim().to_owned();
    if !described && !parameter.description.is_empty() && required.is_none() && stated.is_none() {
        // A sentence that begins with a word, not a name with its description.
        return None;
    }
    let lower = parameter.description.to_lowercase();
    let end = lower.trim_end_matches(['.', ')']);
    let says_optional = lower.starts_with("optional")
        || lower.contains("(optional")
        || end.ends_with("optional")
        || default(&lower).is_some();
    let flag = text.trim_start_matches(['*', '_', '`']).starts_with("--");
    parameter.required = required.unwrap_or(!says_optional && !flag && parameter.default.is_none());
    infer(&mut parameter, stated.as_deref());
    Some(parameter)
}

/// The name at the start of a line, without its marks, and the rest of the line.
fn name(line: &str) -> Option<(&str, &str)> {
    let opened = line.trim_start_matches(['*', '_', '`', '[', '<', '{']);
    let marked = opened.len() < line.len();
    let bare = opened.trim_start_matches('-');
    let part =
        |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '.');
    let length = bare.find(|character: char| !part(character)).unwrap_or(bare.len());
    let (mut name, mut rest) = bare.split_at_checked(length)?;
    // `**Start date**: …`: several words only if marks or a colon end them.
    let end = rest.find(['*', '`', ':', '(']).filter(|_| rest.starts_with(' '));
    if let Some(end) = end {
        let (more, behind) = rest.split_at_checked(end)?;
        let words = more.split_whitespace().count();
        let closed =
            marked && behind.starts_with(['*', '`']) || behind.starts_with(':') && words <= 2;
        if closed && words > 0 && more.split_whitespace().all(|word| word.chars().all(part)) {
            (name, rest) = bare.split_at_checked(length + more.trim_end().len())?;
        }
    }
    let name = name.trim_end_matches(['.', '-']);
    property(name)?;
    // `--flag <value>`
    let rest = rest.trim_start_matches(['*', '_', '`', ']', '>', '}']);
    let rest = match rest.trim_start().strip_prefix('<').and_then(|value| value.split_once('>')) {
        Some((_, rest)) => rest.trim_start_matches(['`', '*']),
        None => rest,
    };
    Some((name, rest))
}

/// The text in brackets at the start, and the rest.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(['*', '_', '`']);
    let (open, close) = match text.chars().next()? {
        '(' => ('(', ')'),
        '[' => ('[', ']'),
        '{' => ('{', '}'),
        _ => return None,
    };
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        if character == open {
            depth += 1;
        } else if character == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some((
                    text.get(1..at)?,
                    text.get(at + 1..)?.trim_start_matches(['*', '_', '`']),
                ));
            }
        }
    }
    None
}

/// Reads `string, required, default: 5`. False if there is any other text: then it belongs to the
/// description.
fn attributes(
    text: &str,
    parameter: &mut Parameter,
    required: &mut Option<bool>,
    stated: &mut Option<String>,
) -> bool {
    let (mut own, mut type_name, mut value, mut values) = (None, None, None, Vec::new());
    for part in text
        .split([',', ';'])
        .map(|part| part.trim().trim_matches(['`', '*', '_']))
        .filter(|part| !part.is_empty())
    {
        let lower = part.to_lowercase();
        match lower.as_str() {
            "required" | "mandatory" => own = Some(true),
            "optional" | "not required" => own = Some(false),
            _ if lower.starts_with("default") => value = default(part),
            _ if part.contains('|') => {
                values = part
                    .split('|')
                    .map(|value| value.trim().trim_matches(['`', '"', '\'']).to_owned())
                    .collect()
            }
            _ if is_type(&lower) && type_name.is_none() => type_name = Some(part.to_owned()),
            _ => return false,
        }
    }
    if let (None, None, None, true) = (&own, &type_name, &value, values.is_empty()) {
        return false;
    }
    *required = own.or(*required).or(value.is_some().then_some(false));
    *stated = type_name.or(stated.take());
    parameter.default = value.or(parameter.default.take());
    if !values.is_empty() {
        parameter.values = values;
    }
    true
}

fn is_type(text: &str) -> bool {
    const TYPES: &[&str] = &[
        "string",
        "str",
        "text",
        "int",
        "integer",
        "long",
        "number",
        "float",
        "double",
        "decimal",
        "bool",
        "boolean",
        "flag",
        "object",
        "json",
        "dict",
        "map",
        "url",
        "uri",
        "email",
        "date",
        "datetime",
        "timestamp",
        "array",
        "list",
        "path",
        "file",
        "strings",
        "numbers",
    ];
    let first = text.trim_end_matches("[]").trim_end_matches('?');
    let (word, rest) = first.split_once([' ', '<', '[']).unwrap_or((first, ""));
    TYPES.contains(&word)
        && (rest.is_empty()
            || matches!(word, "array" | "list" | "file")
            || rest.split_whitespace().count() == 1)
}
