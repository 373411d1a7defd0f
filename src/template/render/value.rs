//! Values of templates: the input itself, and results of functions.

use std::ops::{Deref, Range};
use std::rc::Rc;

use serde_json::{Map, Value as Json};

use super::number::Number;

/// A value. Values of the input are borrowed.
#[derive(Debug, Clone)]
pub enum Value<'a> {
    /// Missing: prints `<no value>`, and so do its fields.
    Missing,
    /// JSON's null: prints `<no value>` by itself and `<nil>` inside a list; it has no fields.
    Null,
    Boolean(bool),
    Number(Number),
    /// A constant such as `2i`.
    Complex(f64, f64),
    Text(Text<'a>),
    List(&'a [Json]),
    /// The result of `split`.
    Words(Words<'a>),
    Object(&'a Map<String, Json>),
}

/// A string of the input or the template, or a new one.
#[derive(Debug, Clone)]
pub enum Text<'a> {
    Borrowed(&'a str),
    Made(Rc<str>),
}

/// A list of strings, or a part of one.
#[derive(Debug, Clone)]
pub struct Words<'a> {
    all: Rc<[Text<'a>]>,
    part: Range<usize>,
}

impl<'a> Value<'a> {
    pub fn of(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Boolean(*value),
            Json::Number(number) => Self::Number(Number::of(number)),
            Json::String(text) => Self::Text(Text::Borrowed(text)),
            Json::Array(items) => Self::List(items),
            Json::Object(map) => Self::Object(map),
        }
    }

    pub fn integer(value: usize) -> Self {
        Self::Number(Number::Constant(i64::try_from(value).unwrap_or(i64::MAX)))
    }

    /// The value in a pipeline, where null and missing are the same.
    pub fn settled(self) -> Self {
        if matches!(self, Self::Null) { Self::Missing } else { self }
    }

    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Missing | Self::Null)
    }

    /// As a condition: empty, zero and missing values are false.
    pub fn truth(&self) -> bool {
        match self {
            Self::Missing | Self::Null => false,
            Self::Boolean(value) => *value,
            Self::Number(number) => !number.is_zero(),
            Self::Complex(real, imaginary) => *real != 0.0 || *imaginary != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Words(words) => !words.is_empty(),
            Self::Object(map) => !map.is_empty(),
        }
    }

    /// Its kind, as named in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Missing => "no value",
            Self::Null => "null",
            Self::Boolean(_) => "boolean",
            Self::Number(_) => "number",
            Self::Complex(..) => "complex number",
            Self::Text(_) => "string",
            Self::List(_) | Self::Words(_) => "list",
            Self::Object(_) => "object",
        }
    }

    /// Its type, as Go's `%T` prints it; there, a number of the input is a float.
    pub fn go_type(&self) -> &'static str {
        match self {
            Self::Missing | Self::Null => "<nil>",
            Self::Boolean(_) => "bool",
            Self::Number(number) => number.go_type(),
            Self::Complex(..) => "complex128",
            Self::Text(_) => "string",
            Self::List(_) => "[]interface {}",
            Self::Words(_) => "[]string",
            Self::Object(_) => "map[string]interface {}",
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The element at an index of a list.
    pub fn element(&self, index: usize) -> Option<Self> {
        match self {
            Self::List(items) => items.get(index).map(Self::of),
            Self::Words(words) => words.get(index).map(|word| Self::Text(word.clone())),
            _ => None,
        }
    }

    /// The number of elements of a list.
    pub fn elements(&self) -> Option<usize> {
        match self {
            Self::List(items) => Some(items.len()),
            Self::Words(words) => Some(words.len()),
            _ => None,
        }
    }
}

impl<'a> Text<'a> {
    /// A part of the string; `made` counts copied bytes.
    pub fn part(&self, range: Range<usize>) -> Self {
        match self {
            Self::Borrowed(text) => Self::Borrowed(text.get(range).unwrap_or("")),
            Self::Made(text) => Self::Made(text.get(range).unwrap_or("").into()),
        }
    }

    /// The number of bytes that copying a part costs: a borrowed string costs nothing.
    pub fn copy_cost(&self) -> usize {
        match self {
            Self::Borrowed(_) => 0,
            Self::Made(text) => text.len(),
        }
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Made(text) => text,
        }
    }
}

impl<'a> Words<'a> {
    pub fn new(words: Vec<Text<'a>>) -> Self {
        Self { part: 0..words.len(), all: words.into() }
    }

    /// From `start` up to `end`, which are in range.
    pub fn part(&self, range: Range<usize>) -> Self {
        let part = self.part.start + range.start..self.part.start + range.end;
        Self { all: Rc::clone(&self.all), part }
    }
}

impl<'a> Deref for Words<'a> {
    type Target = [Text<'a>];

    fn deref(&self) -> &[Text<'a>] {
        self.all.get(self.part.clone()).unwrap_or_default()
    }
}

/// The entries of an object sorted by key, as Go always does.
pub fn sorted(map: &Map<String, Json>) -> Vec<(&str, &Json)> {
    let mut entries: Vec<(&str, &Json)> =
        map.iter().map(|(key, value)| (key.as_str(), value)).collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}
