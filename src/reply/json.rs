//! JSON values with their spans.

use std::fmt;

use serde::Deserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::text::Span;

/// A value as written. Its parts are parsed on demand.
#[derive(Debug, Clone, Copy)]
pub struct Json<'a> {
    raw: &'a str,
    /// Where it begins, in bytes of the source.
    at: usize,
}

/// The values of a document that consists of JSON values.
///
/// # Errors
/// The first mistake; its line and column count from the start of `text`.
pub fn values(text: &str, at: usize) -> Result<Vec<Json<'_>>, serde_json::Error> {
    serde_json::Deserializer::from_str(text)
        .into_iter::<&RawValue>()
        .map(|raw| Ok(Json::within(raw?.get(), text, at)))
        .collect()
}

/// The first value, if the source begins with one.
pub fn first(text: &str, at: usize) -> Option<Json<'_>> {
    let raw = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>().next()?.ok()?;
    Some(Json::within(raw.get(), text, at))
}

/// The starts of the objects and lists that are still open at the mistake in the first value.
pub fn unended(text: &str, at: usize) -> Vec<usize> {
    let Some(Err(error)) = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>().next()
    else {
        return Vec::new();
    };
    let before: usize =
        text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let end = before + error.column().saturating_sub(1);
    let (mut open, mut quoted, mut escaped) = (Vec::new(), false, false);
    for (index, byte) in text.bytes().enumerate().take(end) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => open.push(at + index),
            b'}' | b']' if !quoted => drop(open.pop()),
            _ => {}
        }
    }
    open
}

/// Values whose strings had line breaks and tabs as written, which are escaped now.
pub struct Escaped {
    pub text: String,
    /// After each change, the offset in the escaped text and in the source.
    offsets: Vec<(usize, usize)>,
}

impl Escaped {
    /// The first value with its strings escaped, if that makes it valid.
    pub fn first(text: &str, at: usize) -> Option<Self> {
        Self::read(text, at, true).filter(|escaped| first(&escaped.text, 0).is_some())
    }

    /// The same for a text that is nothing but values.
    pub fn all(text: &str, at: usize) -> Option<Self> {
        Self::read(text, at, false).filter(|escaped| values(&escaped.text, 0).is_ok())
    }

    fn read(text: &str, at: usize, one: bool) -> Option<Self> {
        let (mut out, mut offsets) = (String::new(), vec![(0, at)]);
        let (mut depth, mut quoted, mut escapes) = (0_usize, false, false);
        let mut letters = text.char_indices().peekable();
        while let Some((index, letter)) = letters.next() {
            let was = escapes;
            escapes = quoted && letter == '\\' && !was;
            let name = match letter {
                // The line break of the reply, not of the file.
                '\r' if letters.peek().is_some_and(|(_, next)| *next == '\n') => None,
                '\n' => Some("\\n"),
                '\r' => Some("\\r"),
                '\t' => Some("\\t"),
                _ => Some(""),
            };
            if quoted && !was && name != Some("") {
                out.push_str(name.unwrap_or_default());
                offsets.push((out.len(), at + index + 1));
                continue;
            }
            match letter {
                '"' if !was => quoted = !quoted,
                '{' | '[' if !quoted => depth += 1,
                '}' | ']' if !quoted => depth = depth.checked_sub(1)?,
                _ => {}
            }
            out.push(letter);
            if one && depth == 0 && !letter.is_whitespace() {
                break;
            }
        }
        (offsets.len() > 1).then_some(Self { text: out, offsets })
    }

    /// Where a span of the escaped text is in the source.
    pub fn place(&self, span: &Span) -> Span {
        let place = |offset: usize| {
            let after = self.offsets.partition_point(|(escaped, _)| *escaped <= offset);
            let (escaped, source) =
                after.checked_sub(1).and_then(|last| self.offsets.get(last)).copied()?;
            Some(source + (offset - escaped))
        };
        place(span.start).unwrap_or(span.start)..place(span.end).unwrap_or(span.end)
    }
}

