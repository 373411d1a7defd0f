//! What a template computes with: the input as it is, and what functions make of it.

use std::ops::{Deref, Range};
use std::rc::Rc;

use serde_json::{Map, Value as Json};

use super::number::Number;

/// A value. What comes from the input is borrowed from it.
#[derive(Debug, Clone)]
pub enum Value<'a> {
    /// Nothing is there: prints `<no value>`, and so do its fields.
    Missing,
    /// JSON's null: prints `<no value>` on its own and `<nil>` inside a list; it has no fields.
    Null,
    Boolean(bool),
    Number(Number),
    /// A constant such as `2i`.
    Complex(f64, f64),
    Text(Text<'a>),
    List(&'a [Json]),
    /// What `split` gives.
    Words(Words<'a>),
    Object(&'a Map<String, Json>),
}

/// Text of the input or the template, or text that was made.
#[derive(Debug, Clone)]
pub enum Text<'a> {
    Borrowed(&'a str),
    Made(Rc<str>),
}

/// A list of texts, or a part of one.
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

    /// What a pipeline passes on: there null and nothing are the same.
    pub fn settled(self) -> Self {
        if matches!(self, Self::Null) { Self::Missing } else { self }
    }

    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Missing | Self::Null)
    }

    /// What `if` makes of it: empty, zero and nothing are false.
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

    /// Its kind, as messages name it.
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

    /// Its type, as Go's `%T` names it; a number of the input is one with a fraction there.
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

    /// How many elements a list has.
    pub fn elements(&self) -> Option<usize> {
        match self {
            Self::List(items) => Some(items.len()),
            Self::Words(words) => Some(words.len()),
            _ => None,
        }
    }
}

impl<'a> Text<'a> {
    /// A part of the text; `made` counts what had to be copied.
    pub fn part(&self, range: Range<usize>) -> Self {
        match self {
            Self::Borrowed(text) => Self::Borrowed(text.get(range).unwrap_or("")),
            Self::Made(text) => Self::Made(text.get(range).unwrap_or("").into()),
        }
    }

    /// How many bytes a copy of a part costs: what is borrowed costs nothing.
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

    /// From `start` up to `end`, which are inside.
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

/// The entries of an object in the order of their keys, which is the order of everything that Go
/// does with one.
pub fn sorted(map: &Map<String, Json>) -> Vec<(&str, &Json)> {
    let mut entries: Vec<(&str, &Json)> =
        map.iter().map(|(key, value)| (key.as_str(), value)).collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}
