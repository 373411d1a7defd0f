//! `index`, `slice`, `join` and `split`: lists and their elements.

use super::evaluate::Argument;
use super::execute::{Machine, Outcome};
use super::functions::{Answer, Refusal, refuse, string, unexpected};
use super::number::Number;
use super::print;
use super::value::{Text, Value, Words};

/// Follows indexes and keys from the first value.
pub(super) fn index<'a>(values: &[&Value<'a>]) -> Answer<'a> {
    let Some((first, keys)) = values.split_first() else { return refuse("missing argument") };
    let mut value = (*first).clone();
    if value.is_nothing() {
        return refuse("index of untyped nil");
    }
    for key in keys {
        value = match (&value, key) {
            (Value::Missing | Value::Null, _) => return refuse("index of nil pointer"),
            (Value::Object(map), Value::Text(key)) => {
                map.get(&**key).map_or(Value::Null, Value::of)
            }
            (Value::Object(_), key) if key.is_nothing() => {
                return refuse("value is nil; should be of type string");
            }
            (Value::Object(_), key) => {
                return refuse(format!("value has type {}; should be string", key.kind()));
            }
            (Value::Text(text), key) => {
                let at = position(key, "string", text.len().saturating_sub(1))?;
                let byte = text.as_bytes().get(at).copied();
                Value::Number(Number::Byte(
                    byte.ok_or_else(|| format!("index out of range: {at}"))?,
                ))
            }
            (list @ (Value::List(_) | Value::Words(_)), key) => {
                let length = list.elements().unwrap_or(0);
                let at = position(key, "list", length.saturating_sub(1))?;
                list.element(at).ok_or_else(|| format!("index out of range: {at}"))?
            }
            (other, _) => return refuse(format!("can't index item of type {}", other.kind())),
        };
    }
    Ok(value)
}

/// An index from 0 to `most`.
fn position(value: &Value, container: &str, most: usize) -> Result<usize, Refusal> {
    let number = match value {
        Value::Number(number) => number.whole(),
        _ if value.is_nothing() => return refuse(format!("cannot index {container} with nil")),
        _ => None,
    };
    match number {
        None => {
            let shown = match value {
                Value::Number(number) => number.float().to_string(),
                _ => format!("type {}", value.kind()),
            };
            refuse(format!("cannot index {container} with {shown}"))
        }
        Some(number) => usize::try_from(number)
            .ok()
            .filter(|at| *at <= most)
            .map_or_else(|| refuse(format!("index out of range: {number}")), Ok),
    }
}