impl<'a> Json<'a> {
    /// A slice of `outer`, which begins at `at`.
    fn within(raw: &'a str, outer: &str, at: usize) -> Self {
        Self { raw, at: at + (raw.as_ptr() as usize).saturating_sub(outer.as_ptr() as usize) }
    }

    pub fn span(&self) -> Span {
        self.at..self.at + self.raw.len()
    }

    /// The entries of an object, in order.
    pub fn entries(&self) -> Option<Vec<(String, Self)>> {
        if !self.raw.starts_with('{') {
            return None;
        }
        let entries = serde_json::Deserializer::from_str(self.raw).deserialize_map(Entries).ok()?;
        Some(
            entries
                .into_iter()
                .map(|(key, raw)| (key, Self::within(raw.get(), self.raw, self.at)))
                .collect(),
        )
    }

    pub fn items(&self) -> Option<Vec<Self>> {
        if !self.raw.starts_with('[') {
            return None;
        }
        let items = serde_json::Deserializer::from_str(self.raw).deserialize_seq(Items).ok()?;
        Some(items.into_iter().map(|raw| Self::within(raw.get(), self.raw, self.at)).collect())
    }

    /// The value of a key; for a duplicate key, the last one.
    pub fn get(&self, key: &str) -> Option<Self> {
        self.entries()?.into_iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn string(&self) -> Option<String> {
        if self.raw.starts_with('"') { serde_json::from_str(self.raw).ok() } else { None }
    }

    pub fn bool(&self) -> Option<bool> {
        serde_json::from_str(self.raw).ok()
    }

    pub fn is_null(&self) -> bool {
        self.raw == "null"
    }

    pub fn number(&self) -> Option<usize> {
        serde_json::from_str(self.raw).ok()
    }

    pub fn is_object(&self) -> bool {
        self.raw.starts_with('{')
    }

    pub fn is_array(&self) -> bool {
        self.raw.starts_with('[')
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

struct Items;

impl<'de> Visitor<'de> for Items {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_value_leaves_objects_and_lists_open() {
        assert_eq!(unended("{\"a\": [{}, {\"b}\": 1", 10), [10, 16, 21]);
        assert!(unended("{\"a\": [1]} x", 0).is_empty());
        assert_eq!(unended("[\n{\"a\": 1 {", 0), [0, 2]);
    }

    #[test]
    fn line_breaks_in_strings_are_escaped() {
        let text = "{\"a\": \"x\ny\r\n\\\"\tz\",\n\"b\": 1} {\"c\": \"\n\"}";
        let escaped = Escaped::first(text, 5).unwrap();
        assert_eq!(escaped.text, "{\"a\": \"x\\ny\\n\\\"\\tz\",\n\"b\": 1}");
        let value = first(&escaped.text, 0).unwrap();
        let place = |value: Json| {
            let span = escaped.place(&value.span());
            &text[span.start - 5..span.end - 5]
        };
        assert_eq!(place(value.get("a").unwrap()), "\"x\ny\r\n\\\"\tz\"");
        assert_eq!((place(value.get("b").unwrap()), place(value)), ("1", &text[..26]));
        assert_eq!(values(&Escaped::all(text, 0).unwrap().text, 0).unwrap().len(), 2);
        for text in ["{\"a\": 1}", "{\"a\": \"x\n}", "{\"a\": \"x\ny\" z}", "{\"a\": \"\\\n\"}"] {
            assert!(Escaped::all(text, 0).is_none(), "{text}");
        }
    }

    #[test]
    fn values_know_where_they_are_written() {
        let text = " {\"a\": [1, {\"b\": \"x\\ny\"}]}\n{\"a\": true}";
        let values = values(text, 0).unwrap();
        let inner = values[0].get("a").unwrap().items().unwrap()[1].get("b").unwrap();
        assert_eq!((inner.string().as_deref(), &text[inner.span()]), (Some("x\ny"), "\"x\\ny\""));
        assert_eq!(values[1].get("a").unwrap().bool(), Some(true));
        assert!(super::values("{\"a\": ", 0).is_err());
        assert_eq!(first("{\"a\": 1} tail", 3).unwrap().span(), 3..11);
    }
}
