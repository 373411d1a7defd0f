//! Values that YAML reads as comments: `color: #0d9488` has no value.

use serde_json::Value;

use super::subject::Subject;
use crate::format::front_matter;
use crate::rule::Fix;
use crate::text::{Edit, Span};
use crate::yaml::{self, Entry};

/// The text after the colon of a key, if a `#` directly before it makes it a comment, so that the
/// key has no value. Real comments have a space after the `#`.
pub fn value(subject: &Subject, entry: &Entry) -> Option<Span> {
    let yaml::Kind::Scalar(scalar) = &entry.value.kind else { return None };
    if !scalar.text.is_empty() || scalar.style != yaml::Style::Plain {
        return None;
    }
    let key = subject.place(&entry.key.span);
    let line = subject.cx.source.line_span(key.end);
    let rest = subject.cx.source.slice(key.end..line.end);
    let after = rest.trim_start().strip_prefix(':')?;
    let text = after.trim_start();
    let marked = text.strip_prefix('#')?;
    if !marked.starts_with(char::is_alphanumeric) || text.len() == after.len() {
        return None;
    }
    let start = key.end + rest.len() - text.len();
    let end = text.find(" #").unwrap_or(text.len());
    Some(start..start + text.get(..end)?.trim_end().len())
}

/// The value of a key and the rest of its line, if a word with a `#` makes the rest a comment, although it's
/// prose: `description: Pours tea #1 of the day`. Real comments have a space after the `#`.
pub fn cut(subject: &Subject, entry: &Entry) -> Option<(Span, Span)> {
    let yaml::Kind::Scalar(scalar) = &entry.value.kind else { return None };
    let prose = entry.key.as_str().is_some_and(front_matter::takes_prose);
    if !prose || scalar.text.is_empty() || scalar.style != yaml::Style::Plain {
        return None;
    }
    let value = &entry.value.span;
    let rest = subject.yaml.get(value.end..)?.lines().next()?;
    let text = rest.trim_start();
    let is_word = text.strip_prefix('#')?.starts_with(char::is_alphanumeric);
    let start = value.end + rest.len() - text.len();
    let span = start..start + text.trim_end().len();
    is_word.then(|| (subject.place(value), subject.place(&span)))
}

/// Fixes for a comment in place of a value: quotes around the text, or the nearest word that the
/// key accepts.
pub fn fixes(subject: &Subject, key: &str, span: &Span) -> Vec<Fix> {
    let text = subject.cx.source.slice(span.clone());
    let words = words(subject, key);
    if !words.is_empty() {
        let word = text.trim_start_matches('#');
        let same = words.iter().find(|other| other.eq_ignore_ascii_case(word));
        let meant = same.or_else(|| nearest(word, &words));
        let replaced = meant.map(|word| {
            let plain = matches!(word.as_str(), "true" | "false");
            let text = if plain { word.clone() } else { yaml::print_scalar(word) };
            let edit = Edit::replace(span.clone(), text);
            Fix::suggestion(format!("Replace with `{word}`"), vec![edit])
        });
        return replaced.into_iter().collect();
    }
    // A note such as `#todo` isn't the value.
    if ["#todo", "#fixme", "#xxx"].iter().any(|note| text.to_lowercase().starts_with(note)) {
        return Vec::new();
    }
    let edits = vec![Edit::replace(span.clone(), yaml::quote(&text))];
    vec![Fix::suggestion("Quote the value", edits)]
}

/// The words that a key accepts, if a client accepts nothing else.
fn words(subject: &Subject, key: &str) -> Vec<String> {
    let mut schemas = subject.file.judged.iter().filter_map(|role| {
        let schema = role.reads.resolved(role.reads.key(key)?);
        schema.get("enum").and_then(Value::as_array)
    });
    let words = schemas.next().map(|words| words.iter().filter_map(Value::as_str));
    words.into_iter().flatten().map(str::to_owned).collect()
}

/// The hues of named colors, in degrees.
const HUES: &[(&str, f64)] = &[
    ("red", 0.0),
    ("orange", 30.0),
    ("yellow", 58.0),
    ("green", 130.0),
    ("cyan", 185.0),
    ("blue", 230.0),
    ("purple", 270.0),
    ("pink", 325.0),
];

/// The name of the color nearest to one such as `0d9488`; `None` for grays.
fn nearest<'w>(digits: &str, words: &'w [String]) -> Option<&'w String> {
    let hue = hue(digits)?;
    let distance = |word: &String| {
        let (_, other) = HUES.iter().find(|(name, _)| name == word)?;
        let apart = (hue - other).abs();
        Some(apart.min(360.0 - apart))
    };
    let known = words.iter().filter_map(|word| Some((word, distance(word)?)));
    known.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(word, _)| word)
}

/// The hue of a color in degrees; `None` for grays.
fn hue(digits: &str) -> Option<f64> {
    let digits: Vec<u32> = digits.chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
    let parts: Vec<f64> = match digits.as_slice() {
        [red, green, blue] => [red, green, blue].map(|part| f64::from(part * 17)).to_vec(),
        [a, b, c, d, e, f] => [a * 16 + b, c * 16 + d, e * 16 + f].map(f64::from).to_vec(),
        _ => return None,
    };
    let [red, green, blue] = parts.as_slice() else { return None };
    let most = red.max(*green).max(*blue);
    let range = most - red.min(*green).min(*blue);
    if range < 24.0 {
        return None;
    }
    let sixths = if most <= *red {
        ((green - blue) / range).rem_euclid(6.0)
    } else if most <= *green {
        (blue - red) / range + 2.0
    } else {
        (red - green) / range + 4.0
    };
    Some(sixths * 60.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_have_the_nearest_name() {
        let words: Vec<String> = HUES.iter().map(|(name, _)| (*name).to_owned()).collect();
        for (digits, name) in [
            ("0d9488", Some("cyan")),
            ("2563eb", Some("blue")),
            ("ea580c", Some("orange")),
            ("16a34a", Some("green")),
            ("7c3aed", Some("purple")),
            ("b91c1c", Some("red")),
            ("f0f", Some("pink")),
            ("888888", None),
            ("teal", None),
            ("12345", None),
            ("日本🦆", None),
        ] {
            assert_eq!(nearest(digits, &words).map(String::as_str), name, "{digits}");
        }
    }
}
