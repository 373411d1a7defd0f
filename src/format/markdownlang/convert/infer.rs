//! Infers types from prose.

use super::parameter::{Kind, Parameter};

/// Sets type, format, values and default of a parameter from its name and its description, as far
/// as they are unknown. `stated` is an explicit type: `string`, `list of numbers`, `URL`.
pub fn infer(parameter: &mut Parameter, stated: Option<&str>) {
    let words = words(&parameter.written);
    let description = parameter.description.to_lowercase();
    if parameter.values.is_empty() {
        parameter.values = values(&parameter.description);
    }
    let (kind, format) = stated
        .and_then(|text| named(&text.to_lowercase()))
        .or_else(|| chosen(&parameter.values).map(|kind| (kind, None)))
        .or_else(|| described(&description))
        .or_else(|| called(&words, &description))
        .unwrap_or((Kind::Text, None));
    (parameter.kind, parameter.format) = (kind, format);
    if matches!(kind, Kind::Boolean | Kind::List | Kind::Object) {
        parameter.values.clear();
    } else if parameter.values.iter().any(|value| !kind.accepts(value)) {
        parameter.kind = Kind::Text;
    }
    if !parameter.values.is_empty() {
        parameter.format = None;
    }
    let written = parameter.default.take().or_else(|| default(&parameter.description));
    let allowed = |value: &String| {
        parameter.kind.accepts(value)
            && (parameter.values.is_empty() || parameter.values.contains(value))
    };
    parameter.default = written
        .map(|value| if kind == Kind::Boolean { value.to_lowercase() } else { value })
        .filter(allowed);
    // An optional choice defaults to the first value.
    if !parameter.required && parameter.default.is_none() {
        parameter.default = parameter.values.first().cloned();
    }
    if parameter.format.is_some() && parameter.default.is_some() {
        parameter.format = None;
    }
}

fn words(name: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut lower = false;
    for character in name.chars() {
        let border = !character.is_alphanumeric() || character.is_uppercase() && lower;
        if border && found.last().is_some_and(|word| !word.is_empty()) {
            found.push(String::new());
        }
        lower = character.is_lowercase();
        if character.is_alphanumeric() {
            found.last_mut().into_iter().for_each(|word| word.extend(character.to_lowercase()));
        }
    }
    found.retain(|word| !word.is_empty());
    found
}

/// The kind of the values of a choice.
fn chosen(values: &[String]) -> Option<Kind> {
    let integers = values.iter().all(|value| Kind::Integer.accepts(value));
    (!values.is_empty()).then_some(if integers { Kind::Integer } else { Kind::Text })
}

/// An explicit type.
fn named(text: &str) -> Option<(Kind, Option<&'static str>)> {
    let text = text.trim().trim_end_matches('?');
    let first =
        text.split(|character: char| !character.is_alphanumeric()).find(|word| !word.is_empty())?;
    if text.ends_with("[]")
        || matches!(first, "array" | "list" | "strings" | "numbers")
        || text.starts_with("comma")
    {
        return Some((Kind::List, None));
    }
    Some(match first {
        "string" | "str" | "text" | "path" | "file" | "directory" | "folder" | "enum" | "char" => {
            (Kind::Text, None)
        }
        "int" | "integer" | "long" => (Kind::Integer, None),
        "number" | "float" | "double" | "decimal" => (Kind::Number, None),
        "bool" | "boolean" | "flag" => (Kind::Boolean, None),
        "object" | "json" | "dict" | "map" | "mapping" | "hash" => (Kind::Object, None),
        "url" | "uri" => (Kind::Text, Some("uri")),
        "email" => (Kind::Text, Some("email")),
        "date" => (Kind::Text, Some("date")),
        "datetime" | "timestamp" => (Kind::Text, Some("date-time")),
        _ => return None,
    })
}

/// A type that a description begins with, or clearly states.
fn described(description: &str) -> Option<(Kind, Option<&'static str>)> {
    let text = description
        .trim_start_matches("the ")
        .trim_start_matches("a ")
        .trim_start_matches("an ")
        .trim_start_matches("optional ");
    let begins = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    if begins(&[
        "list of",
        "array of",
        "comma-separated",
        "comma separated",
        "one or more",
        "set of",
    ]) {
        return Some((Kind::List, None));
    }
    if begins(&["whether", "if true", "true to", "true if", "set to true", "flag"])
        || description.contains("true/false")
        || description.contains("true or false")
    {
        return Some((Kind::Boolean, None));
    }
    if begins(&[
        "number of",
        "how many",
        "maximum number",
        "minimum number",
        "integer",
        "count of",
        "max number",
        "total number",
    ]) {
        return Some((Kind::Integer, None));
    }
    let words = || description.split(|character: char| !character.is_alphanumeric());
    if begins(&["url", "uri", "link to"])
        || words().any(|word| word == "url")
            && !words().any(|word| matches!(word, "or" | "name" | "path"))
    {
        return Some((Kind::Text, Some("uri")));
    }
    begins(&["email address", "e-mail address"]).then_some((Kind::Text, Some("email")))
}