impl<'a> Machine<'a> {
    /// `slice list 1 2`, or as a pipe passes it: `slice 1 2 list`. The end may be omitted
    /// (MDL-15b).
    pub(super) fn slice(&mut self, arguments: &[Argument<'a>]) -> Outcome<Answer<'a>> {
        let is_container = |argument: &Argument| !matches!(argument.value, Value::Number(_));
        let (container, bounds) = match arguments {
            [first, rest @ ..] if is_container(first) || rest.is_empty() => (first, rest),
            [rest @ .., last] => (last, rest),
            [] => return Ok(refuse("missing argument")),
        };
        let length = match &container.value {
            Value::Text(text) => {
                self.step(text.len() / 64)?;
                text.chars().count()
            }
            value => match value.elements() {
                Some(length) => length,
                None if value.is_nothing() => return Ok(refuse("slice of untyped nil")),
                None => return Ok(refuse(format!("can't slice item of type {}", value.kind()))),
            },
        };
        let part = match part(container, bounds, length) {
            Ok(part) => part,
            Err(refusal) => return Ok(Err(refusal)),
        };
        Ok(Ok(match &container.value {
            Value::Text(text) => {
                let offset = |count: usize| {
                    text.char_indices().nth(count).map_or(text.len(), |(offset, _)| offset)
                };
                self.make(text.copy_cost())?;
                Value::Text(text.part(offset(part.start)..offset(part.end)))
            }
            Value::List(items) => Value::List(items.get(part).unwrap_or_default()),
            Value::Words(words) => Value::Words(words.part(part)),
            other => other.clone(),
        }))
    }

    /// The elements of any list with a separator between them; either may come first (MDL-15a).
    pub(super) fn join(&mut self, arguments: &[Argument<'a>]) -> Outcome<Answer<'a>> {
        let [first, second] = arguments else { return Ok(refuse("missing argument")) };
        let is_list = |argument: &Argument| argument.value.elements().is_some();
        let is_text = |argument: &Argument| argument.value.as_text().is_some();
        let swapped = is_list(second) || (is_text(first) && !is_text(second) && !is_list(first));
        let ((list, list_number), (separator, separator_number)) =
            if swapped { ((second, 1), (first, 0)) } else { ((first, 0), (second, 1)) };
        let separator = match string(arguments, separator_number, &separator.value) {
            Ok(separator) => separator,
            Err(refusal) => return Ok(Err(refusal)),
        };
        // A missing list has no elements.
        let count = match list.value.elements() {
            Some(count) => count,
            None if list.value.is_nothing() => 0,
            None => {
                return Ok(Err(Refusal::Argument(
                    list_number,
                    unexpected("list", arguments, list_number, &list.value),
                )));
            }
        };
        let most = self.room();
        let mut out = String::new();
        for at in 0..count {
            if at > 0 {
                out.push_str(separator);
            }
            let element = list.value.element(at).unwrap_or(Value::Missing);
            self.step(1)?;
            match element.as_text() {
                Some(text) if out.len() + text.len() + separator.len() <= most => {
                    out.push_str(text)
                }
                None if out.len() + separator.len() <= most => {
                    match print::print(&[element], most - out.len()) {
                        Ok(text) => out.push_str(&text),
                        Err(_) => return self.too_long(),
                    }
                }
                _ => return self.too_long(),
            }
        }
        self.made(out).map(Ok)
    }

    /// The parts of a string between separators; every character if the separator is empty.
    pub(super) fn split(&mut self, arguments: &[Argument<'a>]) -> Outcome<Answer<'a>> {
        let [first, second] = arguments else { return Ok(refuse("missing argument")) };
        let text = match &first.value {
            Value::Text(text) => text,
            value => {
                return Ok(Err(Refusal::Argument(0, unexpected("string", arguments, 0, value))));
            }
        };
        let separator = match string(arguments, 1, &second.value) {
            Ok(separator) => separator,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.step(text.len() / 16)?;
        let count = if separator.is_empty() {
            text.chars().count()
        } else {
            text.matches(separator).count() + 1
        };
        let each = match text {
            Text::Borrowed(_) => 0,
            // A new string has two counters before it.
            Text::Made(_) => 2 * size_of::<usize>(),
        };
        self.make(count.saturating_mul(size_of::<Text>() + each) + text.copy_cost())?;
        let mut words = Vec::with_capacity(count);
        let mut start = 0;
        if separator.is_empty() {
            words.extend(text.char_indices().map(|(at, char)| text.part(at..at + char.len_utf8())));
        } else {
            for (at, _) in text.match_indices(separator) {
                words.push(text.part(start..at));
                start = at + separator.len();
            }
            words.push(text.part(start..text.len()));
        }
        Ok(Ok(Value::Words(Words::new(words))))
    }
}

/// The bounds of `slice`: start, end, and Go's third bound, which a part must not exceed.
fn part(
    container: &Argument,
    bounds: &[Argument],
    length: usize,
) -> Result<std::ops::Range<usize>, Refusal> {
    let (kind, is_text) = (container.value.kind(), container.value.as_text().is_some());
    if bounds.len() == 3 && is_text {
        return refuse("cannot 3-index slice a string");
    }
    let mut places = [0, length, length];
    for (place, bound) in places.iter_mut().zip(bounds) {
        *place = position(&bound.value, kind, length)?;
    }
    let [start, end, limit] = places;
    if start > end {
        return refuse(format!("invalid slice index: {start} > {end}"));
    }
    if end > limit {
        return refuse(format!("invalid slice index: {end} > {limit}"));
    }
    Ok(start..end)
}