/// A type that the name suggests.
fn called(words: &[String], description: &str) -> Option<(Kind, Option<&'static str>)> {
    let first = words.first()?.as_str();
    let last = words.last()?.as_str();
    Some(match (first, last) {
        (_, "url" | "uri") => (Kind::Text, Some("uri")),
        (_, "email") => (Kind::Text, Some("email")),
        ("is" | "has" | "include" | "enable" | "disable" | "use" | "skip", _)
            if words.len() > 1 =>
        {
            (Kind::Boolean, None)
        }
        (_, "verbose" | "recursive" | "force" | "quiet" | "debug" | "success" | "enabled") => {
            (Kind::Boolean, None)
        }
        ("dry", "run") => (Kind::Boolean, None),
        ("max" | "min" | "num" | "total", _) if words.len() > 1 => (Kind::Integer, None),
        (
            _,
            "count" | "limit" | "depth" | "timeout" | "port" | "page" | "width" | "height" | "seed"
            | "year" | "age" | "status" | "retries" | "lines",
        ) => (Kind::Integer, None),
        (
            _,
            "score" | "ratio" | "temperature" | "threshold" | "price" | "amount" | "percentage"
            | "rate" | "confidence",
        ) => (Kind::Number, None),
        (
            _,
            "list" | "items" | "tags" | "urls" | "files" | "paths" | "names" | "keywords"
            | "results" | "links" | "issues" | "steps" | "errors",
        ) if !description.contains("path to") && !description.contains("file containing") => {
            (Kind::List, None)
        }
        _ => return None,
    })
}

/// The values that a description lists: `(json, xml or text)`, `one of: a, b`, `"a" | "b"`.
fn values(description: &str) -> Vec<String> {
    let mut rest = description;
    while let Some((_, behind)) = rest.split_once('(') {
        let Some((inside, after)) = behind.split_once(')') else { break };
        if let Some(values) =
            list(inside.trim_start_matches("one of").trim_start_matches([':', ' ']))
        {
            return values;
        }
        rest = after;
    }
    let lower = description.to_lowercase();
    for lead in ["one of:", "one of", "options:", "either", "allowed values:", "values:"] {
        let Some(at) = lower.find(lead).filter(|_| lower.len() == description.len()) else {
            continue;
        };
        let tail = description.get(at + lead.len()..).unwrap_or_default();
        let end = tail.find(['.', ';', '(']).unwrap_or(tail.len());
        if let Some(values) = list(tail.get(..end).unwrap_or_default()) {
            return values;
        }
    }
    list(description).filter(|_| description.contains('|')).unwrap_or_default()
}

/// The maximum number of values in a choice.
const MOST: usize = 30;

/// Words between commas, bars and `or`; `None` if there is any other text.
fn list(text: &str) -> Option<Vec<String>> {
    let text = text.replace(" or ", ",").replace(", or ", ",").replace(['|', '/'], ",");
    let parts: Vec<String> = text
        .split(',')
        .map(|part| part.trim().trim_matches(['`', '"', '\'', '*']).to_owned())
        .filter(|part| !part.is_empty())
        .collect();
    let word = |part: &String| {
        let plain = part.chars().all(|character| {
            character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | '+' | '#')
        });
        plain
            && part.len() <= 40
            && !matches!(
                part.to_lowercase().as_str(),
                "e.g." | "etc" | "etc." | "i.e." | "optional" | "required" | "default"
            )
    };
    let distinct = parts
        .iter()
        .enumerate()
        .all(|(index, part)| parts.iter().take(index).all(|other| other != part));
    ((2..=MOST).contains(&parts.len()) && distinct && parts.iter().all(word)).then_some(parts)
}

/// The value after `default`, `defaults to`.
pub fn default(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let at = lower.find("default")?;
    let rest = text.get(at + "default".len()..)?;
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    let rest = rest.trim_start_matches([':', '=', ' ', '*']);
    let rest = ["to ", "is ", "value "]
        .iter()
        .fold(rest, |rest, lead| rest.strip_prefix(lead).unwrap_or(rest))
        .trim_start_matches([':', '=', ' ']);
    if let Some(quote) = rest.chars().next().filter(|first| matches!(first, '`' | '"' | '\'')) {
        return rest.get(1..)?.split_once(quote).map(|(value, _)| value.to_owned());
    }
    let end = rest
        .find(|character: char| {
            character.is_whitespace() || matches!(character, ',' | ';' | ')' | ']')
        })
        .unwrap_or(rest.len());
    let value = rest.get(..end)?.trim_end_matches(['.', '*']);
    (!value.is_empty()
        && !matches!(value, "the" | "a" | "an" | "none" | "None" | "null" | "if" | "for" | "when"))
    .then(|| value.to_owned())
}
